import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { IdempotencyCache } from '../../../../src/mock/kernel/idempotency.js';
import { RateLimiter } from '../../../../src/mock/kernel/rate-limits.js';
import type { Route } from '../../../../src/mock/kernel/route.js';
import { openService } from '../open-service.js';

const KEEP = { requests: 3, carts: 3, orders: 2, events: 3, deliveries: 3 };

describe('A service that stays up', () => {
  test('lists the latest requests, events and deliveries, as many as it was told to keep', async () => {
    const { service, call, placeOrder } = await openService({ keep: KEEP });
    await call('POST /webhooks', { body: { url: 'https://hooks.example.com', event_types: ['order.created'] } });
    service.webhooks.route('https://hooks.example.com', () => new Response());
    const orders = [];
    for (let count = 0; count < 8; count += 1) orders.push(await placeOrder());
    await service.clock.advance(0);

    expect(service.requests()).toHaveLength(3);
    expect(service.requests().at(-1)?.path).toBe(`/orders/${orders.at(-1).id}`);
    const latest = orders.slice(-3).map(({ id }) => id);
    expect(service.webhooks.events().map(({ data }) => (data as { order_id: string }).order_id)).toEqual(latest);
    expect(service.webhooks.deliveries()).toHaveLength(3);
  });

  test('forgets the oldest carts and orders, and keeps the place of the others in their list', async () => {
    const { service, call, placeOrder, pay } = await openService({ keep: KEEP });
    const orders = [];
    for (let count = 0; count < 4; count += 1) {
      const order = await placeOrder();
      await pay(order, 100);
      orders.push(order);
    }

    expect((await call(`GET /orders/${orders[0].id}`)).status).toBe(404);
    expect(service.ledger(orders[0].id).entries).toEqual([]);
    expect(service.ledger(orders[3].id).charged).toBe(100);
    expect((await call(`GET /carts/${orders[0].cart_id}`)).status).toBe(404);
    const { data, pagination } = (await call('GET /orders?limit=1')).body;
    expect(data[0].id).toBe(orders[3].id);
    await placeOrder();
    const rest = (await call(`GET /orders?limit=1&cursor=${pagination.next_cursor}`)).body;
    expect(rest.data).toEqual([]);
  });

  test('forgets tokens that have expired', async () => {
    const { service, tokenOf, call } = await openService();
    for (let day = 0; day < 5; day += 1) {
      await service.clock.advance('25h');
      await tokenOf(service.credentials);
    }
    expect((await call('GET /locations')).status).toBe(401);
  });
});

const clockAt = (start: number) => {
  let now = start;
  return { clock: { now: () => now, setTimer: () => () => {} }, move: (ms: number) => (now += ms) };
};

test('keys older than 24 hours take no room', async () => {
  const { clock, move } = clockAt(0);
  const cache = new IdempotencyCache<string>(clock, 5);
  const use = (key: string) => ({ partnerId: 'p', key, fingerprint: 'f' });
  let executed = 0;
  const once = (key: string) =>
    cache.once(
      use(key),
      async () => {
        executed += 1;
        return { reply: key, cacheable: true };
      },
      { inFlight: 'wait', wait: (running) => running },
    );

  await once('a');
  move(25 * 3_600_000);
  await once('b');
  expect(cache.size).toBe(1);
  for (let count = 0; count < 20; count += 1) await once(randomUUID());
  expect(cache.size).toBe(5);
  expect(executed).toBe(22);
});

test('a client id that asked for a token once is not counted for ever', () => {
  const { clock, move } = clockAt(0);
  const limiter = new RateLimiter(clock, {});
  const route = { method: 'POST', path: '/auth/token', public: true } as Route;
  for (let count = 0; count < 1000; count += 1) limiter.admit({ route, caller: `${count}`, locationId: undefined });

  move(60_001);
  limiter.admit({ route, caller: 'last', locationId: undefined });

  expect(limiter.size).toBe(1);
});
