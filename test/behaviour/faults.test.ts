import { gzipSync } from 'node:zlib';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  type CallError,
  InternalServerError,
  type OnlineOrdering,
  type OnlineOrderingOptions,
  OutcomeUnknownError,
  PermissionDeniedError,
  ResponseValidationError,
} from 'online-ordering-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, envelope, LOCATION_ID, ORDER_ID, payment } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { deadAddress, ListeningService, type Step } from '../support/service/listening-service.js';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let server: ListeningService;
afterEach(async () => server?.stop());

const serve = async (...steps: Step[]): Promise<ListeningService> => {
  server = await ListeningService.start(...steps);
  return server;
};

/** One call of each kind: what may be sent again differs. */
const read = (client: OnlineOrdering) => client.carts.retrieve(CART_ID);
const write = (client: OnlineOrdering) => client.carts.create({ location_id: LOCATION_ID });
const pay = (client: OnlineOrdering) => client.orders.payments.create(ORDER_ID, cardPayment);

const ok: Step = (exchange) => exchange.reply(200, exchange.path.endsWith('/payments') ? payment : cart);
const reset: Step = (exchange) => exchange.reset();
const end: Step = (exchange) => exchange.socket.end();
const silence: Step = () => {};
const head = (length: number): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

interface Row {
  readonly fault: string;
  readonly step: Step;
  readonly options?: OnlineOrderingOptions;
  readonly error: abstract new (...args: never[]) => CallError;
  /** What the error of a read shows besides its class. */
  readonly shows?: object;
  /** True when the fault is the same at every attempt, so that nothing is sent again. */
  readonly final?: boolean;
}

/** Faults after which nobody knows whether the request was executed. */
const ROWS: readonly Row[] = [
  { fault: 'a reset before the answer', step: reset, error: APIConnectionError },
  { fault: 'a connection that ends before the answer', step: end, error: APIConnectionError },
  {
    fault: 'a reset in mid-body',
    step: (exchange) => {
      exchange.raw(`${head(1000)}{"id":`);
      setTimeout(() => exchange.reset(), 10);
    },
    error: ResponseValidationError,
    shows: { reason: 'truncated', status: 200 },
  },
  {
    fault: 'a connection that ends in mid-body',
    step: (exchange) => {
      exchange.raw(`${head(1000)}{"id":`);
      exchange.socket.end();
    },
    error: ResponseValidationError,
    shows: { reason: 'truncated', status: 200 },
  },
  { fault: 'stalled headers', step: silence, options: { timeout: 300 }, error: APIConnectionTimeoutError },
  {
    fault: 'a stalled body',
    step: (exchange) => exchange.raw(`${head(1000)}{"id":`),
    options: { timeout: 300 },
    error: APIConnectionTimeoutError,
  },
  {
    fault: 'a dripping body',
    step: (exchange) => {
      exchange.raw(head(100_000));
      const drip = setInterval(() => exchange.raw(' '), 5);
      exchange.socket.on('close', () => clearInterval(drip));
    },
    options: { timeout: 300 },
    error: APIConnectionTimeoutError,
  },
  {
    fault: 'bytes that are not HTTP',
    step: (exchange) => exchange.raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    error: APIConnectionError,
  },
  {
    fault: 'truncated JSON',
    step: (exchange) => exchange.reply(200, '{"id":"0b9f6a52-6f6e'),
    error: ResponseValidationError,
    shows: { reason: 'truncated', status: 200 },
  },
  {
    fault: 'an HTML page with status 200',
    step: (exchange) => exchange.reply(200, '<html>login</html>'),
    error: ResponseValidationError,
    shows: { reason: 'not_json', status: 200 },
  },
  {
    fault: 'an HTML 502',
    step: (exchange) => exchange.reply(502, '<html><h1>502 Bad Gateway</h1></html>', { 'content-type': 'text/html' }),
    error: InternalServerError,
    shows: { status: 502, code: null, field: null, requestId: null },
  },
  {
    fault: 'a 500',
    step: (exchange) => exchange.reply(500, envelope('INTERNAL_ERROR', 'An unexpected error occurred')),
    error: InternalServerError,
    shows: { status: 500, code: 'INTERNAL_ERROR', scenario: 'unexpected_error' },
  },
  {
    fault: 'a 408',
    step: (exchange) => exchange.reply(408, ''),
    error: APIError,
    shows: { status: 408 },
  },
  {
    fault: 'an empty 200',
    step: (exchange) => exchange.reply(200),
    error: ResponseValidationError,
    shows: { reason: 'empty', status: 200 },
  },
  {
    fault: 'a body that is not of its content coding',
    step: (exchange) => {
      const bytes = gzipSync(JSON.stringify(cart)).fill(0, 30, 60);
      exchange.raw(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      exchange.raw(bytes);
    },
    error: ResponseValidationError,
    shows: { reason: 'encoding', status: 200 },
    final: true,
  },
  {
    fault: 'a body over the limit, announced',
    step: (exchange) => exchange.raw(`${head(5000)}${' '.repeat(5000)}`),
    options: { maxResponseBytes: 4096 },
    error: ResponseValidationError,
    shows: { reason: 'too_large', status: 200 },
    final: true,
  },
  {
    fault: 'a body over the limit, in chunks of unknown number',
    step: (exchange) => {
      exchange.raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      exchange.raw(`1388\r\n${' '.repeat(5000)}\r\n`);
    },
    options: { maxResponseBytes: 4096 },
    error: ResponseValidationError,
    shows: { reason: 'too_large', status: 200 },
    final: true,
  },
  {
    fault: 'a redirect',
    step: (exchange) => exchange.reply(307, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    error: APIError,
    shows: { status: 307 },
    final: true,
  },
  { fault: 'a 501', step: (exchange) => exchange.reply(501), error: InternalServerError, final: true },
];

describe.each(ROWS)('$fault', ({ step, options, error: Class, shows = {}, final = false }) => {
  const attempts = final ? 1 : 3;

  test('ends a read, after its attempts, in a typed error', async () => {
    const { requests } = await serve(step);

    const error = await rejection<CallError>(read(server.client({ maxRetries: 2, ...options })));

    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ attempts, method: 'GET', path: '/carts/{cart_id}', ...shows });
    expect(error.outcome).toBeUndefined();
    expect(error.idempotencyKey).toBeUndefined();
    expect(requests).toHaveLength(attempts);
  });

  test('ends a write, after attempts with one key and the same bytes, as an unknown outcome', async () => {
    const { requests } = await serve(step);

    const error = await rejection<CallError>(write(server.client({ maxRetries: 2, ...options })));

    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ attempts, outcome: 'unknown', idempotencyKey: expect.stringMatching(UUID_V4) });
    expect(error.replayableUntil?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: attempts }, () => error.idempotencyKey),
    );
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([`{"location_id":"${LOCATION_ID}"}`]));
  });

  test('is never followed by a second payment', async () => {
    const { requests } = await serve(step);

    const error = await rejection<CallError>(pay(server.client({ maxRetries: 2, ...options })));

    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({
      outcome: 'unknown',
      orderId: ORDER_ID,
      idempotencyKey: expect.stringMatching(UUID_V4),
    });
    const payments = requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/payments'));
    expect(payments).toHaveLength(1);
  });

  test('takes exactly one attempt with maxRetries 0', async () => {
    const { requests } = await serve(step);

    const error = await rejection<CallError>(read(server.client({ maxRetries: 0, ...options })));

    expect(error).toMatchObject({ attempts: 1 });
    expect(requests).toHaveLength(1);
  });
});

describe.each(ROWS.filter(({ final }) => !final))('$fault', ({ step, options }) => {
  test('is no failure for a read whose next attempt gets a response', async () => {
    await serve(step, ok);

    const { data, attempts } = await read(server.client(options)).withResponse();

    expect(data.id).toBe(CART_ID);
    expect(attempts).toBe(2);
  });
});

describe('a connection that is refused', () => {
  test.each([
    { kind: 'read', call: read, outcome: undefined },
    { kind: 'write', call: write, outcome: 'not_sent' },
    { kind: 'payment', call: pay, outcome: 'not_sent' },
  ])('is tried again for a $kind, and then says that nothing was sent', async ({ call, outcome }) => {
    await serve((exchange) => exchange.reply(200, cart));
    const dead = await deadAddress();
    const client = server.client({ maxRetries: 2, fetch: redirectedTo(dead) });

    const error = await rejection<CallError>(call(client));

    expect(error).toBeInstanceOf(APIConnectionError);
    expect(error).toMatchObject({ attempts: 3, outcome });
    expect((error.cause as { cause?: { code?: string } }).cause?.code).toBe('ECONNREFUSED');
  });

  test('is told as a token that could not be had when the token endpoint is down too', async () => {
    const client = await serve(ok).then(() => server.client({ maxRetries: 1 }));
    await server.refuseConnections();

    const error = await rejection<CallError>(read(client));

    expect(error.name).toBe('TokenUnavailableError');
    expect(error.message).toContain(
      'GET /carts/{cart_id} was not sent: the token endpoint could not be reached (ECONNREFUSED).',
    );
    expect(error.attempts).toBe(0);
  });

  /** Everything but token requests goes to an address where nobody listens. */
  function redirectedTo(dead: string): typeof fetch {
    return (input, init) => {
      const url = String(input);
      return fetch(url.endsWith('/auth/token') ? url : url.replace(server.baseUrl, dead), init);
    };
  }
});

test('a connection that the server closed while idle is no failure that a caller sees', async () => {
  await serve(ok);
  const client = server.client({ maxRetries: 0 });
  await read(client);
  const before = server.connections;
  server.endConnections();
  await new Promise((resolve) => setTimeout(resolve, 20));

  const found = await read(client);

  expect(found.id).toBe(CART_ID);
  expect(server.connections).toBe(before + 1);
});

test('a connection that is reset as the request arrives costs a read or a write one more attempt', async () => {
  await serve(ok, reset, ok, reset, ok);
  const client = server.client();
  await read(client);

  const first = await read(client).withResponse();
  const second = await write(client).withResponse();

  expect([first.attempts, second.attempts]).toEqual([2, 2]);
});

test('a payment has a socket of its own, which no idle time-out can have closed', async () => {
  await serve(ok);
  const client = server.client();
  await read(client);
  const before = server.connections;

  await pay(client);
  await pay(client);

  expect(server.connections).toBe(before + 2);
  expect(server.requests.slice(1).map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
});

describe('an attempt that waits for a socket', () => {
  test('ends at its time-out, and its request is never written', async () => {
    const { Agent } = await import('undici');
    await serve((exchange) => void setTimeout(() => exchange.reply(200, cart), 150));
    const dispatcher = new Agent({ connections: 1 });
    const client = server.client({ dispatcher, maxRetries: 0 });
    await client.auth.accessToken();

    const slow = read(client);
    const queued = await rejection<CallError>(client.orders.payments.create(ORDER_ID, cardPayment, { timeout: 30 }));
    await slow;
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(queued).toBeInstanceOf(APIConnectionTimeoutError);
    expect(queued.outcome).toBe('not_sent');
    expect(server.requests).toHaveLength(1);
    await dispatcher.close();
  });

  test('ends at an abort, and its request is never written', async () => {
    const { Agent } = await import('undici');
    await serve((exchange) => void setTimeout(() => exchange.reply(200, cart), 100));
    const dispatcher = new Agent({ connections: 1 });
    const client = server.client({ dispatcher, maxRetries: 0 });
    await client.auth.accessToken();

    const slow = read(client);
    const error = await rejection<CallError>(
      client.orders.payments.create(ORDER_ID, cardPayment, { signal: AbortSignal.timeout(20) }),
    );
    await slow;
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(error).toBeInstanceOf(APIUserAbortError);
    expect(error.outcome).toBe('not_sent');
    expect(server.requests).toHaveLength(1);
    await dispatcher.close();
  });
});

test('a redirect to another host gets neither the request nor the token', async () => {
  const other = await ListeningService.start(ok);
  try {
    await serve((exchange) => exchange.reply(302, '', { location: `${other.baseUrl}/carts/${CART_ID}` }));

    for (const client of [server.client(), server.client({ fetch })]) {
      const error = await rejection<APIError>(read(client));
      expect(error.constructor).toBe(APIError);
      expect(error.message).toContain('was redirected, which the client never follows (302)');
    }

    expect(other.connections).toBe(0);
  } finally {
    await other.stop();
  }
});

test('a redirect of the token endpoint gets no secret', async () => {
  const other = await ListeningService.start(ok);
  try {
    await serve(ok);
    server.tokenHandler = () => ({ status: 307, body: '', headers: { location: `${other.baseUrl}/auth/token` } });

    const error = await rejection(read(server.client()));

    expect(error.name).toBe('TokenUnavailableError');
    expect(other.connections).toBe(0);
  } finally {
    await other.stop();
  }
});

test('a 401 once replaces the token, and the call succeeds', async () => {
  await serve(
    (exchange) => exchange.reply(401, envelope('AUTHENTICATION_ERROR', 'Invalid or expired access token')),
    ok,
  );

  const { attempts } = await write(server.client()).withResponse();

  expect(attempts).toBe(2);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  const [first, second] = server.requests;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
});

test('a 401 for ever ends in an AuthenticationError after one replacement', async () => {
  await serve((exchange) => exchange.reply(401, envelope('AUTHENTICATION_ERROR', 'Invalid or expired access token')));

  const error = await rejection<AuthenticationError>(write(server.client()));

  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, attempts: 2, outcome: 'refused', scenario: 'invalid_token' });
  expect(server.tokenRequests).toHaveLength(2);
});

test('a 403 never replaces the token', async () => {
  await serve((exchange) => exchange.reply(403, envelope('AUTHENTICATION_ERROR', 'Location not in partner scope')));

  const error = await rejection<PermissionDeniedError>(write(server.client()));

  expect(error).toBeInstanceOf(PermissionDeniedError);
  expect(error).toMatchObject({ attempts: 1, outcome: 'refused', scenario: 'location_not_in_scope' });
  expect(server.tokenRequests).toHaveLength(1);
});

test('__proto__ in a response changes no prototype and is no field', async () => {
  const text = JSON.stringify(cart).replace('{', '{"__proto__":{"polluted":true},"\\u005f_proto__":{"polluted":1},');
  await serve((exchange) => exchange.reply(200, text));

  const found = await read(server.client());
  const copy = Object.assign({}, found) as { polluted?: unknown };

  expect(found.id).toBe(CART_ID);
  expect(copy.polluted).toBeUndefined();
  expect(Object.hasOwn(found, '__proto__')).toBe(false);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('a byte order mark before the JSON is no failure', async () => {
  await serve((exchange) => exchange.reply(200, `\uFEFF${JSON.stringify(cart)}`));

  expect((await read(server.client())).id).toBe(CART_ID);
});

test('a body in many small pieces, cut within a character, arrives whole', async () => {
  const name = 'Café Zürich 🥪';
  await serve((exchange) => {
    const bytes = Buffer.from(JSON.stringify({ ...cart, name }));
    exchange.raw(head(bytes.length));
    let at = 0;
    const timer = setInterval(() => {
      exchange.raw(bytes.subarray(at, at + 97));
      at += 97;
      if (at >= bytes.length) clearInterval(timer);
    }, 1);
  });

  expect(await read(server.client())).toMatchObject({ name });
});

test.each([
  ['../orders', undefined],
  ['..', undefined],
  ['.', undefined],
  ['a/../../orders', undefined],
  ['..\\orders', undefined],
  ['', undefined],
  ['x\r\nX-Evil: 1', undefined],
  ['x\u0000', undefined],
  ['\ud800', undefined],
  ['a?limit=1', '/carts/a%3Flimit%3D1'],
  ['a#b', '/carts/a%23b'],
  ['a%2fb', '/carts/a%252fb'],
  ['a/b', '/carts/a%2Fb'],
  ['%2e%2e', '/carts/%252e%252e'],
  ['..a', '/carts/..a'],
])('the id %j is refused before sending, or arrives as one segment: %j', async (id, arrives) => {
  await serve(ok);
  const client = server.client();

  const outcome = await client.carts.retrieve(id).then(
    () => server.requests[0]?.path,
    (error: unknown) => (error as Error).name,
  );

  expect(outcome).toBe(arrives ?? 'RequestValidationError');
  if (arrives === undefined) expect(server.connections).toBe(0);
});
