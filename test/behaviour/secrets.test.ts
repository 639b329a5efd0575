import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import type { APIError, Logger, OnlineOrdering } from 'online-ordering-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, envelope, LOCATION_ID, ORDER_ID, page } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { type Reply, token } from '../support/service/reply.js';
import { SECRET, TestService } from '../support/service/test-service.js';

const TOKEN = 'the-access-token-eyJhbGciOi';
const CUSTOMER = 'CUST-8675309';
const STREET = '742 Evergreen Terrace';
const CARD = 'tok_live_4242';
const FORBIDDEN = [SECRET, TOKEN, CUSTOMER, STREET, CARD];

const refusal = (status: number, code: string): Reply => ({
  status,
  headers: { 'set-cookie': `session=${TOKEN}`, 'x-request-id': 'req-1' },
  body: envelope(code, `Customer ${CUSTOMER} at ${STREET}: invalid`, {
    detail: `secret ${SECRET}, token ${TOKEN}, card ${CARD}`,
    field: `customer_id ${CUSTOMER}`,
  }),
});

/** Every way in which a call ends, each with the secrets in reach. */
const ANSWERS: Record<string, Reply> = {
  success: { status: 200, body: { ...cart, customer_id: CUSTOMER, street: STREET } },
  drift: { status: 200, body: { id: 7, customer_id: CUSTOMER, street: [STREET], [CUSTOMER]: TOKEN } },
  'not JSON': { status: 200, body: `<html>${STREET} ${TOKEN}</html>` },
  truncated: { status: 200, body: `{"customer_id":"${CUSTOMER}","street":"${STREET}"` },
  '400': refusal(400, 'INVALID_REQUEST_ERROR'),
  '401': refusal(401, 'AUTHENTICATION_ERROR'),
  '403': refusal(403, 'AUTHENTICATION_ERROR'),
  '409': refusal(409, 'CONFLICT_ERROR'),
  '422': refusal(422, 'INVALID_REQUEST_ERROR'),
  '429': refusal(429, 'RATE_LIMIT_ERROR'),
  '500': refusal(500, CUSTOMER),
  reset: { fail: 'ECONNRESET', written: true },
};

const CHANNELS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map(
  (part) => `tracing:online-ordering-sdk:request:${part}`,
);

/** Every text that leaves the client while `work` runs: log lines, events, messages of the diagnostics channels, errors. */
async function textsOf(reply: Reply, tokenReply: Reply, work: (client: OnlineOrdering) => PromiseLike<unknown>) {
  const seen: unknown[] = [];
  const note = (message: unknown) => void seen.push(message);
  for (const name of [...CHANNELS, 'online-ordering-sdk:drift']) {
    subscribe(name, note);
    stops.push(() => unsubscribe(name, note));
  }
  const service = new TestService(() => reply);
  service.tokenHandler = () => tokenReply;
  const log = (...line: unknown[]) => void seen.push(line);
  const logger: Logger = { error: log, warn: log, info: log, debug: log };
  const client = service.client({ logger, logLevel: 'debug', validation: 'strict', maxRetries: 1 });
  for (const name of ['request', 'response', 'retry', 'cooldown', 'budget', 'token', 'store', 'drift'] as const) {
    client.on(name, note);
  }

  const call = work(client).then(
    () => [],
    (error: unknown) => [error],
  );
  await service.clock.advance(10_000);
  const result = await call;

  expect(seen.length).toBeGreaterThan(3);
  const shown = (value: unknown) => [
    inspect(value, { depth: 10, showHidden: true }),
    JSON.stringify(value),
    String(value),
  ];
  return [...seen, ...result].flatMap(shown).concat(shown(client)).join('\n');
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const CALLS: Record<string, (client: OnlineOrdering) => PromiseLike<unknown>> = {
  'a read': (client) => client.orders.list({ customer_id: CUSTOMER }),
  'a write': (client) => client.carts.update(CART_ID, { customer_id: CUSTOMER }),
  'a payment': (client) => client.orders.payments.create(ORDER_ID, { ...cardPayment, payment_token: CARD }),
  'a handoff': (client) =>
    client.carts.setHandoff(CART_ID, {
      mode: 'DELIVERY',
      delivery_address: { street: STREET, city: 'Springfield', state: 'OR', postal_code: '97477' },
    }),
};

describe.each(Object.entries(CALLS))('%s', (_call, work) => {
  test.each(Object.entries(ANSWERS))(
    'answered with %s lets no secret and nothing personal out',
    async (_name, reply) => {
      const texts = await textsOf(reply, token(TOKEN), work);

      expect(FORBIDDEN.filter((word) => texts.includes(word))).toEqual([]);
    },
  );
});

test.each(Object.entries(ANSWERS))(
  'a token endpoint that responds with %s lets no secret out',
  async (_name, reply) => {
    const texts = await textsOf({ status: 200, body: page([]) }, reply, (client) => client.orders.list());

    expect(FORBIDDEN.filter((word) => texts.includes(word))).toEqual([]);
  },
);

test.each([
  [
    'a body',
    (client: OnlineOrdering) => client.carts.create({ location_id: STREET, customer_id: `${CUSTOMER} ${SECRET}` }),
  ],
  ['a path', (client: OnlineOrdering) => client.carts.retrieve(`../${CUSTOMER}`)],
  ['a query', (client: OnlineOrdering) => client.orders.list({ customer_id: `${CUSTOMER}\ud800` })],
  ['a header', (client: OnlineOrdering) => client.carts.retrieve(CART_ID, { headers: { 'x-a': `${SECRET}\n` } })],
  [
    'a key',
    (client: OnlineOrdering) => client.carts.create({ location_id: LOCATION_ID }, { idempotencyKey: CUSTOMER }),
  ],
])('%s that is refused before sending is not repeated in the error', async (_name, work) => {
  const client = new TestService(() => ({ status: 200, body: cart })).client();

  const error = await Promise.resolve(work(client)).then(
    () => undefined,
    (reason: unknown) => reason,
  );

  expect(error).toMatchObject({ name: 'RequestValidationError' });
  const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);
  expect(FORBIDDEN.filter((word) => shown.includes(word))).toEqual([]);
});

test('what the service says of a customer can still be read from the error', async () => {
  const service = new TestService(() => ANSWERS['422'] as Reply);
  const error = await rejection<APIError>(service.client().carts.retrieve(CART_ID));

  expect(error.serviceMessage).toBe(`Customer ${CUSTOMER} at ${STREET}: invalid`);
  expect(error.detail).toContain(SECRET);
  expect(error.headers['set-cookie']).toBeUndefined();
});
