import { type CallError, memoryStore, type OnlineOrderingOptions, type Store } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { CART_ID, cart, envelope, LOCATION_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { type Reply, token } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const HOUR = 3_600_000;
const ok: Reply = { status: 200, body: cart };
const never = (): Promise<never> => new Promise(() => {});
const OPERATIONS = ['get', 'set', 'setIfAbsent', 'compareAndSet', 'compareAndDelete'] as const;
const frozen: Store = { get: never, set: never, setIfAbsent: never, compareAndSet: never, compareAndDelete: never };

/** A store of which chosen operations never settle, while it is frozen. */
function freezable(service: TestService, operations: readonly (keyof Store)[] = OPERATIONS) {
  const store = memoryStore({ clock: service.clock });
  const state = { isFrozen: false };
  const given = Object.fromEntries(
    OPERATIONS.map((name) => {
      const work = store[name] as (...values: unknown[]) => Promise<unknown>;
      return [
        name,
        (...values: unknown[]) => (state.isFrozen && operations.includes(name) ? never() : work(...values)),
      ];
    }),
  );
  return { store: given as unknown as Store, state };
}

describe('a store that never responds', () => {
  test('costs a call two seconds at most, then the token endpoint is asked', async () => {
    const service = new TestService(() => ok);
    const client = service.client({ shareToken: 'in_clear', store: frozen });
    const told: string[] = [];
    client.on('store', ({ operation, error }) => told.push(`${operation}: ${(error as Error).name}`));

    const call = client.carts.retrieve(CART_ID);
    await service.clock.advance(2000);
    expect((await call).id).toBe(CART_ID);
    await service.clock.advance(10_000);

    expect(service.tokenRequests).toHaveLength(1);
    expect(told).toEqual(['read token: TimeLimitError']);
  });

  test('holds a call no longer than its own time-out', async () => {
    const service = new TestService(() => ok);
    const call = rejection<CallError>(
      service
        .client({ shareToken: 'in_clear', store: frozen })
        .carts.retrieve(CART_ID, { timeout: 500, maxRetries: 0 }),
    );

    await service.clock.advance(500);

    expect(await call).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test.each(OPERATIONS)('at %s alone holds up no call', async (operation) => {
    const service = new TestService(() => ok);
    const { store, state } = freezable(service, [operation]);
    state.isFrozen = true;
    const call = service.client({ shareToken: 'in_clear', store }).carts.retrieve(CART_ID);

    await service.clock.advance(4000);

    expect((await call).id).toBe(CART_ID);
  });

  test.each(OPERATIONS)(
    'at %s during the background renewal leaves the client as if that had failed',
    async (operation) => {
      const service = new TestService(() => ok);
      const { store, state } = freezable(service, [operation]);
      const client = service.client({ shareToken: 'in_clear', store });
      await client.carts.retrieve(CART_ID);
      await service.clock.advance(23.5 * HOUR);
      state.isFrozen = true;
      await client.carts.retrieve(CART_ID);
      await service.clock.advance(10_000);
      state.isFrozen = false;
      await service.clock.advance(HOUR);

      const call = client.carts.retrieve(CART_ID);
      await service.clock.advance(4000);

      expect((await call).id).toBe(CART_ID);
    },
  );

  test('that responds again shares cool-downs again', async () => {
    const service = new TestService(() => ok);
    const { store, state } = freezable(service);
    const one = service.client({ shareToken: 'in_clear', store });
    const two = service.client({ shareToken: 'in_clear', store });
    await one.carts.retrieve(CART_ID);
    await two.carts.retrieve(CART_ID);
    state.isFrozen = true;
    await service.clock.advance(1000);
    await two.carts.retrieve(CART_ID);
    await service.clock.advance(10_000);
    state.isFrozen = false;

    service.handler = () => ({
      status: 429,
      headers: { 'retry-after': '30' },
      body: envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'),
    });
    await rejection(one.carts.retrieve(CART_ID, { maxRetries: 0 }));
    service.handler = () => ok;
    await service.clock.advance(1000);
    await two.locations.retrieve(LOCATION_ID);
    await settle();
    const before = service.requests.length;
    const held = two.carts.retrieve(CART_ID);
    await service.clock.advance(1000);

    expect(service.requests).toHaveLength(before);
    await service.clock.advance(40_000);
    expect((await held).id).toBe(CART_ID);
  });

  test('late responses change nothing', async () => {
    const service = new TestService(() => ok);
    const answers: (() => void)[] = [];
    const late: Store = {
      ...frozen,
      get: () => new Promise((_resolve, reject) => answers.push(() => reject(new Error('late')))),
    };
    const client = service.client({ shareToken: 'in_clear', store: late });
    const told: string[] = [];
    client.on('store', ({ operation }) => operation === 'read token' && told.push(operation));
    const call = client.carts.retrieve(CART_ID);
    await service.clock.advance(2000);
    await call;

    for (const answer of answers) answer();
    await settle();

    expect(told).toEqual(['read token']);
  });
});

describe('a secret function that never responds', () => {
  test('holds a call no longer than its own time-out', async () => {
    const service = new TestService(() => ok);
    const call = rejection<CallError>(
      service.client({ clientSecret: never }).carts.retrieve(CART_ID, { timeout: 500, maxRetries: 0 }),
    );

    await service.clock.advance(500);

    expect(await call).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
  });

  test('is asked again at the next call, once its time is over', async () => {
    const service = new TestService(() => ok);
    const secrets: (() => Promise<string>)[] = [never, async () => 'secret'];
    const client = service.client({ timeout: 1000, clientSecret: () => (secrets.shift() ?? never)() });
    const first = rejection<CallError>(client.carts.retrieve(CART_ID));
    await service.clock.advance(1000);

    expect(await first).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  });

  test('during the background renewal leaves the client as if that had failed', async () => {
    const service = new TestService(() => ok);
    const secrets: (() => Promise<string>)[] = [async () => 'secret', never];
    const client = service.client({ clientSecret: () => (secrets.shift() ?? (async () => 'secret'))() });
    const states: string[] = [];
    client.on('token', ({ state }) => states.push(state));
    await client.carts.retrieve(CART_ID);
    await service.clock.advance(23.5 * HOUR);
    await client.carts.retrieve(CART_ID);
    await service.clock.advance(30_000);
    expect(states.at(-1)).toBe('renewal_failed');
    await service.clock.advance(HOUR);

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  });
});

describe('whoever listens', () => {
  const hanging: OnlineOrderingOptions = {
    logger: { error: never, warn: never, info: never, debug: never },
    logLevel: 'debug',
  };

  test('holds up no call, neither a listener nor a logger that never settles', async () => {
    const service = new TestService(() => ok);
    const client = service.client(hanging);
    for (const name of ['request', 'response', 'token', 'retry'] as const) client.on(name, never);

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  });
});

describe('waits for another caller', () => {
  const refusedToken = (seconds: number): Reply => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: envelope('RATE_LIMIT_ERROR', 'Too many token requests'),
  });

  test('a token endpoint that stalls holds each call for its own time-out', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const client = service.client({ timeout: 3000 });
    const patient = rejection(client.carts.retrieve(CART_ID));
    const hasty = rejection<CallError>(client.carts.retrieve(CART_ID, { timeout: 500, maxRetries: 0 }));
    const view = rejection<CallError>(client.withOptions({ timeout: 700, maxRetries: 1 }).carts.retrieve(CART_ID));

    await service.clock.advance(500);
    expect(await hasty).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
    await service.clock.advance(900);
    expect(await view).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
    await service.clock.advance(30_000);
    expect((await patient).name).toBe('TokenUnavailableError');
  });

  test('a paused token endpoint fails a call at once that cannot wait so long, and says how long', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = (_request, index) => (index === 0 ? refusedToken(20) : token('t1'));
    const client = service.client();
    const patient = client.carts.retrieve(CART_ID);
    const early = rejection<CallError>(client.carts.retrieve(CART_ID, { deadline: 3000 }));
    await settle();
    const late = rejection<CallError>(client.carts.retrieve(CART_ID, { deadline: 3000 }));
    const view = rejection<CallError>(client.withOptions({ maxWait: 1000 }).carts.retrieve(CART_ID));
    const single = rejection<CallError>(client.carts.retrieve(CART_ID, { maxRetries: 0, maxWait: 1 } as object));
    await settle();

    expect(await early).toMatchObject({ name: 'RateLimitError', attempts: 0, retryAfterSeconds: 20 });
    expect(await late).toMatchObject({ name: 'RateLimitError', attempts: 0, retryAfterSeconds: 20 });
    expect(await view).toMatchObject({ name: 'RateLimitError', attempts: 0, retryAfterSeconds: 20 });
    expect((await single).name).toBe('RequestValidationError');
    await service.clock.advance(20_000);
    expect((await patient).id).toBe(CART_ID);
  });

  test('a call with maxRetries 0 waits for no second attempt of the token endpoint', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ status: 503, headers: { 'retry-after': '5' } });
    const client = service.client();
    const patient = rejection(client.carts.retrieve(CART_ID));
    const single = rejection<CallError>(client.carts.retrieve(CART_ID, { maxRetries: 0 }));
    await settle();

    expect(await single).toMatchObject({ name: 'TokenUnavailableError', retryAfterSeconds: 5 });
    await service.clock.advance(60_000);
    expect((await patient).name).toBe('TokenUnavailableError');
  });

  test('the lease of a process that died holds a call no longer than its own time-out', async () => {
    const service = new TestService(() => ok);
    const store = memoryStore({ clock: service.clock });
    const setIfAbsent: Store['setIfAbsent'] = async (key, ...rest) =>
      !key.endsWith(':lease') && store.setIfAbsent(key, ...rest);
    const client = service.client({ shareToken: 'in_clear', store: { ...store, setIfAbsent } });

    const hasty = rejection<CallError>(client.carts.retrieve(CART_ID, { timeout: 1000, maxRetries: 0 }));
    await service.clock.advance(1000);

    expect(await hasty).toMatchObject({ name: 'TokenUnavailableError', attempts: 0 });
  });

  test('a store that refuses every lease is believed for a minute, then the process asks for a token of its own', async () => {
    const service = new TestService(() => ok);
    const store = memoryStore({ clock: service.clock });
    const client = service.client({ shareToken: 'in_clear', store: { ...store, setIfAbsent: async () => false } });

    const patient = client.carts.retrieve(CART_ID);
    await service.clock.advance(59_000);
    expect(service.requests).toHaveLength(0);
    await service.clock.advance(2000);

    expect(await patient).toEqual(cart);
    expect(service.requests).toHaveLength(1);
  });

  test('a store that refuses every write of a name has nothing sent under it, and the call ends', async () => {
    const service = new TestService(() => ok);
    const store = memoryStore({ clock: service.clock });
    const client = service.client({ store: { ...store, setIfAbsent: async () => false } });

    let hasEnded = false;
    const named = rejection<CallError>(
      client.carts.create({ location_id: LOCATION_ID }, { operation: 'basket-1' }),
    ).finally(() => {
      hasEnded = true;
    });
    // It waits for minutes, and each look at the name takes some turns of the event loop.
    while (!hasEnded) await service.clock.advance(1000);

    expect(await named).toMatchObject({ name: 'NamedOperationError' });
    expect(service.requests).toHaveLength(0);
  });
});
