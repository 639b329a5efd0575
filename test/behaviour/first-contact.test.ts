import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CallError, OnlineOrdering, type OnlineOrderingOptions } from 'online-ordering-sdk';
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { CLIENTS_ONLY, SELF_SIGNED } from '../support/certificates.js';
import { CART_ID, LOCATION_ID } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { deadAddress } from '../support/service/listening-service.js';
import { CREDENTIALS, silent } from '../support/service/test-service.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
});

type Closable = { listen(port: number, host: string, done: () => void): unknown; address(): unknown; close(): unknown };

async function listening(server: Closable): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function tlsAddress(certificate: { key: string; cert: string }): Promise<string> {
  return `https://127.0.0.1:${await listening(createTlsServer(certificate))}/v1/online-ordering`;
}

function clientOf(options: OnlineOrderingOptions): OnlineOrdering {
  const client = new OnlineOrdering({ ...CREDENTIALS, logger: silent, random: () => 0, maxRetries: 3, ...options });
  cleanUp.push(() => client.close());
  return client;
}

/** The first call of a client, how it failed, and how often a connection was tried. */
async function firstFailure(options: OnlineOrderingOptions): Promise<CallError> {
  return rejection<CallError>(clientOf(options).carts.retrieve(CART_ID));
}

const overs: [string, OnlineOrderingOptions][] = [
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

test.each(overs)('over %s the first failure names a certificate that is not trusted', async (_over, options) => {
  const error = await firstFailure({ ...options, baseUrl: await tlsAddress(SELF_SIGNED) });

  expect(error).toMatchObject({ name: 'TokenUnavailableError', outcome: undefined, attempts: 0 });
  expect(error.message).toContain('could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT)');
});

test.each(overs)('over %s the first failure names a refused connection', async (_over, options) => {
  const error = await firstFailure({ ...options, maxRetries: 0, baseUrl: await deadAddress() });

  expect(error.message).toContain('could not be reached (ECONNREFUSED)');
});

/** A dispatcher, and a fetch over it, whose names are looked up by the test alone: nothing leaves this machine. */
function lookingUp(code: string, over: string): { options: OnlineOrderingOptions; lookups: () => number } {
  let lookups = 0;
  const lookup = (host: string, _options: object, done: (error: Error) => void): void => {
    lookups += 1;
    done(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code, errno: -3008, syscall: 'getaddrinfo' }));
  };
  const dispatcher = new Agent({ connect: { lookup: lookup as never } });
  cleanUp.push(() => dispatcher.close());
  const fetch = ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher })) as typeof globalThis.fetch;
  return { options: over === 'fetch' ? { fetch } : { dispatcher }, lookups: () => lookups };
}

test.each(['a dispatcher', 'fetch'])(
  'over %s the first failure names a host that does not resolve, looked up twice at most',
  async (over) => {
    const { options, lookups } = lookingUp('ENOTFOUND', over);

    const error = await firstFailure({ ...options, baseUrl: 'https://no-such-host.example/v1/online-ordering' });

    expect(error).toMatchObject({ name: 'TokenUnavailableError', outcome: undefined, attempts: 0 });
    expect(error.message).toContain('could not be reached (ENOTFOUND)');
    expect(lookups()).toBe(2);
  },
);

test.each(['a dispatcher', 'fetch'])('over %s a resolver that is away is tried again', async (over) => {
  const { options, lookups } = lookingUp('EAI_AGAIN', over);

  const error = await firstFailure({ ...options, maxRetries: 1 });

  expect(error.message).toContain('could not be reached (EAI_AGAIN)');
  expect(lookups()).toBe(2);
});

test('a write whose host does not resolve was not sent, and says so', async () => {
  const { options } = lookingUp('ENOTFOUND', 'a dispatcher');

  const error = await rejection<CallError>(clientOf(options).carts.create({ location_id: LOCATION_ID }));

  expect(error).toMatchObject({ name: 'TokenUnavailableError', outcome: 'not_sent' });
});

test('a certificate that no server may show is final after one attempt', async () => {
  const baseUrl = await tlsAddress(CLIENTS_ONLY);
  const dispatcher = new Agent({ connect: { ca: CLIENTS_ONLY.cert } });
  cleanUp.push(() => dispatcher.close());
  let attempts = 0;
  const client = clientOf({ baseUrl, dispatcher });
  client.on('request', () => {
    attempts += 1;
  });

  const error = await rejection<CallError>(client.carts.retrieve(CART_ID));

  expect(error.message).toContain('(INVALID_PURPOSE)');
  expect(attempts).toBe(1);
});

test.each(['a dispatcher', 'fetch'])(
  'over %s a proxy that wants credentials is named, after one attempt',
  async (over) => {
    let tunnels = 0;
    const proxy = createServer().on('connect', (_request, socket) => {
      tunnels += 1;
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    });
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${await listening(proxy)}`);
    cleanUp.push(() => dispatcher.close());
    const fetch = ((input: string, init: object) =>
      undiciFetch(input, { ...init, dispatcher })) as typeof globalThis.fetch;

    const error = await firstFailure(over === 'fetch' ? { fetch } : { dispatcher });

    expect(error.message).toContain('could not be reached (PROXY_407)');
    expect(tunnels).toBe(1);
  },
);
