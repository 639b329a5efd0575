import { type CallError, CallPromise, OnlineOrdering, RequestValidationError } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import {
  CART_ID,
  cardPayment,
  cart,
  KEY,
  LOCATION_ID,
  ORDER_ID,
  OTHER_KEY,
  payment,
} from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { inTurn, type Reply } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';

const ok: Reply = { status: 200, body: cart, headers: { 'x-request-id': 'req-7', 'x-rate': '9' } };
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const item = {
  menu_item_id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c03',
  quantity: 1,
  modifier_selections: [],
};

interface Endpoint {
  readonly call: (client: OnlineOrdering) => PromiseLike<unknown>;
  readonly sends: string;
  readonly body?: unknown;
  readonly keyed: boolean;
  readonly empty?: boolean;
}

/** Every endpoint of the interface document. */
const ENDPOINTS: readonly Endpoint[] = [
  { call: (c) => c.locations.list(), sends: 'GET /locations', keyed: false },
  { call: (c) => c.locations.retrieve('l'), sends: 'GET /locations/l', keyed: false },
  {
    call: (c) => c.locations.listInventory('l', { limit: 500 }),
    sends: 'GET /locations/l/inventory?limit=500',
    keyed: false,
  },
  { call: (c) => c.menus.retrieve('l'), sends: 'GET /locations/l/menu', keyed: false },
  { call: (c) => c.menus.retrieveMetadata('l'), sends: 'GET /locations/l/menu/metadata', keyed: false },
  {
    call: (c) => c.carts.create({ location_id: LOCATION_ID, customer_id: 'C-1' }),
    sends: 'POST /carts',
    body: { location_id: LOCATION_ID, customer_id: 'C-1' },
    keyed: true,
  },
  { call: (c) => c.carts.retrieve('c'), sends: 'GET /carts/c', keyed: false },
  {
    call: (c) => c.carts.update('c', { customer_id: null }),
    sends: 'PATCH /carts/c',
    body: { customer_id: null },
    keyed: true,
  },
  { call: (c) => c.carts.abandon('c'), sends: 'DELETE /carts/c', keyed: true, empty: true },
  { call: (c) => c.carts.items.add('c', item), sends: 'POST /carts/c/items', body: item, keyed: true },
  { call: (c) => c.carts.items.replace('c', 'i', item), sends: 'PUT /carts/c/items/i', body: item, keyed: true },
  { call: (c) => c.carts.items.remove('c', 'i'), sends: 'DELETE /carts/c/items/i', keyed: true, empty: true },
  { call: (c) => c.carts.calculate('c'), sends: 'POST /carts/c/calculate', keyed: false },
  {
    call: (c) => c.carts.setHandoff('c', { mode: 'PICKUP', pickup_time: null }),
    sends: 'PUT /carts/c/handoff',
    body: { mode: 'PICKUP', pickup_time: null },
    keyed: true,
  },
  {
    call: (c) => c.carts.checkout('c', { expected_total: 1250 }),
    sends: 'POST /carts/c/checkout',
    body: { expected_total: 1250 },
    keyed: true,
  },
  {
    call: (c) => c.carts.promoCodes.apply('c', 'SUMMER25'),
    sends: 'POST /carts/c/promo-codes',
    body: { code: 'SUMMER25' },
    keyed: true,
  },
  { call: (c) => c.carts.promoCodes.list('c'), sends: 'GET /carts/c/promo-codes', keyed: false },
  {
    call: (c) => c.carts.promoCodes.validate('c', 'A&B'),
    sends: 'GET /carts/c/promo-codes/validate?code=A%26B',
    keyed: false,
  },
  {
    call: (c) => c.carts.promoCodes.remove('c', 'A/B'),
    sends: 'DELETE /carts/c/promo-codes/A%2FB',
    keyed: true,
    empty: true,
  },
  { call: (c) => c.orders.list({ customer_id: 'C 1' }), sends: 'GET /orders?customer_id=C%201', keyed: false },
  { call: (c) => c.orders.retrieve('o'), sends: 'GET /orders/o', keyed: false },
  {
    call: (c) => c.orders.cancel('o', { reason: 'late' }),
    sends: 'POST /orders/o/cancel',
    body: { reason: 'late' },
    keyed: true,
  },
  { call: (c) => c.orders.cancel('o'), sends: 'POST /orders/o/cancel', keyed: true },
  {
    call: (c) => c.orders.payments.create('o', cardPayment),
    sends: 'POST /orders/o/payments',
    body: cardPayment,
    keyed: true,
  },
  {
    call: (c) => c.orders.refunds.create('o', { amount: 100 }),
    sends: 'POST /orders/o/refunds',
    body: { amount: 100 },
    keyed: true,
  },
  {
    call: (c) => c.webhookSubscriptions.create({ url: 'https://p.example.com/h', event_types: ['order.created'] }),
    sends: 'POST /webhooks',
    body: { url: 'https://p.example.com/h', event_types: ['order.created'] },
    keyed: true,
  },
  { call: (c) => c.webhookSubscriptions.list(), sends: 'GET /webhooks', keyed: false },
  { call: (c) => c.webhookSubscriptions.delete('w'), sends: 'DELETE /webhooks/w', keyed: true, empty: true },
];

/** Menus and lists: what is large. */
const COMPRESSED = /^GET \/(locations(\/l\/(inventory.*|menu))?|orders\?.*|webhooks)$/;

describe.each(ENDPOINTS)('$sends', ({ call, sends, body, keyed, empty }) => {
  test('is sent as the interface document says', async () => {
    const service = new TestService(() => ({ status: 200, body: { data: [], ...payment } }));
    await call(service.client());

    const [request] = service.requests;
    expect(`${request?.method} ${request?.path}`).toBe(sends);
    expect(request?.body ? JSON.parse(request.body) : undefined).toEqual(body);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      accept: 'application/json',
      'accept-encoding': COMPRESSED.test(sends) ? 'gzip, br' : 'identity',
    });
    expect(request?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    if (keyed) expect(request?.headers['idempotency-key']).toMatch(UUID_V4);
    else expect(request?.headers['idempotency-key']).toBeUndefined();
  });

  test(`${empty ? 'accepts' : 'does not accept'} a response without a body`, async () => {
    const service = new TestService(() => ({ status: 204 }));

    const outcome = await Promise.resolve(call(service.client({ maxRetries: 0 }))).then(
      (value) => value,
      (error: Error & { reason?: string }) => `${error.name} ${error.reason}`,
    );

    const unknownMoney = sends.endsWith('/payments') || sends.endsWith('/refunds');
    if (unknownMoney)
      expect(String(outcome)).toMatch(/^(ResponseValidationError empty|OutcomeUnknownError undefined)$/);
    else expect(outcome).toBe(empty ? undefined : 'ResponseValidationError empty');
  });
});

test.each([200, 202])('a deletion is done with status %i, whatever its body', async (status) => {
  const service = new TestService(inTurn({ status, body: 'deleted' }, { status, body: { ok: true } }));
  const client = service.client();

  expect(await client.carts.abandon(CART_ID)).toBeUndefined();
  await client.carts.abandon(CART_ID);
  expect(service.requests).toHaveLength(2);
});

describe('withResponse', () => {
  test('gives data, status, headers, request id, attempts and key', async () => {
    const service = new TestService(inTurn({ status: 500 }, { ...ok, status: 201 }));

    const result = await service
      .client()
      .carts.create({ location_id: LOCATION_ID }, { idempotencyKey: KEY })
      .withResponse();

    expect(result).toEqual({
      data: cart,
      status: 201,
      headers: { 'x-request-id': 'req-7', 'x-rate': '9' },
      requestId: 'req-7',
      attempts: 2,
      idempotencyKey: KEY,
    });
  });

  test('and the promise itself are one request', async () => {
    const service = new TestService(() => ok);
    const call = service.client().carts.retrieve(CART_ID);

    const [data, result] = await Promise.all([call, call.withResponse()]);

    expect(result.data).toBe(data);
    expect(service.requests).toHaveLength(1);
  });

  test('a call is a promise in every way of using one', async () => {
    const service = new TestService(inTurn(ok, ok, { status: 404 }, { status: 404 }));
    const client = service.client();
    const call = client.carts.retrieve(CART_ID);
    expect(call).toBeInstanceOf(Promise);
    expect(call).toBeInstanceOf(CallPromise);
    let ended = 0;

    expect((await Promise.all([call]))[0]?.id).toBe(CART_ID);
    expect((await Promise.race([call])).id).toBe(CART_ID);
    expect(await call.then(({ status }) => status)).toBe('ACTIVE');
    await client.carts.retrieve(CART_ID).finally(() => {
      ended += 1;
    });
    const failed = client.carts.retrieve(CART_ID).finally(() => {
      ended += 1;
    });
    expect((await rejection(failed)).name).toBe('NotFoundError');
    expect(await client.carts.retrieve(CART_ID).catch(() => 'caught')).toBe('caught');
    expect(ended).toBe(2);
  });

  test('reads the request id from the header that the client names', async () => {
    const service = new TestService(() => ({ ...ok, headers: { 'x-trace-id': 'abc' } }));

    const { requestId } = await service
      .client({ requestIdHeader: 'X-Trace-Id' })
      .carts.retrieve(CART_ID)
      .withResponse();

    expect(requestId).toBe('abc');
  });
});

describe('idempotency keys', () => {
  const create = (client: OnlineOrdering, idempotencyKey?: string) =>
    client.carts.create({ location_id: LOCATION_ID }, idempotencyKey === undefined ? {} : { idempotencyKey });
  const keys = (service: TestService) => service.requests.map(({ headers }) => headers['idempotency-key']);

  test('a thousand writes share none', async () => {
    const service = new TestService(() => ok);
    const client = service.client({ random: () => 0.5 });

    await Promise.all(Array.from({ length: 1000 }, () => create(client)));

    expect(new Set(keys(service)).size).toBe(1000);
    for (const key of keys(service)) expect(key).toMatch(UUID_V4);
  });

  test('all attempts of an operation carry one', async () => {
    const service = new TestService(
      inTurn({ status: 500 }, { fail: 'ECONNRESET', written: true }, { status: 502 }, ok),
    );

    await create(service.client());

    expect(new Set(keys(service)).size).toBe(1);
    expect(service.requests).toHaveLength(4);
  });

  test('one that the caller gives is sent, for the same request as often as wanted', async () => {
    const service = new TestService(() => ok);
    const client = service.client();

    await create(client, KEY);
    await create(client, KEY);

    expect(keys(service)).toEqual([KEY, KEY]);
  });

  test.each([
    ['another body', (c: OnlineOrdering) => c.carts.create({ location_id: CART_ID }, { idempotencyKey: KEY })],
    ['another path', (c: OnlineOrdering) => c.carts.abandon(CART_ID, { idempotencyKey: KEY })],
  ])('one that was used with %s is refused before sending', async (_name, second) => {
    const service = new TestService(() => ok);
    const client = service.client();
    await create(client, KEY);

    const error = await rejection<RequestValidationError>(second(client));

    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error).toMatchObject({ field: 'Idempotency-Key', outcome: 'not_sent', idempotencyKey: KEY });
    expect(service.requests).toHaveLength(1);
  });

  test('one that is older than a day less a margin is not replayed', async () => {
    const service = new TestService(() => ok);
    const client = service.client();
    await create(client, KEY);
    await service.clock.advance(24 * 3_600_000 - 15 * 60_000 - 1);
    await create(client, KEY);
    await service.clock.advance(1);

    const error = await rejection(create(client, KEY));

    expect(error.message).toContain('was first used more than 23 h 45 min ago');
    expect(service.requests).toHaveLength(2);
  });

  test.each(['', 'abc', 'c1f5a7a0-5b1e-1c0e-8d57-1a4c9e3b2f10', `${KEY} `, `{${KEY}}`, 7, null])(
    '%j is no UUID v4 and is refused',
    async (key) => {
      const service = new TestService(() => ok);

      const error = await rejection(create(service.client(), key as string));

      expect(error).toMatchObject({ name: 'RequestValidationError', field: 'Idempotency-Key' });
      expect(service.tokenRequests).toHaveLength(0);
    },
  );

  test('one given to a read is neither sent nor told as its key', async () => {
    const service = new TestService(() => ok);

    const result = await service
      .client()
      .carts.retrieve(CART_ID, { idempotencyKey: OTHER_KEY } as object)
      .withResponse();

    expect(keys(service)).toEqual([undefined]);
    expect(result.idempotencyKey).toBeUndefined();
  });
});

describe('options of a call', () => {
  test.each([
    [{ timeout: 0 }, 'timeout'],
    [{ timeout: -1 }, 'timeout'],
    [{ timeout: '5s' }, 'timeout'],
    [{ timeout: Number.NaN }, 'timeout'],
    [{ deadline: 0 }, 'deadline'],
    [{ maxRetries: -1 }, 'maxRetries'],
    [{ maxRetries: 1.5 }, 'maxRetries'],
    [{ signal: {} }, 'signal'],
    [{ retries: 2 }, 'retries'],
    [{ headers: { Authorization: 'Bearer x' } }, 'Authorization'],
    [{ headers: { 'IDEMPOTENCY-KEY': 'x' } }, 'IDEMPOTENCY-KEY'],
    [{ headers: { Host: 'evil' } }, 'Host'],
    [{ headers: { Expect: '100-continue' } }, 'Expect'],
    [{ headers: { 'x-a': 'b\r\nx-c: d' } }, 'x-a'],
    [{ headers: { 'x-a': 7 } }, 'x-a'],
    [{ headers: { 'x a': 'b' } }, 'x a'],
    [{ headers: { 'x-a': 'snowman ☃' } }, 'x-a'],
  ])('%j is refused before sending', async (options, field) => {
    const service = new TestService(() => ok);

    const error = await rejection<RequestValidationError>(service.client().carts.retrieve(CART_ID, options as object));

    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error.field).toBe(field);
    expect(service.tokenRequests).toHaveLength(0);
  });

  test.each(['idempotencyKey', 'timeout', 'deadline', 'maxRetries', 'maxWait', 'signal', 'headers', 'prefetch'])(
    '%s in a body or a query is refused, and the message says where it belongs',
    async (name) => {
      const service = new TestService(() => ok);
      const client = service.client();

      const inBody = await rejection(client.carts.create({ location_id: LOCATION_ID, [name]: 1 } as never));
      const inQuery = await rejection(client.orders.list({ [name]: 1 } as never));

      for (const error of [inBody, inQuery]) {
        expect(error).toBeInstanceOf(RequestValidationError);
        expect(error.message).toContain('Pass it in the last argument');
      }
      expect(service.requests).toHaveLength(0);
    },
  );

  test('headers of a call come after those of the client, and the client’s own after both', async () => {
    const service = new TestService(() => ok);
    const client = service.client({ defaultHeaders: { 'X-One': '1', 'x-two': '2' } });

    await client.carts.retrieve(CART_ID, { headers: { 'X-Two': 'two', 'x-three': '3' } });

    expect(service.requests[0]?.headers).toMatchObject({
      'x-one': '1',
      'x-two': 'two',
      'x-three': '3',
      accept: 'application/json',
    });
  });

  test('the caller’s objects are not changed, and changing them later changes nothing that is sent', async () => {
    const service = new TestService(inTurn({ status: 500 }, ok));
    const body = { location_id: LOCATION_ID };
    const options = Object.freeze({ headers: Object.freeze({ 'X-A': '1' }) });
    const call = service.client({ random: () => 0.5 }).carts.create(body, options);
    body.location_id = CART_ID;
    await service.clock.advance(1000);
    await call;

    expect(service.requests.map((request) => JSON.parse(request.body ?? ''))).toEqual([
      { location_id: LOCATION_ID },
      { location_id: LOCATION_ID },
    ]);
  });
});

describe('request checks', () => {
  test.each([
    ['location_id', (c: OnlineOrdering) => c.carts.create({ location_id: 'Elm Street' })],
    ['customer_id', (c: OnlineOrdering) => c.carts.create({ location_id: LOCATION_ID, customer_id: 'x'.repeat(256) })],
    ['customer_id', (c: OnlineOrdering) => c.carts.create({ location_id: LOCATION_ID, customer_id: 'a b' })],
    ['quantity', (c: OnlineOrdering) => c.carts.items.add(CART_ID, { ...item, quantity: 0 })],
    [
      'special_instructions',
      (c: OnlineOrdering) => c.carts.items.add(CART_ID, { ...item, special_instructions: 'x'.repeat(201) }),
    ],
    ['vehicle_make', (c: OnlineOrdering) => c.carts.setHandoff(CART_ID, { mode: 'CURBSIDE' } as never)],
    ['expected_total', (c: OnlineOrdering) => c.carts.checkout(CART_ID, { expected_total: 12.5 })],
    ['amount', (c: OnlineOrdering) => c.orders.refunds.create(ORDER_ID, { amount: -1 })],
  ])('a bad %s is refused with the service’s field path, and nothing is sent', async (field, work) => {
    const service = new TestService(() => ok);

    const error = await rejection<RequestValidationError>(work(service.client()));

    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error.field).toBe(field);
    expect(error.outcome).toBe('not_sent');
    expect(service.tokenRequests).toHaveLength(0);
  });
});

describe('client.request', () => {
  test('reaches a new endpoint over the whole way', async () => {
    const service = new TestService(inTurn({ status: 500 }, { status: 200, body: { note: 1 } }));

    const result = await service
      .client()
      .request<{ note: number }>({
        method: 'POST',
        path: '/orders/{order_id}/notes',
        pathParams: { order_id: 'a/b' },
        query: { draft: true, at: new Date(0), none: undefined },
        body: { text: 'hi' },
      })
      .withResponse();

    expect(result.data.note).toBe(1);
    expect(result.attempts).toBe(2);
    expect(service.requests[1]).toMatchObject({
      method: 'POST',
      path: '/orders/a%2Fb/notes?draft=true&at=1970-01-01T00%3A00%3A00.000Z',
      body: '{"text":"hi"}',
    });
    expect(service.requests[1]?.headers['idempotency-key']).toBe(result.idempotencyKey);
  });

  test.each([
    ['a name in braces', '/orders/{order_id}/payments', { order_id: ORDER_ID }],
    ['an id written into the path', `/orders/${ORDER_ID}/payments`, undefined],
    ['an id written into the path of a refund', `/orders/${ORDER_ID}/refunds`, undefined],
  ])('never repeats a payment to a path with %s', async (_name, path, pathParams) => {
    const service = new TestService(() => ({ status: 500 }));
    const request = { method: 'POST' as const, path, body: cardPayment, ...(pathParams ? { pathParams } : {}) };

    const error = await rejection<CallError>(service.client().request(request));

    expect(error.outcome).toBe('unknown');
    expect(service.requests).toHaveLength(1);
  });

  test('takes a response without a body, but not one that is cut short', async () => {
    const service = new TestService(inTurn({ status: 204 }, { status: 200, body: '{"a":' }));
    const client = service.client({ maxRetries: 0 });

    expect(await client.request({ method: 'GET', path: '/new' })).toBeUndefined();
    const error = await rejection(client.request({ method: 'GET', path: '/new' }));

    expect(error).toMatchObject({ name: 'ResponseValidationError', reason: 'truncated' });
  });

  test.each([
    ['https://evil.example.com/x'],
    ['//evil.example.com'],
    ['orders'],
    ['/orders/../auth/token'],
    ['/orders?limit=1'],
    ['/orders#x'],
    ['/orders/%2e%2e'],
    ['/orders\\x'],
    ['/orders/{a}{'],
    ['/or ders'],
    [undefined],
  ])('refuses the path %j', async (path) => {
    const service = new TestService(() => ok);

    const error = await rejection(service.client().request({ method: 'GET', path: path as string }));

    expect(error).toMatchObject({ name: 'RequestValidationError', field: 'path' });
    expect(service.tokenRequests).toHaveLength(0);
  });

  test.each([
    [undefined, 'request'],
    [{ method: 'get', path: '/x' }, 'method'],
    [{ method: 'GET', path: '/x', params: {} }, 'params'],
    [{ method: 'GET', path: '/x/{id}' }, 'id'],
    [{ method: 'GET', path: '/x', pathParams: { id: '1' } }, 'id'],
    [{ method: 'GET', path: '/x', query: { a: {} } }, 'a'],
    [{ method: 'GET', path: '/x', query: { a: Number.NaN } }, 'a'],
    [{ method: 'GET', path: '/x', query: { a: new Date(Number.NaN) } }, 'a'],
    [{ method: 'POST', path: '/x', body: 10n }, null],
  ])('rejects, and does not throw, at %o', async (request, field) => {
    const client = new TestService(() => ok).client();

    const error = await rejection(client.request(request as never));

    expect(error).toMatchObject({ name: 'RequestValidationError', field });
  });
});

describe('withOptions', () => {
  test('changes settings over the same token, and leaves the client as it was', async () => {
    const service = new TestService(() => ({ status: 500 }));
    const client = service.client({ maxRetries: 2, defaultHeaders: { 'x-a': '1' } });
    const view = client.withOptions({ maxRetries: 0, defaultHeaders: { 'x-b': '2' } });

    const fromView = await rejection<CallError>(view.carts.retrieve(CART_ID));
    const fromClient = await rejection<CallError>(client.carts.retrieve(CART_ID));

    expect([fromView.attempts, fromClient.attempts]).toEqual([1, 3]);
    expect(service.requests[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '2' });
    expect(service.requests[1]?.headers['x-b']).toBeUndefined();
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('shares cool-downs, keys and listeners', async () => {
    const service = new TestService(inTurn({ status: 429, headers: { 'retry-after': '100' } }, ok));
    const client = service.client({ maxRetries: 0, maxWait: 1000 });
    const view = client.withOptions({ timeout: 5 });
    let heard = 0;
    client.on('request', () => {
      heard += 1;
    });
    await rejection(view.carts.create({ location_id: LOCATION_ID }, { idempotencyKey: KEY }));

    const paused = await rejection<CallError>(client.carts.create({ location_id: LOCATION_ID }));
    const misused = await rejection(client.carts.abandon(CART_ID, { idempotencyKey: KEY }));

    expect(paused).toMatchObject({ name: 'RateLimitError', attempts: 0 });
    expect(misused.name).toBe('RequestValidationError');
    expect(heard).toBe(2);
  });

  test.each(['baseUrl', 'clientId', 'clientSecret', 'dispatcher', 'fetch', 'store', 'clock', 'random', 'payments'])(
    'refuses %s',
    (name) => {
      const client = new TestService(() => ok).client();

      expect(() => client.withOptions({ [name]: 'x' } as object)).toThrow(`withOptions cannot change "${name}"`);
    },
  );

  test('gives a client that can be told apart by nothing else', () => {
    const view = new TestService(() => ok).client().withOptions({});

    expect(view).toBeInstanceOf(OnlineOrdering);
  });
});
