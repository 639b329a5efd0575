import { memoryStore, OnlineOrdering, type Store } from 'online-ordering-sdk';
import { createMockService, type MockServiceOptions } from 'online-ordering-sdk/mock';

export const card = <Amount>(amount: Amount, payment_token = 'tok_approved') =>
  ({ payment_method: 'CREDIT_CARD', payment_token, amount }) as const;

interface ShopSettings extends Pick<MockServiceOptions, 'behaviour' | 'latency'> {
  /** What stands between the processes and their store. */
  readonly around?: (store: Store) => Store;
}

/** A shop whose processes share a store, and an order with nothing paid. */
export async function namedShop({ around = (store) => store, ...given }: ShopSettings = {}) {
  const service = createMockService({ rateLimits: false, ...given });
  const store = around(memoryStore({ clock: service.clock }));
  const { credentials, dispatcher, clock, samples } = service;
  const processOf = () => new OnlineOrdering({ ...credentials, dispatcher, clock, store, logLevel: 'off' });
  const ended = <T>(work: PromiseLike<T>): Promise<T> => clock.runUntil(Promise.resolve(work));
  const client = processOf();
  const cart = await ended(client.carts.create({ location_id: samples.locations.downtown }));
  await ended(client.carts.items.add(cart.id, { ...samples.cartItems.turkeySub, quantity: 2 }));
  const { order_id, total } = await ended(client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } }));
  await clock.advance('1m');
  return { service, processOf, ended, orderId: order_id, total: total.amount };
}
