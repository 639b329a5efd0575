import { inspect } from 'node:util';
import {
  type CallError,
  ConfigurationError,
  type DriftFacts,
  OnlineOrdering,
  type OnlineOrderingOptions,
  RequestValidationError,
  VERSION,
} from 'online-ordering-sdk';
import { Agent, RetryAgent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, LOCATION_ID, ORDER_ID, page, payment } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { ListeningService } from '../support/service/listening-service.js';
import { CREDENTIALS, TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

let server: ListeningService | undefined;
afterEach(async () => server?.stop());

const OWN_AGENT = `online-ordering-sdk/${VERSION} (node/${process.versions.node})`;
const agentsOf = (service: TestService) =>
  [...service.tokenRequests, ...service.requests].map(({ headers }) => headers['user-agent']);

test('every request names the package and the runtime', async () => {
  const service = new TestService(() => ({ status: 200, body: cart }));
  await service.client().carts.retrieve(CART_ID);

  expect(agentsOf(service)).toEqual([OWN_AGENT, OWN_AGENT]);
});

test('a user agent of the partner stands in front of the own one', async () => {
  const service = new TestService(() => ({ status: 200, body: cart }));
  const client = service.client({ defaultHeaders: { 'User-Agent': 'shop/7' } });
  await client.carts.retrieve(CART_ID);
  await client.carts.retrieve(CART_ID, { headers: { 'user-agent': 'batch/2' } });
  await client.withOptions({ defaultHeaders: { 'user-agent': 'view/3' } }).carts.retrieve(CART_ID);

  const names = ['shop/7', 'shop/7', 'batch/2', 'view/3'];
  expect(agentsOf(service)).toEqual(names.map((name) => `${name} ${OWN_AGENT}`));
});

test.each([[new Headers({ a: 'b' })], [new Map([['a', 'b']])], [[['a', 'b']]], ['a: b']])(
  'headers as %o are refused, since nothing of them would be sent',
  async (headers) => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const given = headers as unknown as Record<string, string>;

    const error = await rejection(service.client().carts.retrieve(CART_ID, { headers: given }));

    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error.message).toContain('is not a plain object; write for example');
    expect(() => service.client({ defaultHeaders: given })).toThrow(ConfigurationError);
    expect(service.requests).toEqual([]);
  },
);

test('payments and refunds go over the dispatcher that is given for them', async () => {
  const calls = new TestService(() => ({ status: 200, body: cart }));
  const payments = new TestService(() => ({ status: 201, body: payment }));
  const client = calls.client({ dispatcher: { calls: calls.dispatcher, payments: payments.dispatcher } });

  await client.carts.retrieve(CART_ID);
  await client.orders.payments.create(ORDER_ID, cardPayment);
  await client.request({ method: 'POST', path: `/orders/${ORDER_ID}/refunds`, body: { amount: 1 } });

  expect(calls.requests.map(({ method }) => method)).toEqual(['GET']);
  expect(payments.requests.map(({ path }) => path.split('/').pop())).toEqual(['payments', 'refunds']);
});

test('a pair of dispatchers with one missing is refused', () => {
  const { dispatcher } = new TestService(() => ({ status: 200 }));

  expect(() => new OnlineOrdering({ ...CREDENTIALS, dispatcher: { calls: dispatcher } as never })).toThrow(
    'or two as { calls, payments }',
  );
});

/** What a client says when it is made. */
function warningsOf(options: OnlineOrderingOptions): string[] {
  const lines: string[] = [];
  const nothing = () => {};
  const logger = { error: nothing, warn: (line: string) => void lines.push(line), info: nothing, debug: nothing };
  new OnlineOrdering({ ...CREDENTIALS, logger, ...options });
  return lines;
}

test.each([
  ['https://api.example.com', '"https://api.example.com/v1/online-ordering" was probably meant'],
  ['https://api.example.com/shop', '"https://api.example.com/shop/v1/online-ordering" was probably meant'],
  [
    'https://api.example.com/v2/online-ordering',
    'was written for version 1; write "https://api.example.com/v1/online-ordering"',
  ],
])('the base address %s draws a warning, and is refused with strict validation', (baseUrl, advice) => {
  expect(warningsOf({ baseUrl })).toEqual([expect.stringContaining(advice)]);
  expect(() => warningsOf({ baseUrl, validation: 'strict' })).toThrow(advice);
  expect(warningsOf({ baseUrl, logLevel: 'error' })).toEqual([]);
});

test('a client id that is not a UUID draws a warning that does not repeat it', () => {
  const [line] = warningsOf({ clientId: 'the-secret-by-mistake' });

  expect(line).toContain('"clientId" is not a UUID');
  expect(line).not.toContain('the-secret-by-mistake');
  expect(warningsOf({})).toEqual([]);
});

test('a RetryAgent draws a warning: it would send payments again', async () => {
  const agent = new Agent();

  expect(warningsOf({ dispatcher: new RetryAgent(agent) })).toEqual([expect.stringContaining('RetryAgent')]);
  await agent.close();
});

test('a host of a private network may be reached over plain http when it is named', () => {
  const baseUrl = 'http://mock:4010/v1/online-ordering';

  expect(() => warningsOf({ baseUrl })).toThrow('"plainHttpHosts"');
  expect(() => warningsOf({ baseUrl, plainHttpHosts: ['other'] })).toThrow('"plainHttpHosts"');
  expect(warningsOf({ baseUrl, plainHttpHosts: ['mock'] })).toEqual([]);
  expect(() => warningsOf({ baseUrl, plainHttpHosts: 'mock' as never })).toThrow('give an array of host names');
});

test('filters that the package does not know are sent with the option query', async () => {
  const service = new TestService(() => ({ status: 200, body: page([]) }));
  const client = service.client();

  await client.locations.list({ limit: 5 }, { query: { city: 'Salt Lake', open: true } });
  const error = await rejection(client.locations.list({ limit: 5 }, { query: { limit: 7 } }));

  expect(service.requests.map(({ path }) => path)).toEqual(['/locations?limit=5&city=Salt%20Lake&open=true']);
  expect(error.message).toContain('"limit" of the option "query" is set by the method already');
});

test('headers that announce the end of an endpoint are told as drift', async () => {
  const headers = { deprecation: 'true', sunset: 'Sat, 31 Jan 2027 00:00:00 GMT' };
  const service = new TestService(() => ({ status: 200, body: cart, headers }));
  const client = service.client({ validation: 'strict' });
  const drifts: DriftFacts[] = [];
  client.on('drift', (facts) => drifts.push(facts));

  await client.carts.retrieve(CART_ID);

  expect(drifts.map(({ path, issues }) => ({ path, issues }))).toEqual([
    {
      path: '/carts/{cart_id}',
      issues: [
        { path: 'header deprecation', kind: 'deprecated' },
        { path: 'header sunset', kind: 'deprecated' },
      ],
    },
  ]);
});

test('the error of a fetch that holds the request does not show the token', async () => {
  const service = new TestService(() => ({ status: 200, body: cart }));
  const client = service.client({
    dispatcher: undefined,
    fetch: async (input, init) => {
      if (String(input).endsWith('/auth/token')) {
        return Response.json({ access_token: 'tk_hidden', token_type: 'BEARER', expires_in: 9000 });
      }
      const headers = init?.headers;
      throw Object.assign(new Error('x'), {
        code: 'ECONNRESET',
        config: { headers },
        request: { headers },
        options: { headers },
      });
    },
    maxRetries: 0,
  });

  const error = await rejection<CallError>(client.carts.retrieve(CART_ID));

  expect(error.name).toBe('APIConnectionError');
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('tk_hidden');
});

test('menus that stall leave the sockets of all other calls free', async () => {
  server = await ListeningService.start((exchange) => {
    if (!exchange.path.endsWith('/menu')) exchange.reply(200, cart);
  });
  const client = server.client({ maxRetries: 0, timeout: 5000 });
  await client.auth.accessToken();
  const menus = Array.from({ length: 200 }, () => client.menus.retrieve(LOCATION_ID).catch(() => {}));

  expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  await server.refuseConnections();
  await Promise.all(menus);
});

test('paths made of ids leave nothing behind in the bookkeeping of known endpoints', async () => {
  const service = new TestService(() => ({ status: 200, body: cart }));
  const client = service.client();
  for (let index = 0; index < 1200; index += 1) await client.request({ method: 'GET', path: `/orders/${index}` });
  const { operationOf } = await import('../../src/http/exchange/operation.js');

  expect(operationOf('GET', '/carts/{cart_id}')).toBe(operationOf('GET', '/carts/{cart_id}'));
  expect(operationOf('GET', '/orders/1199')).toBe(operationOf('GET', '/orders/1199'));
  expect(operationOf('GET', '/carts/{cart_id}').name).toBe('GET /carts/{cart_id}');
});

test('the version is that of the package', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });

  expect(VERSION).toBe(manifest.version);
});

test('an operator can end a cool-down: calls that wait go on, and later ones are sent', async () => {
  const service = new TestService((_request, index) =>
    index === 0 ? { status: 429, headers: { 'retry-after': '86400' } } : { status: 200, body: cart },
  );
  const client = service.client({ maxRetries: 0 });
  await rejection(client.carts.retrieve(CART_ID));
  expect(await rejection(client.carts.retrieve(CART_ID))).toMatchObject({ name: 'RateLimitError', attempts: 0 });
  const waiting = client.withOptions({ maxWait: 100_000_000 }).carts.retrieve(CART_ID);
  await settle();
  expect(service.requests).toHaveLength(1);

  client.endCooldowns();
  await service.clock.advance(2000);

  expect((await waiting).id).toBe(CART_ID);
  expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
});
