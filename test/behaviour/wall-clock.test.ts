import { memoryStore } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, envelope, ORDER_ID, payment } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { inTurn, type Reply } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ok: Reply = { status: 200, body: cart };
const refused = (seconds: number): Reply => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'),
});

/** Milliseconds on the monotonic reading until a promise settles. */
async function timeOf(service: TestService, call: Promise<unknown>, longestMs: number): Promise<number> {
  let settled = false;
  const end = (): void => {
    settled = true;
  };
  call.then(end, end);
  const startedAt = service.clock.monotonic();
  while (!settled && service.clock.monotonic() - startedAt < longestMs) await service.clock.advance(100);
  return settled ? service.clock.monotonic() - startedAt : Number.POSITIVE_INFINITY;
}

describe.each([
  ['a minute back', -MINUTE],
  ['a minute ahead', MINUTE],
  ['an hour back', -HOUR],
  ['an hour ahead', HOUR],
])('a wall clock that steps %s', (_name, stepMs) => {
  test('changes no time-out', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection(service.client().carts.retrieve(CART_ID, { timeout: 2000, maxRetries: 0 }));
    await service.clock.advance(300);
    service.clock.step(stepMs);

    expect(await timeOf(service, call, 10_000)).toBe(1700);
    expect((await call).name).toBe('APIConnectionTimeoutError');
  });

  test('changes no deadline', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection(service.client().carts.retrieve(CART_ID, { deadline: 2000 }));
    await service.clock.advance(300);
    service.clock.step(stepMs);

    expect(await timeOf(service, call, 10_000)).toBe(1700);
    expect((await call).name).toBe('DeadlineExceededError');
  });

  test('changes neither the wait of a 429 nor the cool-down of the others', async () => {
    const service = new TestService(inTurn(refused(10), ok));
    const client = service.client();
    const first = client.carts.retrieve(CART_ID);
    await service.clock.advance(300);
    service.clock.step(stepMs);
    const second = client.carts.retrieve(CART_ID);

    expect(await timeOf(service, Promise.all([first, second]), 20_000)).toBe(9700);
    expect(service.requests).toHaveLength(3);
  });

  test('changes no backoff', async () => {
    const service = new TestService(inTurn({ status: 500 }, ok));
    const call = service.client({ random: () => 0.8 }).carts.retrieve(CART_ID);
    await settle();
    service.clock.step(stepMs);

    expect(await timeOf(service, call, 10_000)).toBe(400);
  });

  test('ends no payment early', async () => {
    const service = new TestService(({ method }) => (method === 'POST' ? { hold: true } : ok));
    const client = service.client();
    const paid = client.orders.payments.create(ORDER_ID, cardPayment, { timeout: 30_000 });
    const short = client.carts.retrieve(CART_ID, { timeout: 500 });
    await service.clock.advance(300);
    service.clock.step(stepMs);
    await service.clock.advance(2700);
    service.held[0]?.answer({ status: 201, body: payment });

    expect((await paid).status).toBe('COMPLETED');
    expect((await short).id).toBe(CART_ID);
  });

  test('tells true durations', async () => {
    const service = new TestService(() => ({ hold: true }));
    const client = service.client();
    const durations: number[] = [];
    client.on('response', ({ path, durationMs }) => path === '/carts/{cart_id}' && durations.push(durationMs));
    const call = client.carts.retrieve(CART_ID);
    await service.clock.advance(300);
    service.clock.step(stepMs);
    await service.clock.advance(700);
    service.held[0]?.answer(ok);
    await call;

    expect(durations).toEqual([1000]);
  });

  test('takes no entry of the default store before its time, and keeps none longer', async () => {
    const service = new TestService(() => ok);
    const store = memoryStore({ clock: service.clock });
    await store.set('a', '1', { ttlMs: 1000 });
    service.clock.step(stepMs);
    await service.clock.advance(999);
    expect(await store.get('a')).toBe('1');
    await service.clock.advance(1);

    expect(await store.get('a')).toBeUndefined();
  });
});
