import { inspect } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { APIError, CallError, DriftFacts, OnlineOrdering, OnlineOrderingOptions } from 'online-ordering-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, LOCATION_ID, ORDER_ID, page } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { type Exchange, ListeningService, type Step, wired } from '../support/service/listening-service.js';
import { TestService } from '../support/service/test-service.js';

let server: ListeningService | undefined;
afterEach(async () => server?.stop());

const OVER: [string, OnlineOrderingOptions][] = [
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

async function clientOf(step: Step, options: OnlineOrderingOptions = {}): Promise<OnlineOrdering> {
  server = await ListeningService.start(step);
  return server.client({ maxRetries: 0, ...options });
}

function send(exchange: Exchange, status: number, body: Uint8Array, headers: Record<string, string>): void {
  const lines = Object.entries({ 'content-length': String(body.byteLength), ...headers });
  exchange.raw(`HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  exchange.raw(body);
}

describe('204 and 205 say that a write was executed', () => {
  const WRITES: [string, (client: OnlineOrdering) => PromiseLike<unknown>][] = [
    ['PATCH cart', (client) => client.carts.update(CART_ID, { customer_id: null })],
    ['payment', (client) => client.orders.payments.create(ORDER_ID, cardPayment)],
    ['cancel', (client) => client.orders.cancel(ORDER_ID)],
  ];
  for (const status of [204, 205]) {
    test.each(WRITES)(
      `%s answered with ${status} is sent once, and its error says that it was applied`,
      async (_name, call) => {
        const service = new TestService(() => ({ status }));
        const error = await rejection<CallError>(call(service.client()));

        expect(error).toMatchObject({ name: 'ResponseValidationError', reason: 'empty', status, outcome: 'applied' });
        expect(error.message).toContain('The operation was applied');
        expect(service.requests).toHaveLength(1);
      },
    );
  }

  test.each([200, 204, 205])('every deletion may get %i and no body', async (status) => {
    const service = new TestService(() => ({ status }));
    const client = service.client();
    const drifts: DriftFacts[] = [];
    client.on('drift', (facts) => drifts.push(facts));

    expect(await client.carts.items.remove(CART_ID, 'i')).toBeUndefined();
    expect(await client.carts.promoCodes.remove(CART_ID, 'SAVE')).toBeUndefined();
    expect(await client.carts.abandon(CART_ID)).toBeUndefined();
    expect(await client.webhookSubscriptions.delete('w')).toBeUndefined();
    expect(service.requests).toHaveLength(4);
    // The first two were to bring the cart.
    expect(drifts.map(({ path, issues }) => [path, issues])).toEqual([
      ['/carts/{cart_id}/items/{item_id}', [{ path: '', kind: 'empty' }]],
      ['/carts/{cart_id}/promo-codes/{code}', [{ path: '', kind: 'empty' }]],
    ]);
  });

  test('with strict validation a deletion without its cart is an error that says applied', async () => {
    const service = new TestService(() => ({ status: 204 }));

    const error = await rejection<CallError>(service.client({ validation: 'strict' }).carts.items.remove(CART_ID, 'i'));

    expect(error).toMatchObject({ name: 'ResponseValidationError', reason: 'contract', outcome: 'applied' });
  });

  test('a read that gets 204 fails after one attempt', async () => {
    const service = new TestService(() => ({ status: 204 }));

    expect(await rejection(service.client().carts.retrieve(CART_ID))).toMatchObject({ reason: 'empty', attempts: 1 });
  });
});

describe.each(OVER)('over %s', (_over, options) => {
  const text = JSON.stringify(cart);
  const CODINGS: [string, Uint8Array][] = [
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['identity', Buffer.from(text)],
  ];
  test.each(CODINGS)('a body in the coding %s is read though nobody asked for it', async (coding, body) => {
    const client = await clientOf((exchange) => send(exchange, 200, body, { 'content-encoding': coding }), options);

    expect(await client.carts.retrieve(CART_ID)).toEqual(cart);
  });

  test('a compressed token is read', async () => {
    const client = await clientOf((exchange) => exchange.reply(200, cart), options);
    const token = gzipSync(JSON.stringify({ access_token: 't', token_type: 'BEARER', expires_in: 9000 }));
    if (server) server.tokenHandler = wired([(exchange) => send(exchange, 200, token, { 'content-encoding': 'gzip' })]);

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  });

  test('a compressed decline of a payment is a decline', async () => {
    const body = { error: { code: 'INVALID_REQUEST_ERROR', message: 'Payment declined' } };
    const client = await clientOf(
      (exchange) => send(exchange, 422, gzipSync(JSON.stringify(body)), { 'content-encoding': 'gzip' }),
      options,
    );

    const error = await rejection(client.orders.payments.create(ORDER_ID, cardPayment));

    expect(error.name).toBe('PaymentDeclinedError');
  });

  test.each([
    ['gzip', gzipSync(`"${' '.repeat(3_000_000)}"`)],
    ['br', brotliCompressSync(`"${' '.repeat(3_000_000)}"`)],
    ['deflate, gzip', gzipSync(deflateSync(`"${' '.repeat(3_000_000)}"`))],
  ])('a body that %s expands over the limit ends as too large', async (coding, body) => {
    const client = await clientOf((exchange) => send(exchange, 200, body, { 'content-encoding': coding }), {
      ...options,
      maxResponseBytes: 2_000_000,
    });

    expect(await rejection(client.carts.retrieve(CART_ID))).toMatchObject({ reason: 'too_large', status: 200 });
  });

  test('a body that expands to some megabytes within the limit is read', async () => {
    const name = 'x'.repeat(3_000_000);
    const body = gzipSync(JSON.stringify({ ...cart, location_id: name }));
    const client = await clientOf((exchange) => send(exchange, 200, body, { 'content-encoding': 'gzip' }), {
      ...options,
      validation: 'off',
    });

    expect((await client.carts.retrieve(CART_ID)).location_id).toBe(name);
  });

  test('compressed bytes that are none are a typed error with the status', async () => {
    const client = await clientOf(
      (exchange) => send(exchange, 200, Buffer.from('{"id":1}'), { 'content-encoding': 'gzip', 'x-request-id': 'r1' }),
      options,
    );

    expect(await rejection(client.carts.retrieve(CART_ID))).toMatchObject({
      name: 'ResponseValidationError',
      reason: 'encoding',
      status: 200,
      requestId: 'r1',
    });
  });

  test('headers are told in lower case, repeated ones joined, and none as the prototype of an object', async () => {
    const client = await clientOf(
      (exchange) => {
        const body = JSON.stringify(cart);
        const lines = [`Content-Length: ${Buffer.byteLength(body)}`, 'X-Twice: a', '__proto__: p', 'X-twice: b'];
        exchange.raw(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
      },
      { ...options, validation: 'off' },
    );
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await client.carts.retrieve(CART_ID).withResponse();

      expect(headers).toMatchObject({ 'x-twice': 'a, b' });
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(['content-length', 'x-twice']));
      expect(Object.hasOwn(headers, '__proto__')).toBe(false);
      expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
    }
  });

  test('menus and lists are asked for compressed, everything else is not', async () => {
    const client = await clientOf((exchange) => exchange.reply(200, page([])), { ...options, validation: 'off' });
    await client.locations.list();
    await client.locations.listInventory(LOCATION_ID);
    await client.orders.list();
    await client.menus.retrieve(LOCATION_ID);
    await client.menus.retrieveMetadata(LOCATION_ID);
    await client.carts.retrieve(CART_ID);

    expect(server?.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip, br',
      'gzip, br',
      'gzip, br',
      'gzip, br',
      'identity',
      'identity',
    ]);
  });

  test('a body in another character set is read in it', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...cart, customer_id: 'Café' }), 'latin1');
    const client = await clientOf(
      (exchange) => send(exchange, 200, bytes, { 'content-type': 'application/json; charset=ISO-8859-1' }),
      options,
    );

    expect((await client.carts.retrieve(CART_ID)).customer_id).toBe('Café');
  });

  test('a character set that nobody knows is a typed error', async () => {
    const client = await clientOf(
      (exchange) => send(exchange, 200, Buffer.from(text), { 'content-type': 'application/json; charset=klingon' }),
      options,
    );

    expect(await rejection(client.carts.retrieve(CART_ID))).toMatchObject({ reason: 'encoding', status: 200 });
  });

  test('304 to a conditional request is a result without data', async () => {
    const client = await clientOf((exchange) => exchange.raw('HTTP/1.1 304 X\r\netag: "v1"\r\n\r\n'), options);
    const headers = { 'if-none-match': '"v1"' };

    const result = await client.menus.retrieve(LOCATION_ID, { headers }).withResponse();

    expect(result).toMatchObject({ status: 304, data: undefined, headers: { etag: '"v1"' } });
    expect(await rejection(client.menus.retrieve(LOCATION_ID))).toMatchObject({ name: 'APIError', status: 304 });
  });

  test("the body of an error that is not the service's is kept behind a getter, out of every inspection", async () => {
    const html = `<html>blocked by rule 949110 ${'é'.repeat(70_000)}</html>`;
    const client = await clientOf((exchange) => exchange.reply(403, html), options);

    const error = await rejection<APIError>(client.carts.retrieve(CART_ID));

    expect(error.body).toBe(html.slice(0, 65_536));
    expect(`${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`).not.toContain(
      '949110',
    );
  });
});

test('a JSON body that is not the error envelope is kept, the envelope is not', async () => {
  const gateway = new TestService(() => ({ status: 403, body: { message: 'Forbidden' } }));
  const envelope = new TestService(() => ({ status: 403, body: { error: { code: 'AUTHORIZATION_ERROR' } } }));

  expect((await rejection<APIError>(gateway.client().carts.retrieve(CART_ID))).body).toBe('{"message":"Forbidden"}');
  expect((await rejection<APIError>(envelope.client().carts.retrieve(CART_ID))).body).toBeUndefined();
});

test('what the token endpoint responds with is in no error', async () => {
  const service = new TestService(() => ({ status: 200 }));
  service.tokenHandler = () => ({ status: 401, body: 'client_secret S3cr3t is wrong' });

  const error = await rejection<APIError>(service.client().carts.retrieve(CART_ID));

  expect([error.status, error.body]).toEqual([401, undefined]);
});

test('a key __proto__ is dropped at any depth, without recursion', async () => {
  const depth = 20_000;
  const deep = `${'{"__proto__":{"x":1},"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const service = new TestService(() => ({ status: 200, body: deep }));

  let value = await service.client({ validation: 'off' }).request<{ a: unknown }>({ method: 'GET', path: '/x' });

  for (let level = 0; level < depth; level += 1) {
    expect(Object.hasOwn(value, '__proto__')).toBe(false);
    value = value.a as { a: unknown };
  }
  expect(value).toBe(1);
});
