import { memoryStore, type OnlineOrderingOptions } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { CART_ID, cart, envelope } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import type { Reply } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';

const ok: Reply = { status: 200, body: cart };
const tooMany = (seconds: number): Reply => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'),
});

/** Each response takes 20 ms. */
function later(service: TestService, reply: Reply): Reply {
  service.clock.setTimer(() => service.held.shift()?.answer(reply), 20);
  return { hold: true };
}

/** A service that takes so many requests in each window, which begins with its first request. */
function limited(perWindow: number, windowMs: number) {
  const service = new TestService(() => ok);
  const counts = { accepted: 0, refused: 0 };
  let startedAt = Number.NEGATIVE_INFINITY;
  let inWindow = 0;
  service.handler = () => {
    const now = service.clock.monotonic();
    if (now - startedAt >= windowMs) {
      startedAt = now;
      inWindow = 0;
    }
    if (inWindow >= perWindow) {
      counts.refused += 1;
      return later(service, tooMany(Math.max(1, Math.ceil((startedAt + windowMs - now) / 1000))));
    }
    inWindow += 1;
    counts.accepted += 1;
    return later(service, ok);
  };
  return { service, counts };
}

/** A client with so many calls that wait in a cool-down of a second, and what became of them. */
async function waitingCalls(
  { service, counts }: ReturnType<typeof limited>,
  calls: number,
  processes = 1,
  options: OnlineOrderingOptions = {},
) {
  const limit = service.handler;
  const clients = Array.from({ length: processes }, () => service.client({ random: Math.random, ...options }));
  service.handler = () => tooMany(1);
  for (const client of clients) await rejection(client.carts.retrieve(CART_ID, { maxRetries: 0 }));
  service.handler = limit;
  const results = clients.flatMap((client) =>
    Array.from({ length: calls / processes }, () =>
      client.carts.retrieve(CART_ID).then(
        () => 'ok',
        ({ name }) => name,
      ),
    ),
  );
  let settled = 0;
  for (const result of results) void result.then(() => (settled += 1));
  const startedAt = service.clock.monotonic();
  while (settled < results.length && service.clock.monotonic() - startedAt < 300_000) await service.clock.advance(100);
  const names = await Promise.all(results);
  return {
    ok: names.filter((name) => name === 'ok').length,
    refused: counts.refused,
    seconds: (service.clock.monotonic() - startedAt) / 1000,
  };
}

describe('calls that waited for the end of a cool-down', () => {
  test('leave at the pace that the service takes: 500 calls against 20 a second', async () => {
    const result = await waitingCalls(limited(20, 1000), 500);

    expect(result.ok).toBe(500);
    expect(result.refused).toBeLessThan(50);
    expect(result.seconds).toBeLessThan(40);
  });

  test('of five processes that share a store do not multiply the herd', async () => {
    const under = limited(20, 1000);
    const result = await waitingCalls(under, 500, 5, {
      shareToken: 'in_clear',
      store: memoryStore({ clock: under.service.clock }),
    });

    expect(result.ok).toBe(500);
    expect(result.refused).toBeLessThan(100);
  });

  test('do not fail because one refusal by chance shows a pace that is far too slow', async () => {
    const under = limited(20, 1000);
    const limit = under.service.handler;
    let requests = 0;
    under.service.handler = (...request) => {
      requests += 1;
      return requests === 2 ? tooMany(1) : limit(...request);
    };

    const result = await waitingCalls(under, 300, 1, { maxWait: 60_000 });

    expect(result.ok).toBe(300);
    expect(result.refused).toBeLessThan(30);
  });

  test('are all let go within moments where the service takes them', async () => {
    const result = await waitingCalls(limited(1_000_000, 1000), 500);

    expect(result).toMatchObject({ ok: 500, refused: 0 });
    expect(result.seconds).toBeLessThan(1.5);
  });

  test('keep to windows of a minute, too', async () => {
    const result = await waitingCalls(limited(100, 60_000), 300);

    // Half a window too many, once: then the pace is known.
    expect(result.refused).toBeLessThan(75);
    expect(result.ok).toBe(300);
  });
});

test('refusals with a time to come back spend no retry budget: 300 calls, each refused once, all succeed', async () => {
  const service = new TestService((_request, index) => (index < 300 ? tooMany(1) : ok));
  const client = service.client();
  await client.auth.accessToken();
  const calls = Array.from({ length: 300 }, () => client.carts.retrieve(CART_ID));

  await service.clock.advance(60_000);

  expect((await Promise.all(calls)).length).toBe(300);
});

test('calls that wait in a cool-down, each refused once, all succeed within two minutes', async () => {
  const service = new TestService(() => tooMany(1));
  const client = service.client({ random: Math.random });
  await rejection(client.carts.retrieve(CART_ID, { maxRetries: 0 }));
  const known = new Set<string>();
  service.handler = ({ path }) => {
    const isKnown = known.has(path);
    known.add(path);
    return later(service, isKnown ? ok : tooMany(1));
  };
  const startedAt = service.clock.monotonic();
  const calls = Array.from({ length: 300 }, (_, index) =>
    client.carts.retrieve(`${CART_ID.slice(0, -3)}${String(index).padStart(3, '0')}`),
  );
  let settled = 0;
  for (const call of calls) void call.then(() => (settled += 1));
  while (settled < calls.length && service.clock.monotonic() - startedAt < 300_000) await service.clock.advance(100);

  expect(settled).toBe(300);
  expect(service.clock.monotonic() - startedAt).toBeLessThan(120_000);
});

describe('the call that goes first', () => {
  const stalled = async () => {
    const service = new TestService(() => tooMany(1));
    const client = service.client();
    await rejection(client.carts.retrieve(CART_ID, { maxRetries: 0 }));
    service.handler = (_request, index) => (index === 1 ? { hold: true } : ok);
    const first = client.carts.retrieve(CART_ID, { timeout: 20_000 });
    await service.clock.advance(1000);
    expect(service.requests).toHaveLength(2);
    return { service, client, first };
  };

  test('holds another call for that one’s time-out at most', async () => {
    const { service, client } = await stalled();
    const call = client.carts.retrieve(CART_ID, { timeout: 1000, maxRetries: 0 });
    await service.clock.advance(999);
    expect(service.requests).toHaveLength(2);
    await service.clock.advance(1);

    expect((await call).id).toBe(CART_ID);
  });

  test('holds another call for that one’s maxWait at most', async () => {
    const { service, client } = await stalled();
    const call = client.withOptions({ maxWait: 500 }).carts.retrieve(CART_ID);
    await service.clock.advance(500);

    expect((await call).id).toBe(CART_ID);
  });
});

test('a call that cannot wait for its turn fails at once, and says how long', async () => {
  const under = limited(2, 10_000);
  const { service } = under;
  const client = service.client();
  const first = Array.from({ length: 6 }, () => client.carts.retrieve(CART_ID));
  await service.clock.advance(12_000);

  const late = await rejection(client.carts.retrieve(CART_ID, { deadline: 1000 }));

  expect(late).toMatchObject({ name: 'RateLimitError', attempts: 0 });
  await service.clock.advance(120_000);
  await Promise.all(first);
});

describe('processes that share a store', () => {
  test('take over how long a cool-down lasts, and no other clock’s idea of when it ends', async () => {
    const service = new TestService(() => tooMany(2));
    const store = memoryStore({ clock: service.clock });
    const clock = {
      now: () => service.clock.now() + 3_600_000,
      monotonic: () => service.clock.monotonic() + 1e9,
      setTimer: service.clock.setTimer.bind(service.clock),
    };
    const fast = service.client({ shareToken: 'in_clear', store, clock });
    const healthy = service.client({ shareToken: 'in_clear', store });
    await healthy.auth.accessToken();
    await rejection(fast.carts.retrieve(CART_ID, { maxRetries: 0 }));
    service.handler = () => ok;
    await service.clock.advance(1000);
    void healthy.carts.retrieve(CART_ID); // Looks into the store, and is not held up by that.
    await service.clock.advance(10);
    const sent = service.requests.length;

    const call = healthy.carts.retrieve(CART_ID);
    await service.clock.advance(500);
    expect(service.requests).toHaveLength(sent);
    await service.clock.advance(1500);

    expect((await call).id).toBe(CART_ID);
  });
});
