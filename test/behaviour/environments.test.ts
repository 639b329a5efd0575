import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { ConfigurationError, OnlineOrdering } from 'online-ordering-sdk';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mswService } from '../support/msw-service.js';
import { CART_ID, cart } from '../support/records.js';
import { CREDENTIALS, rejection, silent } from '../support/scripted-service.js';

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

test.each([
  ['Workers', { navigator: { userAgent: 'Cloudflare-Workers' } }],
  ['Bun', { Bun: {} }],
])('on %s, where undici does not run, the client uses the fetch of the runtime', async (_runtime, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const service = mswService();
  const client = new OnlineOrdering({ ...CREDENTIALS, logger: silent });
  service.server.listen({ onUnhandledRequest: 'error' });

  const found = await client.carts.retrieve(CART_ID);
  service.server.close();

  expect(found.id).toBe(CART_ID);
  expect(service.seen).toEqual(['POST /auth/token', `GET /carts/${CART_ID}`]);
});

test('address and credentials come from the environment when they are not given', async () => {
  vi.stubEnv('ONLINE_ORDERING_BASE_URL', CREDENTIALS.baseUrl);
  vi.stubEnv('ONLINE_ORDERING_CLIENT_ID', CREDENTIALS.clientId);
  vi.stubEnv('ONLINE_ORDERING_CLIENT_SECRET', CREDENTIALS.clientSecret);
  const service = mswService();

  const client = new OnlineOrdering({ fetch, logger: silent });
  service.server.listen({ onUnhandledRequest: 'error' });
  const found = await client.carts.retrieve(CART_ID);
  service.server.close();

  expect(found.id).toBe(CART_ID);
});

describe('with fetch: globalThis.fetch', () => {
  test('an interceptor that starts after the client was made sees every call', async () => {
    const client = new OnlineOrdering({ ...CREDENTIALS, fetch: globalThis.fetch, logger: silent, random: () => 0 });
    const service = mswService();
    service.server.listen({ onUnhandledRequest: 'error' });
    try {
      const created = await client.carts.create({ location_id: cart.location_id }).withResponse();
      const orders = await client.orders.list().toArray({ limit: 10 });

      expect(created.data.id).toBe(CART_ID);
      expect(orders).toHaveLength(3);
      expect(service.seen).toEqual(['POST /auth/token', 'POST /carts', 'GET /orders', 'GET /orders?cursor=c2']);
    } finally {
      service.server.close();
    }
  });

  test('a network failure is typed, and counts as written unless its cause proves otherwise', async () => {
    const service = mswService();
    service.server.listen({ onUnhandledRequest: 'error' });
    service.server.use(http.post(`${CREDENTIALS.baseUrl}/carts`, () => HttpResponse.error()));
    const client = new OnlineOrdering({ ...CREDENTIALS, fetch, logger: silent, random: () => 0, maxRetries: 1 });
    try {
      const error = await rejection(client.carts.create({ location_id: cart.location_id }));

      expect(error).toMatchObject({ name: 'APIConnectionError', outcome: 'unknown', attempts: 2 });
    } finally {
      service.server.close();
    }
  });

  test('an error answer of an interceptor is typed', async () => {
    const server = setupServer(
      http.post(`${CREDENTIALS.baseUrl}/auth/token`, () =>
        HttpResponse.json(
          { error: { code: 'AUTHENTICATION_ERROR', message: 'Invalid client credentials' } },
          { status: 401 },
        ),
      ),
    );
    server.listen({ onUnhandledRequest: 'error' });
    try {
      const error = await rejection(
        new OnlineOrdering({ ...CREDENTIALS, fetch, logger: silent }).carts.retrieve(CART_ID),
      );

      expect(error).toMatchObject({ name: 'AuthenticationError', scenario: 'invalid_credentials' });
    } finally {
      server.close();
    }
  });
});
