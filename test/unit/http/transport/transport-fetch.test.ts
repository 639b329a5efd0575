import { gzipSync } from 'node:zlib';
import type { CallError, OnlineOrdering, OnlineOrderingOptions } from 'online-ordering-sdk';
import { afterEach, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, ORDER_ID } from '../../../support/records/index.js';
import { rejection } from '../../../support/rejection.js';
import { ListeningService, type Step } from '../../../support/service/listening-service.js';

let server: ListeningService;
afterEach(async () => server.stop());

const clientOf = async (step: Step, options: OnlineOrderingOptions = {}): Promise<OnlineOrdering> => {
  server = await ListeningService.start(step);
  return server.client({ fetch: globalThis.fetch, maxRetries: 0, ...options });
};
const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":';

test('over fetch a response arrives as over undici', async () => {
  const client = await clientOf((exchange) => exchange.reply(200, cart, { 'x-request-id': 'r1' }));

  const result = await client.carts.retrieve(CART_ID).withResponse();

  expect(result).toMatchObject({ data: cart, status: 200, requestId: 'r1' });
});

test.each([
  ['a reset before the answer', (x: Parameters<Step>[0]) => x.reset(), {}, 'APIConnectionError', {}],
  ['stalled headers', () => {}, { timeout: 400 }, 'APIConnectionTimeoutError', {}],
  ['a stalled body', (x: Parameters<Step>[0]) => x.raw(head), { timeout: 400 }, 'APIConnectionTimeoutError', {}],
  [
    'a body that is cut short',
    (x: Parameters<Step>[0]) => {
      x.raw(head);
      x.socket.end();
    },
    {},
    'ResponseValidationError',
    { reason: 'truncated' },
  ],
  [
    'a body over the limit',
    (x: Parameters<Step>[0]) => x.reply(200, ' '.repeat(5000)),
    { maxResponseBytes: 100 },
    'ResponseValidationError',
    { reason: 'too_large' },
  ],
  ['an empty 200', (x: Parameters<Step>[0]) => x.reply(200), {}, 'ResponseValidationError', { reason: 'empty' }],
  ['an HTML 502', (x: Parameters<Step>[0]) => x.reply(502, '<html>'), {}, 'InternalServerError', { status: 502 }],
  [
    'a redirect',
    (x: Parameters<Step>[0]) => x.reply(302, '', { location: 'http://127.0.0.1:1/' }),
    {},
    'APIError',
    { status: 302 },
  ],
  [
    'a body stalled behind an error status',
    (x: Parameters<Step>[0]) => x.raw('HTTP/1.1 422 X\r\ncontent-length: 50\r\n\r\n{'),
    { timeout: 400 },
    'UnprocessableEntityError',
    { status: 422 },
  ],
])('over fetch %s is a typed error', async (_name, step, options, name, facts) => {
  const client = await clientOf(step, options);

  expect(await rejection(client.carts.retrieve(CART_ID))).toMatchObject({ name, ...facts });
});

test('over fetch a compressed body that the runtime has decoded is read', async () => {
  const bytes = gzipSync(JSON.stringify(cart));
  const client = await clientOf((exchange) => {
    exchange.raw(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
    exchange.raw(bytes);
  });

  expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
});

test('over fetch a refused connection proves that a payment was not sent', async () => {
  const client = await clientOf((exchange) => exchange.reply(200, cart));
  await client.auth.accessToken();
  await server.refuseConnections();

  const error = await rejection<CallError>(client.orders.payments.create(ORDER_ID, cardPayment));

  expect(error).toMatchObject({ name: 'APIConnectionError', outcome: 'not_sent' });
});

test('over fetch a payment that was aborted may have been executed', async () => {
  const client = await clientOf(() => {});
  await client.auth.accessToken();

  const error = await rejection<CallError>(
    client.orders.payments.create(ORDER_ID, cardPayment, { signal: AbortSignal.timeout(30) }),
  );

  expect(error.outcome).toBe('unknown');
});

test('over fetch an abort ends the connection', async () => {
  const stop = new AbortController();
  const closed = new Promise<void>((resolve) => {
    const abortWhenSent: Step = (exchange) => {
      exchange.socket.on('close', () => resolve());
      stop.abort();
    };
    void clientOf(abortWhenSent).then((client) =>
      client.carts.retrieve(CART_ID, { signal: stop.signal }).catch(() => {}),
    );
  });

  await closed;
  expect(server.requests).toHaveLength(1);
});

test('a fetch that throws at once, or gives no body at all, leaves a typed error', async () => {
  server = await ListeningService.start(() => {});
  const throwing = server.client({
    fetch: () => {
      throw new TypeError('not a function of this runtime');
    },
    maxRetries: 0,
  });
  const empty = server.client({ fetch: async () => new Response(null, { status: 200 }), maxRetries: 0 });

  expect((await rejection(throwing.carts.retrieve(CART_ID))).name).toBe('TokenUnavailableError');
  expect((await rejection(empty.carts.retrieve(CART_ID))).name).toBe('TokenUnavailableError');
});

test('a fetch that rejects with an error that throws when it is read leaves a typed error', async () => {
  server = await ListeningService.start(() => {});
  const trap = (): never => {
    throw new Error('trap');
  };
  const unreadable = new Proxy(new Error('x'), { get: trap, getOwnPropertyDescriptor: trap });
  const client = server.client({ fetch: () => Promise.reject(unreadable), maxRetries: 0 });

  expect((await rejection(client.carts.retrieve(CART_ID))).message).toContain('could not be reached');
});
