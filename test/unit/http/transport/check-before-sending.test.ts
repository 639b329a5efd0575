import type { CallError } from 'online-ordering-sdk';
import { afterEach, expect, test } from 'vitest';
import { Connection } from '../../../../src/connection.js';
import { type OnlineOrderingOptions, resolveConnection, resolveSettings } from '../../../../src/options.js';
import { CART_ID, cart } from '../../../support/records/index.js';
import { rejection } from '../../../support/rejection.js';
import { ListeningService, wired } from '../../../support/service/listening-service.js';
import { CREDENTIALS, silent } from '../../../support/service/test-service.js';

let server: ListeningService;
let connection: Connection;
afterEach(async () => {
  await connection.close();
  await server.stop();
});

/** Sends a GET of a cart, or a write, with a check. */
async function prepare(options: OnlineOrderingOptions) {
  server = await ListeningService.start((exchange) => exchange.reply(200, cart));
  const given = { ...CREDENTIALS, baseUrl: server.baseUrl, logger: silent, ...options };
  const settings = resolveSettings(given);
  connection = new Connection(resolveConnection(given), settings);
  const caller = connection.callerFor(settings);
  const pathParams = { cart_id: CART_ID };
  return {
    read: (checkBeforeSending: () => void) => caller.call('GET /carts/{cart_id}', { pathParams, checkBeforeSending }),
    write: (checkBeforeSending: () => void) =>
      caller.call('PATCH /carts/{cart_id}', { pathParams, body: { customer_id: null }, checkBeforeSending }),
  };
}

const overs: [string, OnlineOrderingOptions][] = [
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

test.each(overs)('over %s a check that throws at the moment of sending leaves nothing sent', async (_name, options) => {
  const { write } = await prepare(options);
  const reason = new Error('the lease is too old');
  const check = () => {
    throw reason;
  };

  const error = await rejection<CallError>(write(check));

  expect(error).toMatchObject({ name: 'CallError', outcome: 'not_sent', cause: reason });
  expect(error.message).toContain('PATCH /carts/{cart_id}');
  expect(server.requests).toEqual([]);
});

test.each(overs)('over %s a check that lets a request pass is asked once for each attempt', async (_name, options) => {
  const { read } = await prepare(options);
  let asked = 0;

  await read(() => {
    asked += 1;
  });

  expect([asked, server.requests.length]).toEqual([1, 1]);
});

test('a check is asked when a socket is free, and not when the request is queued for one', async () => {
  const { read } = await prepare({});
  await read(() => {});
  const waiting: (() => void)[] = [];
  server.handler = wired([(exchange) => waiting.push(() => exchange.reply(200, cart))]);
  const stalled = Array.from({ length: 128 }, () => read(() => {}));
  let asked = false;
  const queued = read(() => {
    asked = true;
  });
  while (waiting.length < 128) await new Promise((resolve) => setTimeout(resolve, 5));

  expect(asked).toBe(false);
  server.handler = () => ({ status: 200, body: cart });
  for (const answer of waiting) answer();
  await Promise.all([...stalled, queued]);
  expect(asked).toBe(true);
});
