import {
  APIConnectionTimeoutError,
  APIUserAbortError,
  type CallError,
  DeadlineExceededError,
  InternalServerError,
} from 'online-ordering-sdk';
import { Agent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, LOCATION_ID, ORDER_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { ListeningService } from '../support/service/listening-service.js';
import { inTurn, type Reply, token } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const ok: Reply = { status: 200, body: cart };

describe('an abort', () => {
  test('before the call sends nothing', async () => {
    const service = new TestService(() => ok);
    const reason = new Error('the customer left');

    const error = await rejection<APIUserAbortError>(
      service.client().carts.create({ location_id: LOCATION_ID }, { signal: AbortSignal.abort(reason) }),
    );

    expect(error).toBeInstanceOf(APIUserAbortError);
    expect(error).toMatchObject({ attempts: 0, outcome: 'not_sent', cause: reason });
    expect(service.tokenRequests).toHaveLength(0);
  });

  test('in a wait between attempts ends the call at once', async () => {
    const service = new TestService(() => ({ status: 500 }));
    const stop = new AbortController();
    const call = rejection<CallError>(
      service.client({ random: () => 0.9 }).carts.create({ location_id: LOCATION_ID }, { signal: stop.signal }),
    );
    await settle();
    expect(service.clock.foregroundTimers).toBe(1);

    stop.abort('enough');

    const error = await call;
    expect(error).toBeInstanceOf(APIUserAbortError);
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown', cause: 'enough' });
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test('in an attempt ends the call at once, and says that a write may have been executed', async () => {
    const service = new TestService(() => ({ hold: true }));
    const stop = new AbortController();
    const call = rejection<CallError>(
      service.client().orders.payments.create(ORDER_ID, cardPayment, { signal: stop.signal }),
    );
    await settle();

    stop.abort();

    expect(await call).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(service.requests).toHaveLength(1);
  });

  test('just before an attempt, by a listener of it, sends nothing', async () => {
    const service = new TestService(() => ok);
    const client = service.client();
    await client.auth.accessToken();
    const stop = new AbortController();
    client.on('request', () => stop.abort());

    const error = await rejection<CallError>(
      client.orders.payments.create(ORDER_ID, cardPayment, { signal: stop.signal }),
    );

    expect(error).toBeInstanceOf(APIUserAbortError);
    expect(error.outcome).toBe('not_sent');
    expect(service.requests).toHaveLength(0);
  });

  test('of one caller does not end the token request that others wait for', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const client = service.client();
    const stop = new AbortController();
    const aborted = rejection(client.carts.retrieve(CART_ID, { signal: stop.signal }));
    const other = client.carts.retrieve(CART_ID);
    await settle();

    stop.abort();
    expect(await aborted).toBeInstanceOf(APIUserAbortError);
    service.held[0]?.answer(token('t1'));

    expect((await other).id).toBe(CART_ID);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('leaves no listener on a signal that outlives the call', async () => {
    const service = new TestService(inTurn({ status: 500 }, ok));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    }) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    }) as typeof remove;
    const call = service.client({ random: () => 0.5 }).carts.retrieve(CART_ID, { signal });
    await service.clock.advance(10_000);
    await call;

    expect(listeners).toBe(0);
  });

  test('settles within 20 ms on a real socket', async () => {
    const server = await ListeningService.start(() => {});
    const client = server.client();
    await client.auth.accessToken();
    const durations: number[] = [];

    for (let round = 0; round < 5; round += 1) {
      const stop = new AbortController();
      const call = rejection(client.carts.retrieve(CART_ID, { signal: stop.signal }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      const abortedAt = performance.now();
      stop.abort();
      await call;
      durations.push(performance.now() - abortedAt);
    }

    // The best of a few, since a busy machine may pause any of them.
    expect(Math.min(...durations)).toBeLessThan(20);
    await server.stop();
  });
});

describe('timeout', () => {
  test('counts for one attempt, and the next one has its own', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection<CallError>(service.client({ timeout: 1000, maxRetries: 2 }).carts.retrieve(CART_ID));

    await service.clock.advance(2999);
    expect(service.requests).toHaveLength(3);
    await service.clock.advance(1);

    const error = await call;
    expect(error).toBeInstanceOf(APIConnectionTimeoutError);
    expect(error.message).toBe(
      'GET /carts/{cart_id} got no response within 1000 ms (option "timeout"), after 3 attempts.',
    );
  });

  test('of a call overrides that of the client', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection(service.client({ maxRetries: 0 }).carts.retrieve(CART_ID, { timeout: 5 }));

    await service.clock.advance(5);

    expect(await call).toBeInstanceOf(APIConnectionTimeoutError);
  });

  test('of many attempts at once is one timer, which keeps no process alive', async () => {
    const service = new TestService(() => ({ hold: true }));
    const client = service.client();
    await client.auth.accessToken();

    for (let call = 0; call < 50; call += 1) client.carts.retrieve(CART_ID).catch(() => {});
    await settle();

    expect(service.clock.backgroundTimers).toBe(1);
    expect(service.clock.foregroundTimers).toBe(0);
  });
});

describe('deadline', () => {
  test('ends a call within an attempt', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection<CallError>(service.client().carts.create({ location_id: LOCATION_ID }, { deadline: 700 }));

    await service.clock.advance(700);

    const error = await call;
    expect(error).toBeInstanceOf(DeadlineExceededError);
    expect(error).toMatchObject({ attempts: 1, outcome: 'unknown' });
  });

  test('ends a call that waits for the token, and not the token request', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const client = service.client();
    const call = rejection<CallError>(client.carts.create({ location_id: LOCATION_ID }, { deadline: 700 }));

    await service.clock.advance(700);
    expect(await call).toBeInstanceOf(DeadlineExceededError);
    service.held[0]?.answer(token('t1'));

    expect(await client.auth.accessToken()).toBe('t1');
  });

  test('that a wait does not fit into throws the failure at hand at once', async () => {
    const service = new TestService(() => ({ status: 503, headers: { 'retry-after': '10' } }));

    const error = await rejection<InternalServerError>(service.client().carts.retrieve(CART_ID, { deadline: 9000 }));

    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 503, attempts: 1, retryAfterSeconds: 10 });
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test('counts over all attempts', async () => {
    const service = new TestService(() => ({ hold: true }));
    const call = rejection<CallError>(
      service.client({ timeout: 400, deadline: 1000, maxRetries: 10 }).carts.retrieve(CART_ID),
    );

    await service.clock.advance(1000);

    expect(await call).toMatchObject({ name: 'DeadlineExceededError', attempts: 3 });
  });
});

describe('close', () => {
  let server: ListeningService | undefined;
  afterEach(async () => server?.stop());

  test('lets a call under way end, may be repeated, and refuses later calls', async () => {
    server = await ListeningService.start((exchange) => void setTimeout(() => exchange.reply(200, cart), 50));
    const client = server.client({ maxRetries: 0 });
    await client.auth.accessToken();
    const call = client.carts.retrieve(CART_ID);
    await new Promise((resolve) => setTimeout(resolve, 10));

    await client.close();
    await client.close();

    expect((await call).id).toBe(CART_ID);
    const error = await rejection<CallError>(client.carts.create({ location_id: LOCATION_ID }));
    expect(error).toMatchObject({ name: 'ClientClosedError', outcome: 'not_sent', attempts: 0 });
  });

  test('before the first call is no failure', async () => {
    const service = new TestService(() => ok);
    await using client = service.client();

    await client.close();
  });

  test('keeps the time-out of calls under way', async () => {
    const service = new TestService(() => ({ hold: true }));
    const client = service.client({ timeout: 1000, maxRetries: 0 });
    await client.auth.accessToken();
    const call = rejection(client.carts.retrieve(CART_ID));
    await settle();

    const closed = client.close();
    await service.clock.advance(1000);
    await closed;

    expect(await call).toBeInstanceOf(APIConnectionTimeoutError);
  });

  test.each([
    ['fetch', true],
    ['a dispatcher', false],
  ])('over %s waits for calls under way, and refuses later ones', async (_name, overFetch) => {
    let answer = (): void => {};
    server = await ListeningService.start((exchange) => {
      answer = () => exchange.reply(200, cart);
    });
    const agent = new Agent();
    const client = server.client(overFetch ? { fetch: globalThis.fetch } : { dispatcher: agent });
    await client.auth.accessToken();
    const call = client.carts.retrieve(CART_ID);
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    let isClosed = false;

    const closed = client.close().then(() => {
      isClosed = true;
    });
    await settle();

    expect(isClosed).toBe(false);
    expect((await rejection(client.carts.retrieve(CART_ID))).name).toBe('ClientClosedError');
    answer();
    expect((await call).id).toBe(CART_ID);
    await closed;
    expect(agent.closed).toBe(false);
    await agent.close();
  });

  test('ends calls that wait for an attempt at once, and says what is known of them', async () => {
    const replies: Reply[] = [{ status: 429, headers: { 'retry-after': '60' } }, { status: 503 }];
    const service = new TestService((_request, index) => replies[index] ?? ok);
    const client = service.client({ random: () => 0.9 });
    await client.auth.accessToken();
    const refused = rejection<CallError>(client.carts.update(CART_ID, { customer_id: null }));
    const lost = rejection<CallError>(client.carts.create({ location_id: LOCATION_ID }));
    await settle();

    await client.close();

    expect(await refused).toMatchObject({ name: 'ClientClosedError', outcome: 'not_sent', attempts: 1 });
    expect(await lost).toMatchObject({ name: 'ClientClosedError', outcome: 'unknown', attempts: 1 });
    expect(service.requests).toHaveLength(2);
    expect(service.clock.foregroundTimers).toBe(0);
  });

  test('of a client made by withOptions leaves the sockets of the others alone', async () => {
    server = await ListeningService.start((exchange) => exchange.reply(200, cart));
    const client = server.client();

    await client.withOptions({ timeout: 100 }).close();

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  });
});
