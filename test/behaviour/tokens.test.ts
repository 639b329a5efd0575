import { AuthenticationError, type CallError, memoryStore, TokenUnavailableError } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, envelope, LOCATION_ID, ORDER_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { inTurn, type Reply, token } from '../support/service/reply.js';
import { SECRET, TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const ok: Reply = { status: 200, body: cart };
const unauthorized: Reply = {
  status: 401,
  body: envelope('AUTHENTICATION_ERROR', 'Invalid or expired access token'),
};
const wrongCredentials: Reply = {
  status: 401,
  body: envelope('AUTHENTICATION_ERROR', 'Invalid client credentials', { detail: `secret ${SECRET} is wrong` }),
};
const HOUR = 3_600_000;

const sentTokens = (service: TestService) => service.requests.map(({ headers }) => headers.authorization);

describe('one token for all callers', () => {
  test('20 cold calls ask for one token', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const client = service.client();

    const calls = Array.from({ length: 20 }, () => client.carts.retrieve(CART_ID));
    await settle();
    service.held[0]?.answer(token('t1'));
    await Promise.all(calls);

    expect(service.tokenRequests).toHaveLength(1);
    expect(new Set(sentTokens(service))).toEqual(new Set(['Bearer t1']));
  });

  test('20 late 401s replace the token once', async () => {
    const service = new TestService(() => ({ hold: true }));
    const client = service.client();
    const calls = Array.from({ length: 20 }, () => client.carts.retrieve(CART_ID));
    await settle();
    service.handler = () => ok;

    for (const { answer } of service.held) {
      answer(unauthorized);
      await settle();
    }
    await Promise.all(calls);

    expect(service.tokenRequests).toHaveLength(2);
    expect(sentTokens(service).slice(20)).toEqual(Array.from({ length: 20 }, () => 'Bearer token-2'));
  });

  test('two processes with one store ask for one token', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const store = memoryStore({ clock: service.clock });
    const [one, two] = [
      service.client({ shareToken: 'in_clear', store }),
      service.client({ shareToken: 'in_clear', store }),
    ];

    const calls = [one.carts.retrieve(CART_ID), two.carts.retrieve(CART_ID)];
    await settle();
    service.held[0]?.answer(token('t1'));
    await service.clock.advance(1000);
    await Promise.all(calls);

    expect(service.tokenRequests).toHaveLength(1);
    expect(sentTokens(service)).toEqual(['Bearer t1', 'Bearer t1']);
  });

  test('a token that the service refused is not taken from the store again', async () => {
    const service = new TestService(() => ok);
    const store = memoryStore({ clock: service.clock });
    await service.client({ shareToken: 'in_clear', store }).carts.retrieve(CART_ID);
    await settle(); // The store is written to beside the call.
    service.handler = ({ headers }) => (headers.authorization === 'Bearer token-1' ? unauthorized : ok);

    const two = service.client({ shareToken: 'in_clear', store });
    const { attempts } = await two.carts.retrieve(CART_ID).withResponse();

    expect(attempts).toBe(2);
    expect(service.tokenRequests).toHaveLength(2);
    await settle();
    await service.client({ shareToken: 'in_clear', store }).carts.retrieve(CART_ID);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('a process whose token request does not end holds the others up for a minute at most', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = (_request, index) => (index === 0 ? { hold: true } : token('t2'));
    const store = memoryStore({ clock: service.clock });
    void service
      .client({ shareToken: 'in_clear', store, timeout: 600_000 })
      .carts.retrieve(CART_ID)
      .catch(() => {});
    await settle();

    const call = service.client({ shareToken: 'in_clear', store }).carts.retrieve(CART_ID);
    await service.clock.advance(61_000);

    expect((await call).id).toBe(CART_ID);
  });
});

describe('early renewal', () => {
  test('happens in the background one hour before expiry, while the old token serves', async () => {
    const service = new TestService(() => ok);
    const client = service.client();
    await client.carts.retrieve(CART_ID);
    service.tokenHandler = () => ({ hold: true });

    await service.clock.advance(23 * HOUR - 1);
    await client.carts.retrieve(CART_ID);
    expect(service.tokenRequests).toHaveLength(1);
    await service.clock.advance(1);
    await client.carts.retrieve(CART_ID);
    expect(service.tokenRequests).toHaveLength(2);
    service.held[0]?.answer(token('renewed'));
    await settle();
    await client.carts.retrieve(CART_ID);

    expect(sentTokens(service)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer renewed']);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('that fails is nobody else’s problem before expiry, and is not tried at every call', async () => {
    const service = new TestService(() => ok);
    const client = service.client({ maxRetries: 0 });
    const states: string[] = [];
    client.on('token', ({ state }) => states.push(state));
    await client.carts.retrieve(CART_ID);
    service.tokenHandler = () => ({ status: 500 });
    await service.clock.advance(23 * HOUR);

    for (let call = 0; call < 100; call += 1) await client.carts.retrieve(CART_ID);
    await settle();

    expect(service.tokenRequests).toHaveLength(2);
    expect(states).toEqual(['requested', 'obtained', 'requested', 'renewal_failed']);
    await service.clock.advance(HOUR);
    const error = await rejection(client.carts.retrieve(CART_ID));
    expect(error).toBeInstanceOf(TokenUnavailableError);
  });

  test('keeps no process alive: it waits neither for another attempt nor for a cool-down', async () => {
    const service = new TestService(() => ok);
    const client = service.client();
    await client.carts.retrieve(CART_ID);
    service.tokenHandler = () => ({ status: 429, headers: { 'retry-after': '120' } });
    await service.clock.advance(23 * HOUR);

    await client.carts.retrieve(CART_ID);
    await service.clock.advance(30_000);
    await client.carts.retrieve(CART_ID);

    expect(service.clock.foregroundTimers).toBe(0);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('of a token that lives shorter than two hours happens at half its life', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = (_request, index) => token(`t${index + 1}`, 600);
    const client = service.client();
    await client.carts.retrieve(CART_ID);

    await service.clock.advance(299_000);
    await client.carts.retrieve(CART_ID);
    expect(service.tokenRequests).toHaveLength(1);
    await service.clock.advance(1000);
    await client.carts.retrieve(CART_ID);

    expect(service.tokenRequests).toHaveLength(2);
  });
});

test('an expired token is not sent', async () => {
  const service = new TestService(() => ok);
  const client = service.client();
  await client.carts.retrieve(CART_ID);

  await service.clock.advance(24 * HOUR);
  await client.carts.retrieve(CART_ID);

  expect(sentTokens(service)).toEqual(['Bearer token-1', 'Bearer token-2']);
});

describe('a 401', () => {
  test('with no attempt left leads to no other attempt, and the next call has a new token', async () => {
    const service = new TestService(inTurn(unauthorized, ok));
    const client = service.client({ maxRetries: 0 });

    const error = await rejection<CallError>(client.carts.retrieve(CART_ID));
    await client.carts.retrieve(CART_ID);

    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.attempts).toBe(1);
    expect(sentTokens(service)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('leaves the resend only the attempts that are left', async () => {
    const service = new TestService(inTurn({ status: 500 }, unauthorized, { status: 500 }));

    const error = await rejection<CallError>(service.client({ maxRetries: 3 }).carts.retrieve(CART_ID));

    expect(error).toMatchObject({ status: 500, attempts: 4 });
    expect(service.requests).toHaveLength(4);
  });

  test('of a payment leads to an attempt with the same key and bytes', async () => {
    const service = new TestService(inTurn(unauthorized, ok));

    await service.client().orders.payments.create(ORDER_ID, cardPayment);

    const [first, second] = service.requests;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toBe(first?.body);
  });

  test('tells a write that no new token could be had, and that nothing was executed', async () => {
    const service = new TestService(() => unauthorized);
    service.tokenHandler = inTurn(token('t1'), { status: 500 });

    const error = await rejection<CallError>(
      service.client({ maxRetries: 1 }).carts.create({ location_id: LOCATION_ID }),
    );

    expect(error).toBeInstanceOf(TokenUnavailableError);
    expect(error).toMatchObject({ attempts: 1, outcome: 'not_sent' });
  });
});

describe('the token endpoint', () => {
  test('that is slow beyond the time-out is asked again, and then the call says that it was not sent', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ hold: true });
    const call = rejection<CallError>(service.client({ timeout: 1000, maxRetries: 2 }).carts.retrieve(CART_ID));

    await service.clock.advance(3000);

    const error = await call;
    expect(error).toBeInstanceOf(TokenUnavailableError);
    expect(error.message).toBe('GET /carts/{cart_id} was not sent: the token endpoint did not respond in time.');
    expect(service.tokenRequests).toHaveLength(3);
  });

  test.each([500, 502, 503, 408, 302, 404])(
    'that answers %i leaves a call with a TokenUnavailableError',
    async (status) => {
      const service = new TestService(() => ok);
      service.tokenHandler = () => ({ status, body: '<html>' });

      const error = await rejection<TokenUnavailableError>(service.client({ maxRetries: 1 }).carts.retrieve(CART_ID));

      expect(error).toBeInstanceOf(TokenUnavailableError);
      expect(error.message).toContain(`the token endpoint responded with ${status}`);
      expect(error).toMatchObject({ attempts: 0, retryAfterSeconds: undefined });
    },
  );

  test.each([
    ['no token', {}],
    ['a token with a line break', { access_token: 'a\r\nX-Evil: 1' }],
    ['an empty token', { access_token: '' }],
    ['a number', { access_token: 7 }],
    ['null', null],
  ])('that gives %s leaves a call with a TokenUnavailableError', async (_name, body) => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ status: 200, body });

    expect(await rejection(service.client().carts.retrieve(CART_ID))).toBeInstanceOf(TokenUnavailableError);
    expect(service.requests).toHaveLength(0);
  });

  test('that says nothing about the life of a token gives one for a day', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ status: 200, body: { access_token: 't1' } });
    const client = service.client();
    await client.carts.retrieve(CART_ID);

    await service.clock.advance(22 * HOUR);
    await client.carts.retrieve(CART_ID);

    expect(service.tokenRequests).toHaveLength(1);
  });

  test('that fails once is no failure of the call', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = inTurn({ status: 500 }, token('t1'));

    expect(await service.client().carts.retrieve(CART_ID)).toMatchObject({ id: CART_ID });
  });

  test('that limits for longer than maxWait is told as a RateLimitError, and not asked again', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => ({ status: 429, headers: { 'retry-after': '600' } });
    const client = service.client();

    const first = await rejection<CallError>(client.carts.retrieve(CART_ID));
    const second = await rejection<CallError>(client.carts.retrieve(CART_ID));

    expect(first).toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 600, attempts: 0 });
    expect(second).toMatchObject({ name: 'RateLimitError', retryAfterSeconds: 600, attempts: 0 });
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('that refuses the credentials ends in an AuthenticationError that says what to check', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => wrongCredentials;

    const error = await rejection<AuthenticationError>(service.client().carts.create({ location_id: LOCATION_ID }));

    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ attempts: 0, outcome: 'not_sent', scenario: 'invalid_credentials' });
    expect(error.message).toBe(
      'POST /carts was not sent: the token endpoint refused the client credentials (401 AUTHENTICATION_ERROR). ' +
        'Check clientId, clientSecret and whether they belong to this baseUrl.',
    );
    expect(service.tokenRequests).toHaveLength(1);
  });

  test('gets the body of the interface document, and no idempotency key', async () => {
    const service = new TestService(() => ok);
    await service.client().carts.retrieve(CART_ID);

    const [request] = service.tokenRequests;
    expect(JSON.parse(request?.body ?? '')).toEqual({
      grant_type: 'CLIENT_CREDENTIALS',
      client_id: '11111111-2222-4333-8444-555555555555',
      client_secret: SECRET,
    });
    expect(request?.headers['idempotency-key']).toBeUndefined();
    expect(request?.headers.authorization).toBeUndefined();
  });
});

describe('a secret given as a function', () => {
  test('is read again at a 401, and tried once more when it has changed', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = ({ body }) => (body?.includes('new-secret') ? token('t1') : wrongCredentials);
    const secrets = ['old-secret', 'new-secret'];
    const client = service.client({ clientSecret: async () => secrets.shift() ?? 'new-secret' });

    expect((await client.carts.retrieve(CART_ID)).id).toBe(CART_ID);
    expect(service.tokenRequests).toHaveLength(2);
  });

  test('that gives the same again is not tried again', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => wrongCredentials;

    const error = await rejection(service.client({ clientSecret: () => 'same' }).carts.retrieve(CART_ID));

    expect(error).toBeInstanceOf(AuthenticationError);
    expect(service.tokenRequests).toHaveLength(1);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('vault is sealed'))],
    ['gives no text', () => undefined as unknown as string],
  ])('that %s leaves the call with a TokenUnavailableError', async (_name, clientSecret) => {
    const service = new TestService(() => ok);

    const error = await rejection(service.client({ clientSecret }).carts.retrieve(CART_ID));

    expect(error).toBeInstanceOf(TokenUnavailableError);
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe('client.auth.accessToken', () => {
  test('gives the token that calls use', async () => {
    const service = new TestService(() => ok);
    const client = service.client();

    expect(await client.auth.accessToken()).toBe('token-1');
    await client.carts.retrieve(CART_ID);

    expect(service.tokenRequests).toHaveLength(1);
  });

  test('rejects like a call does', async () => {
    const service = new TestService(() => ok);
    service.tokenHandler = () => wrongCredentials;
    const client = service.client();

    expect(await rejection(client.auth.accessToken())).toBeInstanceOf(AuthenticationError);
    const aborted = await rejection(client.auth.accessToken({ signal: AbortSignal.abort() }));
    expect(aborted.name).toBe('APIUserAbortError');
  });
});
