import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { OnlineOrdering } from 'online-ordering-sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CART_ID, ORDER_ID } from '../support/records/index.js';
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

test('close does not go on waiting for a connection whose attempt has timed out', async () => {
  const silent = client(200);
  const error = await rejection<Error>(silent.carts.retrieve(CART_ID));

  const closedAfterMs = await timed(silent.close());

  expect(error.message).toContain('the token endpoint did not respond in time');
  expect(closedAfterMs).toBeLessThan(1500);
});

test('close lets an attempt under way end by itself', async () => {
  const silent = client(600);
  const failed = rejection<Error>(silent.carts.retrieve(CART_ID));
  await once(server, 'connection');

  const closed = silent.close();

  expect((await failed).message).toContain('the token endpoint did not respond in time');
  expect(await timed(closed)).toBeLessThan(1500);
});

async function timed(work: Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}
