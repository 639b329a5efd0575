import { describe, expect, test } from 'vitest';
import type { ErrorBody, Location } from '../support/records.js';
import {
  badRequest,
  conflict,
  expectRefusal,
  expectStatus,
  forbidden,
  NO_SUCH_ID,
  notFound,
  type Refusal,
  UUID,
  unauthorized,
  unprocessable,
} from '../support/shapes.js';
import {
  createCart,
  filledCart,
  HANDOFFS,
  openLocation,
  placeOrder,
  requestFor,
  secondPartner,
} from '../support/shop.js';
import { type Answer, needs, openMock, openTarget, Target } from '../support/target.js';

const CODES = [
  'AUTHENTICATION_ERROR',
  'INVALID_REQUEST_ERROR',
  'RATE_LIMIT_ERROR',
  'NOT_FOUND_ERROR',
  'CONFLICT_ERROR',
  'INTERNAL_ERROR',
];

/** One way to bring about each row of the error table that needs no control of the service. */
const ROWS: readonly (readonly [string, (target: Target) => Promise<Answer<unknown>>, Refusal])[] = [
  ['400 validation failed', (target) => target.post('/carts', { location_id: 5 }), badRequest()],
  [
    '400 malformed JSON',
    (target) => target.send('POST', '/carts', { rawBody: '{"location_id": ' }),
    badRequest('Malformed JSON in request body'),
  ],
  [
    '400 missing field',
    (target) => target.post('/carts', {}),
    badRequest('Missing required field: location_id', 'location_id'),
  ],
  ['400 bad path parameter', (target) => target.get('/orders/one'), badRequest(undefined, 'order_id')],
  [
    '400 bad query parameter',
    (target) => target.get('/orders', { query: { limit: 'x' } }),
    badRequest('Invalid parameter format', 'limit'),
  ],
  [
    '401 missing header',
    (target) => target.get('/orders', { token: null }),
    unauthorized('Missing authorization header'),
  ],
  [
    '401 unknown token',
    (target) => target.get('/orders', { token: 'nobody' }),
    unauthorized('Invalid or expired access token'),
  ],
  [
    '401 wrong credentials',
    (target) => target.requestToken({ client_secret: 'wrong' }),
    unauthorized('Invalid client credentials'),
  ],
  [
    '401 malformed header',
    (target) => target.get('/orders', { token: null, headers: { authorization: 'Token abc' } }),
    unauthorized('Malformed authorization header'),
  ],
  ['404 cart', (target) => target.get(`/carts/${NO_SUCH_ID}`), notFound('Cart not found')],
  ['404 order', (target) => target.get(`/orders/${NO_SUCH_ID}`), notFound('Order not found')],
  ['404 location', (target) => target.get(`/locations/${NO_SUCH_ID}`), notFound('Location not found')],
  [
    '404 menu item (gap CART-15)',
    async (target) => {
      const { cart, plain } = await filledCart(target);
      return target.post(`/carts/${cart.id}/items`, { ...requestFor(plain), menu_item_id: NO_SUCH_ID });
    },
    notFound('Menu item not found'),
  ],
  [
    '409 cart checked out',
    async (target) => {
      const { cart } = await filledCart(target);
      await target.post(`/carts/${cart.id}/checkout`, { handoff_mode: HANDOFFS.PICKUP });
      return target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    },
    conflict('Cart has already been checked out'),
  ],
  [
    '409 idempotency key',
    async (target) => {
      const { id } = await openLocation(target);
      const key = crypto.randomUUID();
      await target.post('/carts', { location_id: id }, { key });
      return target.post('/carts', { location_id: id, customer_id: 'CUST-1' }, { key });
    },
    conflict(/Idempotency key conflict/i),
  ],
  [
    '409 expected total',
    async (target) => {
      const { cart } = await filledCart(target);
      return target.post(`/carts/${cart.id}/checkout`, { handoff_mode: HANDOFFS.PICKUP, expected_total: 1 });
    },
    conflict('Expected total mismatch'),
  ],
  [
    '409 duplicate webhook',
    async (target) => {
      const body = { url: `https://hooks.example.com/${crypto.randomUUID()}`, event_types: ['menu.changed'] };
      await target.post('/webhooks', body);
      return target.post('/webhooks', body);
    },
    conflict('Duplicate webhook subscription'),
  ],
  [
    '409 second cancel (gap ORD-9)',
    async (target) => {
      const order = await placeOrder(target);
      await target.post(`/orders/${order.id}/cancel`);
      return target.post(`/orders/${order.id}/cancel`);
    },
    conflict(),
  ],
  [
    '422 cart is empty',
    async (target) =>
      target.post(`/carts/${(await createCart(target, (await openLocation(target)).id)).id}/calculate`, undefined, {
        key: null,
      }),
    unprocessable('Cart is empty'),
  ],
  [
    '422 missing handoff mode',
    async (target) => target.post(`/carts/${(await filledCart(target)).cart.id}/checkout`, {}),
    unprocessable('Missing handoff mode'),
  ],
  [
    '422 refund above balance (gap REF-8)',
    async (target) => target.post(`/orders/${(await placeOrder(target)).id}/refunds`, { amount: 1 }),
    unprocessable('Refund exceeds refundable balance'),
  ],
  [
    '422 customer id too long',
    async (target) =>
      target.post('/carts', { location_id: (await openLocation(target)).id, customer_id: 'x'.repeat(256) }),
    unprocessable('Customer ID too long'),
  ],
  [
    '422 customer id format',
    async (target) => target.post('/carts', { location_id: (await openLocation(target)).id, customer_id: '?' }),
    unprocessable('Invalid customer ID format'),
  ],
  [
    '422 promo code (gap ERR-5)',
    async (target) => target.post(`/carts/${(await filledCart(target)).cart.id}/promo-codes`, { code: 'NOSUCHCODE' }),
    unprocessable(/not recognized/i),
  ],
];

describe('The error table', () => {
  test.each(ROWS)(
    'Errors, row %s: has the status, the code and the envelope of its row',
    async (_name, bring, refusal) => {
      expectRefusal(await bring(openTarget()), refusal);
    },
  );

  test.each(ROWS)('Errors, row %s: the code is one of the six', async (_name, bring) => {
    const answer = (await bring(openTarget())) as Answer<ErrorBody>;

    expect(CODES).toContain(answer.body.error.code);
  });

  needs('a second partner')('Errors, row 403 resource of another partner: has the envelope of its row', async () => {
    const controlled = openMock();
    const { cart } = await filledCart(controlled.target);

    expectRefusal(
      await secondPartner(controlled, Target).get(`/carts/${cart.id}`),
      forbidden('Resource belongs to another partner'),
    );
  });

  needs('declined payments')('Errors, row 422 payment declined: has the envelope of its row', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await mock.payments.declineNext('CREDIT_CARD');

    const answer = await target.post(`/orders/${order.id}/payments`, {
      payment_method: 'CREDIT_CARD',
      amount: 100,
      payment_token: 'tok',
    });

    expectRefusal(answer, unprocessable('Payment declined'));
  });

  needs('faults')('Errors, row 500: an unexpected error is INTERNAL_ERROR, in the envelope', async () => {
    const { target, mock } = openMock();
    mock.faults.next('GET /orders', { status: 500 });

    expectRefusal(await target.get('/orders'), { status: 500, code: 'INTERNAL_ERROR' });
  });

  needs('faults')('Errors, row 500: the next request is served again', async () => {
    const { target, mock } = openMock();
    mock.faults.next('GET /orders', { status: 500 });
    await target.get('/orders');

    expectStatus(await target.get('/orders'), 200);
  });

  needs('faults')('Errors, row 429: a refusal by rate carries Retry-After in whole seconds', async () => {
    const { target, mock } = openMock();
    mock.faults.next('GET /orders', { status: 429, retryAfterSeconds: 2 });

    const answer = await target.get('/orders');

    expectRefusal(answer, { status: 429, code: 'RATE_LIMIT_ERROR' });
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});

describe('The envelope', () => {
  test('Error envelope: request_id is a UUID, and another one for each request', async () => {
    const target = openTarget();
    const first = await target.get<ErrorBody>(`/orders/${NO_SUCH_ID}`);
    const second = await target.get<ErrorBody>(`/orders/${NO_SUCH_ID}`);

    expect(first.body.error.request_id).toMatch(UUID);
    expect(second.body.error.request_id).not.toBe(first.body.error.request_id);
  });

  test('Error envelope: holds nothing but error', async () => {
    expect(Object.keys((await openTarget().get<ErrorBody>(`/carts/${NO_SUCH_ID}`)).body)).toEqual(['error']);
  });

  test('Error envelope: no secret and no token stands in it', async () => {
    const target = openTarget();
    const token = await target.token();

    const answers = [
      await target.requestToken({ client_id: NO_SUCH_ID }),
      await target.get('/orders/one'),
      await target.post('/carts', {}),
    ];

    for (const { text } of answers) {
      expect(text).not.toContain(target.credentials.clientSecret);
      expect(text).not.toContain(token);
    }
  });

  test('Error envelope (gap ERR-1): change_reasons stands on no other error', async () => {
    const answer = await openTarget().get<ErrorBody>(`/carts/${NO_SUCH_ID}`);

    expect(answer.body.error).not.toHaveProperty('change_reasons');
  });

  test('General conventions (gap ERR-2): a success names its request id too', async () => {
    const { headers } = await openTarget().get<{ data: Location[] }>('/locations');

    expect(headers.get('x-request-id')).toMatch(UUID);
  });
});

describe('Requests that fit nothing', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/carts'],
    ['GET', '/order'],
    ['GET', '/locations/x/y/z'],
    ['GET', `/carts/${NO_SUCH_ID}/items`],
    ['POST', '/locations'],
    ['POST', '/no-such-thing'],
    ['PUT', '/orders'],
    ['PATCH', '/webhooks'],
    ['DELETE', '/orders'],
  ])('Errors 404 (gap ERR-4): %s %s is not found, in the envelope', async (method, path) => {
    expectRefusal(
      await openTarget().send(method, path, method === 'GET' ? { key: null } : {}),
      notFound('Resource not found'),
    );
  });

  const bodies: readonly (readonly [string, string])[] = [
    ['a cut off object', '{"location_id":"'],
    ['text', 'location_id=1'],
    ['a trailing comma', '{"a":1,}'],
    ['a single quote', "{'a':1}"],
  ];

  test.each(bodies)('Errors 400: a body that is %s is malformed JSON', async (_case, rawBody) => {
    expectRefusal(await openTarget().send('POST', '/carts', { rawBody }), badRequest('Malformed JSON in request body'));
  });

  test.each([
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['text', '"cart"'],
  ])('Errors 400: a body that is %s where an object is due is refused', async (_case, rawBody) => {
    expectRefusal(await openTarget().send('POST', '/carts', { rawBody }), badRequest());
  });

  test('Errors 400: a write without its required body is refused', async () => {
    expectRefusal(await openTarget().post('/carts'), badRequest());
  });

  test.each([
    ['PUT', (cart: string, item: string) => `/carts/${cart}/items/${item}`],
    ['PUT', (cart: string) => `/carts/${cart}/handoff`],
    ['PATCH', (cart: string) => `/carts/${cart}`],
    ['POST', (cart: string) => `/carts/${cart}/promo-codes`],
    ['POST', (cart: string) => `/carts/${cart}/checkout`],
  ])('Errors 400: %s with malformed JSON is refused (case %#)', async (method, path) => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.send(method, path(cart.id, cart.items[0]!.id), { rawBody: '{"mode":' });

    expectRefusal(answer, badRequest('Malformed JSON in request body'));
  });
});
