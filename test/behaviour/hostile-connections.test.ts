import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { APIConnectionTimeoutError, OnlineOrdering } from 'online-ordering-sdk';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SELF_SIGNED } from '../support/certificates.js';
import { CART_ID, cardPayment, ORDER_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';

/** Takes connections and never says a word: over https, the handshake never ends. */
let server: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server.close();
});

const client = (timeout: number) =>
  new OnlineOrdering({
    baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1/online-ordering`,
    clientId: ORDER_ID,
    clientSecret: 'secret',
    timeout,
    maxRetries: 0,
    logLevel: 'off',
  });

describe('A handshake that never ends', () => {
  /** The first connection is served, so that there is a token; all others stall. */
  async function clientWithToken(dispatcher: Agent): Promise<OnlineOrdering> {
    const tls = createSecureServer(SELF_SIGNED, (request, response) => {
      request.resume();
      const token = JSON.stringify({ access_token: 't', token_type: 'BEARER', expires_in: 9000 });
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(token);
    });
    server.once('connection', (socket) => tls.emit('connection', socket));
    const { port } = server.address() as AddressInfo;
    const made = new OnlineOrdering({
      baseUrl: `https://127.0.0.1:${port}/v1/online-ordering`,
      clientId: ORDER_ID,
      clientSecret: 'secret',
      timeout: 4000,
      maxRetries: 0,
      logLevel: 'off',
      dispatcher,
    });
    await made.auth.accessToken();
    return made;
  }

  test('ends with the attempt: nothing of a payment was sent, and the error says so', async () => {
    const dispatcher = new Agent({ connect: { ca: SELF_SIGNED.cert } });
    const root = await clientWithToken(dispatcher);
    const stalled = root.withOptions({ timeout: 300 });

    const from = performance.now();
    const read = await rejection(stalled.carts.retrieve(CART_ID));
    const paid = await rejection(stalled.orders.payments.create(ORDER_ID, cardPayment));

    expect(performance.now() - from).toBeLessThan(4000);
    expect(read).toBeInstanceOf(APIConnectionTimeoutError);
    expect(paid).toBeInstanceOf(APIConnectionTimeoutError);
    expect(paid).toMatchObject({ outcome: 'not_sent', attempts: 1 });
    await root.close();
    await dispatcher.destroy();
  });
});

test('close does not go on waiting for a connection whose attempt has timed out', async () => {
  const silent = client(200);
  const error = await rejection<Error>(silent.carts.retrieve(CART_ID));

  const closedAfterMs = await timed(silent.close());

  expect(error.message).toContain('the token endpoint did not respond in time');
  expect(closedAfterMs).toBeLessThan(5000);
});

test('close lets an attempt under way end by itself', async () => {
  const silent = client(600);
  const failed = rejection<Error>(silent.carts.retrieve(CART_ID));
  await once(server, 'connection');

  const closed = silent.close();

  expect((await failed).message).toContain('the token endpoint did not respond in time');
  expect(await timed(closed)).toBeLessThan(5000);
});

async function timed(work: Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}
