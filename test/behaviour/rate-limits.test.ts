import { type CallError, memoryStore, RateLimitError } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import {
  CART_ID,
  cardPayment,
  cart,
  envelope,
  LOCATION_ID,
  location,
  ORDER_ID,
  OTHER_LOCATION_ID,
  page,
  payment,
} from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { inTurn, type Reply, token } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const tooMany = (headers: Record<string, string> = {}): Reply => ({
  status: 429,
  headers,
  body: envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'),
});
const ok: Reply = { status: 200, body: cart };

/** The instants of the requests, in milliseconds since the first. */
const instants = (service: TestService) => service.requests.map(({ at }) => at - (service.requests[0]?.at ?? 0));

describe('Retry-After', () => {
  test('61 never leads to a request before 61 s, by this call or by another', async () => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '61' }), ok));
    const client = service.client();

    const first = client.carts.retrieve(CART_ID);
    await settle();
    const second = client.carts.retrieve(CART_ID);
    await service.clock.advance(60_999);
    expect(service.requests).toHaveLength(1);
    await service.clock.advance(1);
    await Promise.all([first, second]);

    expect(instants(service)).toEqual([0, 61_000, 61_000]);
  });

  test('doubles at each further refusal, up to 300 s, with up to a second of jitter', async () => {
    const service = new TestService(() => tooMany({ 'retry-after': '90' }));
    const client = service.client({ random: () => 0.5, maxRetries: 4, maxWait: 301_000 });

    const error = rejection<RateLimitError>(client.carts.retrieve(CART_ID));
    await service.clock.advance(3_600_000);

    expect(await error).toMatchObject({ status: 429, attempts: 5, retryAfterSeconds: 90, scenario: 'rate_limited' });
    expect(instants(service)).toEqual([0, 90_500, 271_000, 571_500, 872_000]);
  });

  test('300 is waited out with the default settings, whatever the jitter', async () => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '300' }), ok));
    const call = service.client({ random: () => 0.99 }).carts.retrieve(CART_ID);

    await service.clock.advance(301_000);

    expect((await call).id).toBe(CART_ID);
    expect(instants(service)[1]).toBeGreaterThanOrEqual(300_000);
  });

  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['seconds of 0', { 'retry-after': '0' }, 0],
    ['a date', { 'retry-after': 'Sat, 31 Jan 2026 10:00:09 GMT', date: 'Sat, 31 Jan 2026 10:00:00 GMT' }, 9000],
    [
      'a date that counts from a clock which is an hour off',
      { 'retry-after': 'Sat, 31 Jan 2026 11:00:05 GMT', date: 'Sat, 31 Jan 2026 11:00:00 GMT' },
      5000,
    ],
    ['a date without a Date header', { 'retry-after': 'Sat, 31 Jan 2026 10:00:03 GMT' }, 3000],
    ['a date in the past', { 'retry-after': 'Fri, 30 Jan 2026 10:00:00 GMT' }, 0],
    ['a negative number, as if absent', { 'retry-after': '-5' }, 500],
    ['a fraction, as if absent', { 'retry-after': '1.5' }, 500],
    ['garbage, as if absent', { 'retry-after': 'soon' }, 500],
    ['words with a number, as if absent', { 'retry-after': 'Please wait 30' }, 500],
    ['nothing at all', {}, 500],
  ])('is read as %s', async (_name, headers, waitMs) => {
    const service = new TestService(inTurn(tooMany(headers as Record<string, string>), ok));
    const call = service.client().carts.retrieve(CART_ID);

    await service.clock.advance(10_000);
    await call;

    expect(instants(service)).toEqual([0, waitMs]);
  });

  test('above maxWait fails at once, and says how long to wait', async () => {
    const service = new TestService(() => tooMany({ 'retry-after': '301' }));

    const error = await rejection<RateLimitError>(service.client().carts.create({ location_id: LOCATION_ID }));

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ attempts: 1, retryAfterSeconds: 301, outcome: 'refused' });
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test.each(['99999999999', '9'.repeat(400)])('of %s arms no timer and fails at once', async (huge) => {
    const service = new TestService(() => tooMany({ 'retry-after': huge }));

    const error = await rejection<RateLimitError>(service.client().carts.retrieve(CART_ID));

    expect(error.retryAfterSeconds).toBe(Number(huge));
    expect(service.requests).toHaveLength(1);
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test('that does not fit the deadline fails at once', async () => {
    const service = new TestService(() => tooMany({ 'retry-after': '5' }));

    const error = await rejection(service.client().carts.retrieve(CART_ID, { deadline: 4000 }));

    expect(error).toBeInstanceOf(RateLimitError);
    expect(service.requests).toHaveLength(1);
  });

  test('of a payment is honoured with the same key, since the service refused it', async () => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '2' }), { status: 201, body: payment }));
    const call = service.client().orders.payments.create(ORDER_ID, cardPayment).withResponse();

    await service.clock.advance(3000);

    expect((await call).attempts).toBe(2);
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  test('of a 503 is not undercut', async () => {
    const service = new TestService(inTurn({ status: 503, headers: { 'retry-after': '4' } }, ok));
    const call = service.client().carts.retrieve(CART_ID);

    await service.clock.advance(4000);
    await call;

    expect(instants(service)).toEqual([0, 4000]);
  });

  test('is not waited for with maxRetries 0', async () => {
    const service = new TestService(() => tooMany({ 'retry-after': '1' }));

    const error = await rejection<CallError>(service.client({ maxRetries: 0 }).carts.retrieve(CART_ID));

    expect(error.attempts).toBe(1);
  });
});

describe('a cool-down', () => {
  const refusedOnce = async (options = {}) => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '30' }), ok));
    const client = service.client(options);
    await rejection(client.carts.retrieve(CART_ID, { maxRetries: 0 }));
    return { service, client };
  };

  test('lets 20 parallel calls send nothing; they wait, and then one goes first', async () => {
    const { service, client } = await refusedOnce();
    service.handler = (_request, index) => (index === 1 ? { hold: true } : ok);

    const calls = Array.from({ length: 20 }, () => client.carts.retrieve(CART_ID));
    await service.clock.advance(29_999);
    expect(service.requests).toHaveLength(1);
    await service.clock.advance(1);
    expect(service.requests).toHaveLength(2);
    service.held[0]?.answer(ok);
    await Promise.all(calls);

    expect(service.requests).toHaveLength(21);
  });

  test('goes on for everyone when the one that went first is refused again', async () => {
    const { service, client } = await refusedOnce();
    service.handler = inTurn(tooMany(), tooMany({ 'retry-after': '10' }), ok);

    const calls = Array.from({ length: 20 }, () => client.carts.retrieve(CART_ID));
    await service.clock.advance(30_000);
    expect(service.requests).toHaveLength(2);
    await service.clock.advance(9999);
    expect(service.requests).toHaveLength(2);
    await service.clock.advance(1);
    await Promise.all(calls);

    expect(service.requests).toHaveLength(22);
  });

  test('longer than maxWait fails every call at once, with no attempt', async () => {
    const { service, client } = await refusedOnce({ maxWait: 10_000 });

    const errors = await Promise.all(
      Array.from({ length: 20 }, () => rejection<RateLimitError>(client.carts.retrieve(CART_ID))),
    );

    expect(service.requests).toHaveLength(1);
    for (const error of errors) {
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ attempts: 0, status: 429, retryAfterSeconds: 30, requestId: null });
    }
  });

  test('longer than the deadline fails at once', async () => {
    const { service, client } = await refusedOnce();

    const error = await rejection<CallError>(client.carts.retrieve(CART_ID, { deadline: 29_000 }));

    expect(error).toMatchObject({ name: 'RateLimitError', attempts: 0 });
    expect(service.requests).toHaveLength(1);
  });

  test('tells a write that waits in vain that it was not sent', async () => {
    const service = new TestService(() => tooMany({ 'retry-after': '30' }));
    const client = service.client({ maxWait: 1000 });
    await rejection(client.carts.create({ location_id: LOCATION_ID }));

    const error = await rejection<CallError>(client.carts.create({ location_id: LOCATION_ID }));

    expect(error).toMatchObject({ attempts: 0, outcome: 'not_sent' });
  });

  test('ends for a caller that aborts', async () => {
    const { service, client } = await refusedOnce();
    const stop = new AbortController();
    const call = rejection<CallError>(client.carts.retrieve(CART_ID, { signal: stop.signal }));
    await settle();

    stop.abort(new Error('enough'));

    expect(await call).toMatchObject({ name: 'APIUserAbortError', attempts: 0, cause: new Error('enough') });
    expect(service.requests).toHaveLength(1);
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test('is no matter of other endpoints, nor of other locations', async () => {
    const service = new TestService(({ path }) =>
      path === `/locations/${LOCATION_ID}/menu` ? tooMany({ 'retry-after': '30' }) : { status: 200, body: location },
    );
    const client = service.client();
    await rejection(client.menus.retrieve(LOCATION_ID, { maxRetries: 0 }));

    await client.locations.retrieve(LOCATION_ID);
    await client.menus.retrieve(OTHER_LOCATION_ID);

    expect(service.requests).toHaveLength(3);
  });

  test('of two endpoints of a location that coincide pauses the location, as long as both are paused', async () => {
    const service = new TestService(({ path }) => {
      if (path.endsWith('/menu')) return tooMany({ 'retry-after': '10' });
      if (path.endsWith('/menu/metadata')) return tooMany({ 'retry-after': '11' });
      return { status: 200, body: location };
    });
    const client = service.client({ maxRetries: 0 });
    await rejection(client.menus.retrieve(LOCATION_ID));
    await rejection(client.menus.retrieveMetadata(LOCATION_ID));

    const held = client.locations.retrieve(LOCATION_ID);
    await client.locations.retrieve(OTHER_LOCATION_ID);
    expect(service.requests).toHaveLength(3);
    await service.clock.advance(9999);
    expect(service.requests).toHaveLength(3);
    await service.clock.advance(1);

    await held;
    expect(service.requests).toHaveLength(4);
  });

  test('of an endpoint at two locations pauses the endpoint, and no other', async () => {
    const service = new TestService(({ path }) =>
      path.endsWith('/menu') ? tooMany({ 'retry-after': '10' }) : { status: 200, body: location },
    );
    const client = service.client({ maxRetries: 0, maxWait: 1000 });
    await rejection(client.menus.retrieve(LOCATION_ID));
    await rejection(client.menus.retrieve(OTHER_LOCATION_ID));

    expect(await rejection<CallError>(client.menus.retrieve(CART_ID))).toMatchObject({ status: 429, attempts: 0 });
    await client.locations.retrieve(LOCATION_ID);
  });

  test('of the whole key pauses everyone after the two refusals that show it', async () => {
    const service = new TestService(({ path }) =>
      /menu|inventory/.test(path) ? tooMany({ 'retry-after': '10' }) : { status: 200, body: page([]) },
    );
    const client = service.client({ maxRetries: 0 });
    await rejection(client.menus.retrieve(LOCATION_ID));
    await rejection(client.locations.listInventory(OTHER_LOCATION_ID));

    const held = client.orders.list().then((first) => first.data);
    await service.clock.advance(9999);
    expect(service.requests).toHaveLength(2);
    await service.clock.advance(1);

    expect(await held).toEqual([]);
  });

  test('of two endpoints that were limited at different times pauses no third one', async () => {
    const service = new TestService(({ path }) => {
      if (path.endsWith('/menu')) return tooMany({ 'retry-after': '60' });
      return path.includes('inventory') ? tooMany({ 'retry-after': '30' }) : { status: 200, body: page([]) };
    });
    const client = service.client({ maxRetries: 0 });
    await rejection(client.menus.retrieve(LOCATION_ID));
    await service.clock.advance(5000);
    await rejection(client.locations.listInventory(OTHER_LOCATION_ID));

    expect((await client.orders.list()).data).toEqual([]);
  });

  test('of two endpoints pauses no third one that the service accepted in between', async () => {
    const service = new TestService(({ path }) => {
      if (/menu|inventory/.test(path)) return tooMany({ 'retry-after': '60' });
      return { status: 200, body: page([]) };
    });
    const client = service.client({ maxRetries: 0 });
    await rejection(client.menus.retrieve(LOCATION_ID));
    await service.clock.advance(1);
    await client.orders.list();
    await rejection(client.locations.listInventory(OTHER_LOCATION_ID));

    expect((await client.orders.list()).data).toEqual([]);
  });

  test('is known to another process with the same store', async () => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '30' }), ok));
    const store = memoryStore({ clock: service.clock });
    const one = service.client({ shareToken: 'in_clear', store });
    const two = service.client({ shareToken: 'in_clear', store });
    await two.auth.accessToken();
    await rejection(one.carts.retrieve(CART_ID, { maxRetries: 0 }));
    // The store is read in the background while calls are made, at most once a second.
    await service.clock.advance(1000);
    await two.locations.retrieve(LOCATION_ID);
    await settle();

    const call = two.carts.retrieve(CART_ID);
    await service.clock.advance(28_999);
    expect(service.requests).toHaveLength(2);
    // The mark in the store is gone after 30 seconds; it is looked at once a second.
    await service.clock.advance(1001);
    await call;

    expect(service.requests).toHaveLength(3);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('goes on in this process when the store fails, and the client says so', async () => {
    const service = new TestService(inTurn(tooMany({ 'retry-after': '30' }), ok));
    const down = async (): Promise<never> => {
      throw new Error('store is down');
    };
    const store = { get: down, set: down, setIfAbsent: down, compareAndSet: down, compareAndDelete: down };
    const client = service.client({ shareToken: 'in_clear', store });
    const failures: string[] = [];
    client.on('store', ({ operation }) => failures.push(operation));

    const call = client.carts.retrieve(CART_ID);
    await service.clock.advance(30_000);

    expect((await call).id).toBe(CART_ID);
    expect(failures).toEqual(['read token']);
  });

  test('of the token endpoint is shared by all callers', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = inTurn(tooMany({ 'retry-after': '15' }), token('t1'));
    const client = service.client();

    const calls = Array.from({ length: 20 }, () => client.carts.retrieve(CART_ID));
    await service.clock.advance(14_999);
    expect(service.tokenRequests).toHaveLength(1);
    await service.clock.advance(1);
    await Promise.all(calls);

    expect(service.tokenRequests).toHaveLength(2);
  });
});
