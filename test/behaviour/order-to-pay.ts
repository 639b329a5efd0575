import { type HandoffMode, OnlineOrdering, type OnlineOrderingOptions, type Order } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';

export interface OrderToPay {
  readonly service: MockService;
  readonly client: OnlineOrdering;
  readonly orderId: string;
  /** Cents. */
  readonly total: number;
}

/** A client whose retries do not hide what a test sends: one attempt for each request. */
export function clientOf(service: MockService, options: Partial<OnlineOrderingOptions> = {}): OnlineOrdering {
  const { credentials, dispatcher, clock } = service;
  return new OnlineOrdering({ ...credentials, dispatcher, clock, logger: silent, ...options });
}

const nothing = (): void => {};
const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing };

/** An order that was checked out, with nothing paid. */
export async function orderToPay(
  options: Partial<OnlineOrderingOptions> & { handoff?: HandoffMode } = {},
): Promise<OrderToPay> {
  const { handoff = { mode: 'PICKUP' as const }, ...clientOptions } = options;
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service, clientOptions);
  const { locations, cartItems } = service.samples;
  const order = await service.clock.runUntil(checkedOut(client, locations.downtown, cartItems, handoff));
  return { service, client, orderId: order.id, total: order.total.amount };
}

async function checkedOut(
  client: OnlineOrdering,
  location_id: string,
  cartItems: MockService['samples']['cartItems'],
  handoff: HandoffMode,
): Promise<Order> {
  const cart = await client.carts.create({ location_id });
  await client.carts.items.add(cart.id, { ...cartItems.turkeySub, quantity: 2 });
  await client.carts.setHandoff(cart.id, handoff);
  const { order_id } = await client.carts.checkout(cart.id);
  return client.orders.retrieve(order_id);
}

/** Method, key and answer of each payment request that reached the service. */
export function paymentRequests(service: MockService) {
  return service
    .requests()
    .filter(({ route, method }) => method === 'POST' && route === '/orders/{order_id}/payments')
    .map(({ idempotencyKey, status, replayed }) => ({ idempotencyKey, status, replayed }));
}
