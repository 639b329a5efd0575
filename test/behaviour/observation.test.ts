import { channel, subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { type Logger, ResponseValidationError } from 'online-ordering-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cart, KEY, LOCATION_ID, page, usd } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { inTurn, type Reply } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const ok: Reply = { status: 200, body: cart, headers: { 'x-request-id': 'req-7' } };
/** A cart whose totals are texts. */
const drifted: Reply = { status: 200, body: { ...cart, subtotal: usd(0), total: '12.50', items: 'none', extra: 1 } };

describe('events', () => {
  test('tell of each attempt, its wait, and its end', async () => {
    const service = new TestService(inTurn({ status: 500 }, ok));
    const client = service.client({ random: () => 0.5 });
    await client.auth.accessToken();
    const told: [string, unknown][] = [];
    for (const name of ['request', 'response', 'retry'] as const) client.on(name, (facts) => told.push([name, facts]));

    const call = client.carts.create({ location_id: LOCATION_ID }, { idempotencyKey: KEY });
    await service.clock.advance(250);
    await call;

    const attempt = (number: number, waitMs: number) => ({
      method: 'POST',
      path: '/carts',
      attempt: number,
      waitMs,
      idempotencyKey: KEY,
    });
    expect(told).toEqual([
      ['request', attempt(1, 0)],
      ['response', { ...attempt(1, 0), status: 500, requestId: undefined, durationMs: 0, failure: undefined }],
      ['retry', { method: 'POST', path: '/carts', attempts: 1, waitMs: 250, reason: '500' }],
      ['request', attempt(2, 250)],
      ['response', { ...attempt(2, 250), status: 200, requestId: 'req-7', durationMs: 0, failure: undefined }],
    ]);
  });

  test('tell of an attempt without a response, and why', async () => {
    const service = new TestService(() => ({ fail: 'ECONNRESET', written: true }));
    const client = service.client({ maxRetries: 0 });
    await client.auth.accessToken();
    const failures: unknown[] = [];
    client.on('response', ({ failure, status }) => failures.push([failure, status]));

    await rejection(client.carts.retrieve(CART_ID));

    expect(failures).toEqual([['connection', undefined]]);
  });

  test('tell of a cool-down and of the token', async () => {
    const service = new TestService(inTurn({ status: 429, headers: { 'retry-after': '3' } }, ok));
    const client = service.client();
    const told: unknown[] = [];
    client.on('cooldown', (facts) => told.push(facts));
    client.on('token', (facts) => told.push(facts));

    const call = client.menus.retrieve(LOCATION_ID);
    await service.clock.advance(3000);
    await call;

    expect(told).toEqual([
      { state: 'requested' },
      { state: 'obtained', expiresInSeconds: 86_400 },
      { method: 'GET', path: '/locations/{location_id}/menu', locationId: LOCATION_ID, pauseMs: 3000 },
    ]);
  });

  test('say when the retry budget is used up, and so does the error', async () => {
    const service = new TestService(() => ({ status: 500 }));
    const client = service.client({ maxRetries: 100 });
    const told: unknown[] = [];
    client.on('budget', (facts) => told.push(facts));

    const error = await rejection(client.carts.retrieve(CART_ID));

    expect(error).toMatchObject({ status: 500, attempts: 101, retryBudgetExhausted: false });
    const next = await rejection(client.carts.retrieve(CART_ID));
    expect(next).toMatchObject({ attempts: 1, retryBudgetExhausted: true });
    expect(told).toEqual([{ method: 'GET', path: '/carts/{cart_id}', left: 0 }]);
  });

  test('stop when the listener is removed', async () => {
    const service = new TestService(() => ok);
    const client = service.client();
    let heard = 0;
    const stop = client.on('request', () => {
      heard += 1;
    });
    await client.carts.retrieve(CART_ID);
    stop();
    await client.carts.retrieve(CART_ID);

    expect(heard).toBe(2); // the token request, and the first call
  });
});

describe('a listener or logger that throws disturbs nothing', () => {
  const fail = (): never => {
    throw new Error('listener');
  };
  const reject = (): Promise<never> => Promise.reject(new Error('listener'));

  test.each([
    ['throws', fail],
    ['rejects', reject],
  ])('when it %s', async (_name, bad) => {
    const service = new TestService(inTurn({ status: 429 }, { status: 500 }, drifted));
    const logger: Logger = { error: bad, warn: bad, info: bad, debug: bad };
    const client = service.client({ logger, logLevel: 'debug' });
    for (const name of ['request', 'response', 'retry', 'cooldown', 'token', 'drift'] as const) client.on(name, bad);

    const call = client.carts.retrieve(CART_ID);
    await service.clock.advance(10_000);

    expect((await call).id).toBe(CART_ID);
  });
});

describe('the log', () => {
  const logOf = async (logLevel: 'off' | 'error' | 'warn' | 'info' | 'debug') => {
    const service = new TestService(inTurn({ status: 500 }, drifted, drifted));
    const lines: string[] = [];
    const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
    const logger: Logger = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
    const client = service.client({ logger, logLevel });
    await client.carts.retrieve(CART_ID);
    await client.carts.retrieve(CART_ID);
    return lines;
  };
  const drift =
    'warn online-ordering-sdk: GET /carts/{cart_id}: differs from the contract: items (invalid_type), total (invalid_type)';

  test('says nothing at off and error, and each drift once at warn', async () => {
    expect(await logOf('off')).toEqual([]);
    expect(await logOf('error')).toEqual([]);
    expect(await logOf('warn')).toEqual([drift]);
  });

  test('tells of retries and tokens at info', async () => {
    expect(await logOf('info')).toEqual([
      'info online-ordering-sdk: access token requested',
      'info online-ordering-sdk: access token obtained',
      'info online-ordering-sdk: GET /carts/{cart_id}: 500 after 1 attempt(s), again in 0 ms',
      drift,
    ]);
  });

  test('tells of every attempt at debug', async () => {
    const lines = await logOf('debug');

    expect(lines).toContain('debug online-ordering-sdk: GET /carts/{cart_id} attempt 2');
    expect(lines).toContain('debug online-ordering-sdk: GET /carts/{cart_id} attempt 1: 500 in 0 ms');
  });
});

describe('diagnostics channel', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });
  const listen = (name: string): unknown[] => {
    const messages: unknown[] = [];
    const note = (message: unknown) => void messages.push({ ...(message as object) });
    subscribe(name, note);
    stops.push(() => unsubscribe(name, note));
    return messages;
  };

  test('online-ordering-sdk:request traces each attempt with the facts of its end', async () => {
    const started = listen('tracing:online-ordering-sdk:request:start');
    const ended = listen('tracing:online-ordering-sdk:request:asyncEnd');
    const service = new TestService(() => ok);
    const client = service.client();

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);

    const facts = { method: 'GET', path: '/carts/{cart_id}', attempt: 1, waitMs: 0, idempotencyKey: undefined };
    expect(started).toEqual([
      { method: 'POST', path: '/auth/token', attempt: 1, waitMs: 0, idempotencyKey: undefined },
      facts,
    ]);
    expect(ended[1]).toEqual({
      ...facts,
      status: 200,
      requestId: 'req-7',
      durationMs: 0,
      failure: undefined,
      result: undefined,
    });
  });

  test('a failed attempt is published as an error with the kind of failure only', async () => {
    const failed = listen('tracing:online-ordering-sdk:request:error');
    const service = new TestService(() => ({ fail: 'ECONNREFUSED' }));

    const error = await rejection(service.client({ maxRetries: 0 }).carts.retrieve(CART_ID));

    expect(error.name).toBe('APIConnectionError');
    expect(failed).toMatchObject([{ failure: 'connection', error: new Error('connection') }]);
  });

  test('a store bound to the channel is seen by the attempt', async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const spans = new AsyncLocalStorage<string>();
    const traced = tracingChannel('online-ordering-sdk:request');
    traced.start.bindStore(spans, (message) => `span of ${(message as { path: string }).path}`);
    stops.push(() => void traced.start.unbindStore(spans));
    const seen: unknown[] = [];
    const service = new TestService(() => {
      seen.push(spans.getStore());
      return ok;
    });

    await service.client().carts.retrieve(CART_ID);

    expect(seen).toEqual(['span of /carts/{cart_id}']);
  });

  test('online-ordering-sdk:drift gets places and kinds, and no values', async () => {
    const messages = listen('online-ordering-sdk:drift');
    const service = new TestService(() => drifted);

    await service.client().carts.retrieve(CART_ID);

    expect(channel('online-ordering-sdk:drift').hasSubscribers).toBe(true);
    expect(messages).toEqual([
      {
        method: 'GET',
        path: '/carts/{cart_id}',
        requestId: undefined,
        issues: [
          { path: 'items', kind: 'invalid_type' },
          { path: 'total', kind: 'invalid_type' },
        ],
      },
    ]);
  });
});

describe('validation', () => {
  test('report gives the data as received', async () => {
    const service = new TestService(() => drifted);

    const found: unknown = await service.client().carts.retrieve(CART_ID);

    expect(found).toEqual(drifted.body);
  });

  test('strict throws with the data, and never sends again', async () => {
    const service = new TestService(() => drifted);

    const error = await rejection<ResponseValidationError>(
      service.client({ validation: 'strict' }).carts.create({ location_id: LOCATION_ID }),
    );

    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ reason: 'contract', status: 200, outcome: 'applied', attempts: 1 });
    expect(error.issues.map(({ path }) => path)).toEqual(['items', 'total']);
    expect(error.data).toEqual(drifted.body);
    expect(service.requests).toHaveLength(1);
  });

  test('off does not look', async () => {
    const service = new TestService(() => drifted);
    const client = service.client({ validation: 'off' });
    let drifts = 0;
    client.on('drift', () => {
      drifts += 1;
    });

    await client.carts.retrieve(CART_ID);

    expect(drifts).toBe(0);
  });

  test.each(['report', 'strict'] as const)(
    '%s keeps unknown fields and unknown values of open enumerations',
    async (validation) => {
      const service = new TestService(() => ({
        status: 200,
        body: { ...cart, status: 'FROZEN', later: { a: 1 } },
      }));

      const found = await service.client({ validation }).carts.retrieve(CART_ID);

      expect(found).toMatchObject({ status: 'FROZEN', later: { a: 1 } });
    },
  );

  test('tells a difference that many records of a page share once for its place', async () => {
    const records = Array.from({ length: 100 }, () => ({ id: 7 }));
    const service = new TestService(() => ({ status: 200, body: page(records) }));
    const client = service.client();
    const issues: string[][] = [];
    client.on('drift', (facts) => issues.push(facts.issues.map(({ path }) => path)));

    await client.locations.list();
    await client.locations.list();
    await settle();

    expect(issues).toEqual([
      ['data[0].id', 'data[0].name', 'data[0].address', 'data[0].timezone', 'data[0].online_ordering_enabled'],
    ]);
    expect(client.drift()[0]).toMatchObject({ operation: 'GET /locations', path: 'data[].id', kind: 'invalid_type' });
  });
});
