import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { OnlineOrdering } from 'online-ordering-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cardPayment, ORDER_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';

const SECRET = 'the-client-secret-4711';
const TOKEN = 'the-access-token-eyJhbGciOi';
const STREET = '742 Evergreen Terrace';
const TOKEN_BODY = JSON.stringify({ access_token: TOKEN, token_type: 'Bearer', expires_in: 86_400 });
const TOKEN_ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: ${TOKEN_BODY.length}\r\n\r\n${TOKEN_BODY}`;

/** Bytes that are no HTTP, in three places, each with what nobody may see. */
const GARBAGE: Record<string, string> = {
  'a bad chunk': `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n${TOKEN} ${STREET} ${SECRET}\r\n`,
  'a bad header': `HTTP/1.1 200 OK\r\nx echo ${TOKEN} ${STREET} ${SECRET}\r\n\r\n`,
  'no status line': `{"access_token":"${TOKEN}","street":"${STREET}","secret":"${SECRET}"}\r\n\r\n`,
};

let server: Server | undefined;
afterEach(() => server?.close());

/** Answers each request with whatever bytes it is given, and hangs up. */
async function serve(bytes: (path: string) => string): Promise<string> {
  server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => socket.end(bytes(String(request).split(' ')[1] ?? '')));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/online-ordering`;
}

/** Everything of an error that a logger may write down. */
function shown(error: Error): string {
  return `${inspect(error, { depth: 10, showHidden: true })} ${error.stack} ${JSON.stringify(error)}`;
}

describe.each([
  ['undici', undefined],
  ['fetch', globalThis.fetch],
])('over %s', (_name, fetch) => {
  const clientOf = (baseUrl: string) =>
    new OnlineOrdering({ baseUrl, clientId: ORDER_ID, clientSecret: SECRET, maxRetries: 0, logLevel: 'off', fetch });

  test.each(Object.entries(GARBAGE))('%s in a response never shows its bytes in an error', async (_place, garbage) => {
    await using client = clientOf(await serve((path) => (path.endsWith('/auth/token') ? TOKEN_ANSWER : garbage)));

    const errors = [
      await rejection<Error>(client.carts.retrieve(CART_ID)),
      await rejection<Error>(client.orders.payments.create(ORDER_ID, cardPayment)),
    ];

    for (const text of errors.map(shown)) {
      expect(text).toContain('HTTPParserError');
      for (const word of [TOKEN, STREET, SECRET]) expect(text).not.toContain(word);
    }
  });

  test.each(Object.entries(GARBAGE))(
    '%s from the token endpoint never shows its bytes either',
    async (_place, bytes) => {
      await using client = clientOf(await serve(() => bytes));

      const text = shown(await rejection<Error>(client.carts.retrieve(CART_ID)));

      expect(text).toContain('TokenUnavailableError');
      for (const word of [TOKEN, STREET, SECRET]) expect(text).not.toContain(word);
    },
  );
});
