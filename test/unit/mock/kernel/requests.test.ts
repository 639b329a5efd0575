import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Every response', () => {
  test('carries a request id of its own, the same in header and error envelope', async () => {
    const { call } = await openService();

    const [first, second] = [await call('GET /orders'), await call('GET /nowhere')];

    expect(first.headers.get('x-request-id')).toMatch(UUID);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second).toMatchObject({
      status: 404,
      body: {
        error: {
          code: 'NOT_FOUND_ERROR',
          message: 'Resource not found',
          detail: expect.any(String),
          field: null,
          request_id: second.headers.get('x-request-id'),
        },
      },
    });
  });

  test.each(['GET /orders/', 'PUT /orders', 'GET /carts', 'DELETE /orders/0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11'])(
    'to %s, which is no endpoint, is a 404 with the envelope',
    async (endpoint) => {
      const { call } = await openService();

      expect(await call(endpoint)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND_ERROR' } } });
    },
  );

  test('outside the base path is a 404 with the envelope', async () => {
    const { service } = await openService();

    const response = await service.fetch('https://online-ordering.test/v2/online-ordering/orders');

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND_ERROR' } });
  });

  test.each(['{"location_id":', 'location_id=1', '"'])('to a body that is not JSON (%s) is a 400', async (rawBody) => {
    const { call } = await openService();

    expect(await call('POST /carts', { rawBody })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST_ERROR', message: 'Malformed JSON in request body' } },
    });
  });

  test.each(['null', '[]', '"text"', '7'])('to a body that is no object (%s) is a 400', async (rawBody) => {
    const { call } = await openService();

    expect(await call('POST /webhooks', { rawBody })).toMatchObject({ status: 400 });
  });

  test('to an id that is no UUID is a 400 that names the parameter', async () => {
    const { call } = await openService();

    expect(await call('GET /orders/17')).toMatchObject({
      status: 400,
      body: { error: { message: 'Invalid parameter format', field: 'order_id' } },
    });
  });

  test('takes a UUID in capitals for the same UUID', async () => {
    const { call, placeOrder } = await openService();
    const order = await placeOrder();

    expect((await call(`GET /orders/${order.id.toUpperCase()}`)).body.id).toBe(order.id);
  });
});

describe('Authorization', () => {
  test.each([
    [null, 'Missing authorization header'],
    ['Basic abc', 'Malformed authorization header'],
    ['Bearer', 'Malformed authorization header'],
    ['Bearer a b', 'Malformed authorization header'],
    ['Bearer nonsense', 'Invalid or expired access token'],
  ])('%s is a 401: %s', async (authorization, message) => {
    const { call } = await openService();

    const answer = await call('GET /orders', { token: null, headers: authorization === null ? {} : { authorization } });

    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'AUTHENTICATION_ERROR', message } } });
  });

  test('a token ends after 86400 seconds of the service', async () => {
    const { call, service } = await openService();

    await service.clock.advance(86_399_999);
    const before = await call('GET /orders');
    await service.clock.advance(1);
    const after = await call('GET /orders');

    expect([before.status, after.status]).toEqual([200, 401]);
  });

  test('a rotated secret ends the old one at once, and no token', async () => {
    const { call, service } = await openService();
    const old = service.credentials;

    const fresh = service.partners.rotateSecret();
    const grant = (clientSecret: string) =>
      call('POST /auth/token', {
        token: null,
        body: { grant_type: 'CLIENT_CREDENTIALS', client_id: old.clientId, client_secret: clientSecret },
      });

    expect((await grant(old.clientSecret)).status).toBe(401);
    expect((await grant(fresh.clientSecret)).status).toBe(200);
    expect(service.credentials).toEqual(fresh);
    expect((await call('GET /orders')).status).toBe(200);
  });

  test('cart, order and webhook of another partner are refused with 403', async () => {
    const { call, service, tokenOf, placeOrder } = await openService();
    const order = await placeOrder();
    const hook = await call('POST /webhooks', { body: { url: 'https://a.example', event_types: ['order.created'] } });
    const token = await tokenOf(service.partners.add());

    const answers = await Promise.all([
      call(`GET /orders/${order.id}`, { token }),
      call(`GET /carts/${order.cart_id}`, { token }),
      call(`POST /orders/${order.id}/cancel`, { token }),
      call(`POST /orders/${order.id}/payments`, { token, body: { payment_method: 'CASH', amount: 1 } }),
      call(`DELETE /webhooks/${hook.body.id}`, { token }),
    ]);

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'AUTHENTICATION_ERROR' } } });
    }
  });

  test('a location out of scope is refused with 403, and the detail names it', async () => {
    const { call, service, tokenOf } = await openService();
    const { downtown, harbor } = service.samples.locations;
    const token = await tokenOf(service.partners.add({ locations: [downtown] }));

    const answer = await call(`GET /locations/${harbor}/menu/metadata`, { token });

    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'AUTHENTICATION_ERROR' } } });
    expect(answer.body.error.detail).toContain(harbor);
    expect((await call(`GET /locations/${downtown}/menu/metadata`, { token })).status).toBe(200);
    expect((await call('GET /locations', { token })).body.data).toHaveLength(1);
  });
});

describe('The list of requests', () => {
  test('shows method, path, route, status and key, and never the token', async () => {
    const { call, service, token } = await openService();
    const key = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

    await call('POST /carts', { key, body: { location_id: service.samples.locations.downtown } });

    expect(service.requests().at(-1)).toMatchObject({
      method: 'POST',
      path: '/carts',
      route: '/carts',
      status: 201,
      idempotencyKey: key,
      at: '2026-03-10T17:00:00.000Z',
      replayed: false,
    });
    expect(JSON.stringify(service.requests())).not.toContain(token);
    expect(JSON.stringify(service.requests())).not.toContain(service.credentials.clientSecret);
  });
});

describe('The seed', () => {
  test('decides every id and secret: two services with one seed respond the same', async () => {
    const [one, two, other] = [await openService(), await openService(), await openService({ seed: 8 })];

    const orders = [await one.placeOrder(), await two.placeOrder(), await other.placeOrder()];

    expect(orders[1]).toEqual(orders[0]);
    expect(orders[2].id).not.toBe(orders[0].id);
    expect(two.service.credentials).toEqual(one.service.credentials);
  });

  test('a reset begins anew with the same credentials and ids', async () => {
    const { call, service, placeOrder } = await openService();
    const before = service.credentials;
    await placeOrder();

    service.reset();

    expect(service.orders()).toEqual([]);
    expect(service.requests()).toEqual([]);
    expect(service.credentials).toEqual(before);
    expect((await call('GET /orders')).status).toBe(401);
  });
});

test.each([
  [{ seed: 1.5 }, '"seed"'],
  [{ latency: -1 }, '"latency"'],
  [{ clock: 'fake' as 'real' }, "'virtual' or 'real'"],
  [{ rateLimits: { reads: 0 } }, 'rateLimits.reads"'],
  [{ autoAdvance: 'soon' }, "'25h'"],
])('the options %j are refused with what to write', async (options, text) => {
  await expect(openService(options)).rejects.toThrow(text);
});

test.each([600, 5000, 100_000])('a body that nests %i levels deep gets 400, and is logged', async (depth) => {
  const { service, call } = await openService();

  const rawBody = `${'['.repeat(depth + 1)}${']'.repeat(depth + 1)}`;
  const answer = await call('POST /carts', { rawBody });

  expect(answer).toMatchObject({ status: 400, body: { error: { message: 'Malformed JSON in request body' } } });
  expect(service.requests().at(-1)).toMatchObject({ route: '/carts', status: 400 });
});
