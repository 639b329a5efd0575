import { memoryStore, OnlineOrdering, type Store } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { beforeEach, expect, test } from 'vitest';

let service: MockService;
let operations: number;
let isGone: boolean;
let store: Store;

beforeEach(() => {
  service = createMockService({ rateLimits: false });
  operations = 0;
  isGone = false;
  const inner = memoryStore({ clock: service.clock });
  const counted =
    <Given extends unknown[], Result>(operation: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> => {
      operations += 1;
      return isGone ? new Promise(() => {}) : operation(...given);
    };
  store = {
    get: counted(inner.get),
    set: counted(inner.set),
    setIfAbsent: counted(inner.setIfAbsent),
    compareAndSet: counted(inner.compareAndSet),
    compareAndDelete: counted(inner.compareAndDelete),
  };
});

function processOf(): OnlineOrdering {
  const { credentials, dispatcher, clock } = service;
  return new OnlineOrdering({ ...credentials, dispatcher, clock, store, logLevel: 'off' });
}

async function cost(work: () => PromiseLike<unknown>): Promise<number> {
  const before = operations;
  await service.clock.runUntil(Promise.resolve(work()));
  return operations - before;
}

test('a plain GET of the steady state costs no store operation of its own, and waits for none', async () => {
  const client = processOf();
  await client.locations.list();
  await service.clock.advance(5000);

  // Cool-downs are read in the background, once a second while calls are made.
  expect(await cost(() => client.locations.list())).toBeLessThanOrEqual(1);
  const burst = await cost(async () => {
    for (let call = 0; call < 200; call += 1) await client.locations.list();
  });
  expect(burst).toBe(0);

  isGone = true;
  const startedAt = service.clock.now();
  await client.locations.list();
  expect(service.clock.now()).toBe(startedAt);
});

test('names and payments cost no more store operations than docs/scaling.md says', async () => {
  const client = processOf();
  const location_id = service.samples.locations.downtown;
  const cart = await client.carts.create({ location_id });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  const { order_id: orderId } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  const card = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved' } as const;
  const name = () => client.carts.create({ location_id }, { operation: 'n' });
  const pay = () => client.orders.payments.create(orderId, { ...card, amount: 100 }, { operation: 'p' });
  const settle = () => client.orders.settle(orderId, { tenders: [{ ...card, amount: 'remaining' }] });

  // And one in the background: the reading of cool-downs.
  expect(await cost(name)).toBeLessThanOrEqual(7 + 1);
  expect(await cost(name)).toBe(1);
  expect(await cost(pay)).toBeLessThanOrEqual(10 + 1);
  expect(await cost(pay)).toBe(1);
  expect(await cost(settle)).toBeLessThanOrEqual(14 + 1);
});
