import { ConfigurationError, OnlineOrdering } from 'online-ordering-sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CART_ID, cart, envelope, ORDER_ID, page } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { interceptFetch } from '../support/service/intercept-fetch.js';
import type { Reply, Seen } from '../support/service/reply.js';
import { CREDENTIALS, silent, TestService } from '../support/service/test-service.js';

let interception: ReturnType<typeof interceptFetch> | undefined;
/** Puts the service behind `globalThis.fetch` until the test ends. */
const intercept = (service: TestService): TestService => {
  interception = interceptFetch(service);
  return service;
};
afterEach(() => interception?.close());
afterEach(() => vi.unstubAllGlobals());
afterEach(() => vi.unstubAllEnvs());

describe('in a browser', () => {
  test('the constructor throws, because the secret is for servers only', () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});

    expect(() => new OnlineOrdering(CREDENTIALS)).toThrow(ConfigurationError);
    expect(() => new OnlineOrdering(CREDENTIALS)).toThrow('the client secret is for servers only');
  });

  test('a runtime that has a window and no document is none', () => {
    vi.stubGlobal('window', globalThis);

    expect(() => new OnlineOrdering(CREDENTIALS)).not.toThrow();
  });
});

/** A cart, and orders on two pages, for requests that carry the token. */
const shop = ({ path, headers }: Seen): Reply => {
  if (headers.authorization !== 'Bearer token-1') return { status: 401, body: envelope('AUTHENTICATION_ERROR', '') };
  if (path === '/carts') return { status: 201, body: cart };
  if (path === '/orders') return { status: 200, body: page([{ id: ORDER_ID }, { id: ORDER_ID }], 'c2') };
  if (path === '/orders?cursor=c2') return { status: 200, body: page([{ id: ORDER_ID }]) };
  return { status: 200, body: cart };
};

const called = ({ method, path }: Seen): string => `${method} ${path}`;

test.each([
  ['Workers', { navigator: { userAgent: 'Cloudflare-Workers' } }],
  ['Bun', { Bun: {} }],
])('on %s, where undici does not run, the client uses the fetch of the runtime', async (_runtime, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const client = new OnlineOrdering({ ...CREDENTIALS, logger: silent });
  const service = intercept(new TestService(shop));

  const found = await client.carts.retrieve(CART_ID);

  expect(found.id).toBe(CART_ID);
  expect(service.tokenRequests.map(called)).toEqual(['POST /auth/token']);
  expect(service.requests.map(called)).toEqual([`GET /carts/${CART_ID}`]);
});

test('address and credentials come from the environment when they are not given', async () => {
  vi.stubEnv('ONLINE_ORDERING_BASE_URL', CREDENTIALS.baseUrl);
  vi.stubEnv('ONLINE_ORDERING_CLIENT_ID', CREDENTIALS.clientId);
  vi.stubEnv('ONLINE_ORDERING_CLIENT_SECRET', CREDENTIALS.clientSecret);

  const client = new OnlineOrdering({ fetch, logger: silent });
  intercept(new TestService(shop));
  const found = await client.carts.retrieve(CART_ID);

  expect(found.id).toBe(CART_ID);
});

describe('with fetch: globalThis.fetch', () => {
  test('an interceptor that starts after the client was made sees every call', async () => {
    const client = new OnlineOrdering({ ...CREDENTIALS, fetch: globalThis.fetch, logger: silent, random: () => 0 });
    const service = intercept(new TestService(shop));

    const created = await client.carts.create({ location_id: cart.location_id }).withResponse();
    const orders = await client.orders.list().toArray({ limit: 10 });

    expect(created.data.id).toBe(CART_ID);
    expect(orders).toHaveLength(3);
    expect(service.tokenRequests.map(called)).toEqual(['POST /auth/token']);
    expect(service.requests.map(called)).toEqual(['POST /carts', 'GET /orders', 'GET /orders?cursor=c2']);
  });

  test('a network failure is typed, and counts as written unless its cause proves otherwise', async () => {
    intercept(new TestService(() => ({ fail: 'ECONNRESET' })));
    const client = new OnlineOrdering({ ...CREDENTIALS, fetch, logger: silent, random: () => 0, maxRetries: 1 });

    const error = await rejection(client.carts.create({ location_id: cart.location_id }));

    expect(error).toMatchObject({ name: 'APIConnectionError', outcome: 'unknown', attempts: 2 });
  });

  test('an error response of an interceptor is typed', async () => {
    const service = intercept(new TestService(shop));
    service.tokenHandler = () => ({
      status: 401,
      body: { error: { code: 'AUTHENTICATION_ERROR', message: 'Invalid client credentials' } },
    });

    const error = await rejection(
      new OnlineOrdering({ ...CREDENTIALS, fetch, logger: silent }).carts.retrieve(CART_ID),
    );

    expect(error).toMatchObject({ name: 'AuthenticationError', scenario: 'invalid_credentials' });
  });
});
