import { AuthenticationError, type CallError, memoryStore, type OnlineOrdering } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { CART_ID, cart, envelope, LOCATION_ID, location, ORDER_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { type Reply, type Seen, token } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const unauthorized: Reply = { status: 401, body: envelope('AUTHENTICATION_ERROR', 'Invalid or expired access token') };
const tooMany: Reply = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: envelope('RATE_LIMIT_ERROR', 'Too many token requests'),
};

/** A service of which one endpoint answers 401 to every token, and the others are well. */
const oneBadEndpoint = ({ path }: Seen): Reply =>
  path.startsWith('/orders') ? unauthorized : { status: 200, body: location };
const bad = (client: OnlineOrdering) => rejection<CallError>(client.orders.retrieve(ORDER_ID));
const good = (client: OnlineOrdering) => client.locations.retrieve(LOCATION_ID);

describe('an endpoint that responds with 401 for ever', () => {
  test('costs one token request in its first half minute, however often it is called', async () => {
    const service = new TestService(oneBadEndpoint);
    const client = service.client();

    for (let call = 0; call < 200; call += 1) {
      expect(await bad(client)).toBeInstanceOf(AuthenticationError);
      await good(client);
      await service.clock.advance(100);
    }

    expect(service.tokenRequests).toHaveLength(2);
  });

  test('is tried with a new token ever more rarely: after 30 s, then 60 s, then 120 s', async () => {
    const service = new TestService(oneBadEndpoint);
    const client = service.client();
    const start = service.clock.now();
    for (let second = 0; second < 600; second += 1) {
      await bad(client);
      await good(client);
      await service.clock.advance(1000);
    }

    const seconds = service.tokenRequests.map(({ at }) => Math.round((at - start) / 1000));
    expect(seconds).toEqual([0, 0, 30, 90, 210, 450]);
  });

  test('takes the token from no other call, though the token endpoint refuses another one for a minute', async () => {
    const service = new TestService(oneBadEndpoint);
    service.tokenHandler = (_request, index) => (index === 0 ? token('t1') : tooMany);
    const client = service.client();
    await good(client);
    const refused = bad(client);
    await settle();

    for (let call = 0; call < 20; call += 1) expect((await good(client)).id).toBe(LOCATION_ID);
    await service.clock.advance(600_000);
    expect((await refused).name).toBe('RateLimitError');
  });

  test('serves every other call from the present token while another one is on its way', async () => {
    const service = new TestService(oneBadEndpoint);
    const client = service.client();
    await good(client);
    service.tokenHandler = () => ({ hold: true });
    const refused = bad(client);
    await settle();

    await good(client);
    service.held[0]?.answer(token('t2'));
    await refused;
    await good(client);

    const tokens = service.requests.map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer t2', 'Bearer t2']);
  });

  test('causes no request at all when another call used the token with success after it', async () => {
    const service = new TestService((request) =>
      request.path.startsWith('/orders') ? { hold: true } : oneBadEndpoint(request),
    );
    const client = service.client();
    const slow = bad(client);
    await service.clock.advance(10);
    await good(client);
    service.held[0]?.answer(unauthorized);

    expect(await slow).toMatchObject({ status: 401, attempts: 1 });
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('does not send the token round between processes that share a store', async () => {
    const service = new TestService(oneBadEndpoint);
    const store = memoryStore({ clock: service.clock });
    const clients = Array.from({ length: 4 }, () => service.client({ shareToken: 'in_clear', store }));

    for (let second = 0; second < 100; second += 1) {
      for (const client of clients) {
        const refused = bad(client);
        await service.clock.advance(200);
        await refused;
        await good(client);
      }
      await service.clock.advance(200);
    }

    expect(service.tokenRequests.length).toBeLessThanOrEqual(8);
  });
});

test('a service that refuses every token costs few token requests, each call two requests at most', async () => {
  const service = new TestService(() => unauthorized);
  const client = service.client();

  for (let call = 0; call < 1000; call += 1) {
    expect(await rejection(client.carts.retrieve(CART_ID))).toBeInstanceOf(AuthenticationError);
    await rejection(client.locations.retrieve(LOCATION_ID));
    await service.clock.advance(10);
  }

  expect(service.tokenRequests.length).toBeLessThanOrEqual(3);
  expect(service.requests.length).toBeLessThanOrEqual(2004);
});

test('a token that was revoked is replaced again, minutes later', async () => {
  const service = new TestService(() => ({ status: 200, body: cart }));
  const client = service.client();
  for (let round = 1; round <= 3; round += 1) {
    await client.carts.retrieve(CART_ID);
    const revoked = `Bearer token-${round}`;
    service.handler = ({ headers }) => (headers.authorization === revoked ? unauthorized : { status: 200, body: cart });
    await service.clock.advance(60_000);

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
  }

  expect(service.tokenRequests).toHaveLength(4);
});

describe('a token and a wall clock that steps', () => {
  const HOUR = 3_600_000;

  test('ahead by a day costs one renewal in the background, and no loop of them', async () => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const client = service.client();
    await client.carts.retrieve(CART_ID);
    service.clock.step(25 * HOUR);
    for (let call = 0; call < 50; call += 1) {
      await client.carts.retrieve(CART_ID);
      await service.clock.advance(1000);
    }

    expect(service.tokenRequests).toHaveLength(2);
  });

  test('back by a day does not make an expired token live', async () => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const client = service.client();
    await client.carts.retrieve(CART_ID);
    service.clock.step(-25 * HOUR);
    await service.clock.advance(24 * HOUR);
    await client.carts.retrieve(CART_ID);

    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  test('does not touch the token that processes share', async () => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const store = memoryStore({ clock: service.clock });
    await service.client({ shareToken: 'in_clear', store }).carts.retrieve(CART_ID);
    const ahead = service.client({ shareToken: 'in_clear', store, clock: { ...skewed(service, 48 * HOUR) } });
    const behind = service.client({ shareToken: 'in_clear', store, clock: { ...skewed(service, -48 * HOUR) } });
    await settle();

    await ahead.carts.retrieve(CART_ID);
    await behind.carts.retrieve(CART_ID);

    expect(service.tokenRequests).toHaveLength(1);
  });

  test('is renewed by the process whose turn it is, and the others take the new one over', async () => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const store = memoryStore({ clock: service.clock });
    const [one, two] = [
      service.client({ shareToken: 'in_clear', store }),
      service.client({ shareToken: 'in_clear', store }),
    ];
    await one.carts.retrieve(CART_ID);
    await service.clock.advance(10 * HOUR);
    await two.carts.retrieve(CART_ID);
    await service.clock.advance(13.5 * HOUR);
    // The second process learnt of the token ten hours late, and only the store knows how old it is.
    for (let call = 0; call < 3; call += 1) {
      await two.carts.retrieve(CART_ID);
      await settle();
    }
    await service.clock.advance(6 * 60_000);
    for (let call = 0; call < 3; call += 1) {
      await one.carts.retrieve(CART_ID);
      await settle();
    }

    expect(service.tokenRequests).toHaveLength(2);
    expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });
});

function skewed({ clock }: TestService, ms: number) {
  return {
    now: () => clock.now() + ms,
    monotonic: () => clock.monotonic(),
    setTimer: clock.setTimer.bind(clock),
  };
}
