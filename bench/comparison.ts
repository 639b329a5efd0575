/**
 * What partners ask of an SDK, tried on this package and on public ones, over loopback, with the options that each has as it
 * comes (retries: 2, so that all have the same):
 *
 *   npm ci --prefix bench && npx tsx bench/comparison.ts
 *
 * Prints the table of docs/comparison.md. Each row is a small server with one misbehaviour; what is written is what it saw.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import OpenAI from 'openai';
import { SquareClient } from 'square';
import Stripe from 'stripe';
import { OnlineOrdering } from '../src/index.js';

const SECRET = 'sk_test_a_secret_that_must_not_be_seen';
const RETRIES = 2;

interface Sdk {
  readonly client: object;
  /** Reads something. */
  read(timeoutMs?: number, signal?: AbortSignal): Promise<unknown>;
  /** Writes something. */
  write(): Promise<unknown>;
}

type Make = (port: number) => Sdk;

const CART = { location_id: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11' };

const SDKS: Readonly<Record<string, Make>> = {
  'this package': (port) => {
    const client = new OnlineOrdering({
      baseUrl: `http://127.0.0.1:${port}/v1/online-ordering`,
      clientId: CART.location_id,
      clientSecret: SECRET,
      maxRetries: RETRIES,
      logLevel: 'off',
      validation: 'off',
    });
    return {
      client,
      read: (timeout, signal) => client.orders.retrieve(CART.location_id, { timeout, signal }),
      write: () => client.carts.create(CART),
    };
  },
  stripe: (port) => {
    const client = new Stripe(SECRET, {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      maxNetworkRetries: RETRIES,
      telemetry: false,
    });
    return {
      client,
      read: (timeout) => client.customers.retrieve('cus_1', {}, timeout === undefined ? {} : { timeout }),
      write: () => client.customers.create({ name: 'A' }),
    };
  },
  openai: (port) => {
    const client = new OpenAI({ apiKey: SECRET, baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: RETRIES });
    return {
      client,
      read: (timeout, signal) =>
        client.models.retrieve('m', { ...(timeout !== undefined && { timeout }), ...(signal && { signal }) }),
      write: () => client.embeddings.create({ model: 'm', input: 'a' }),
    };
  },
  square: (port) => {
    const client = new SquareClient({
      token: SECRET,
      environment: `http://127.0.0.1:${port}`,
      maxRetries: RETRIES,
    } as never);
    const options = (timeout?: number, abortSignal?: AbortSignal) => ({
      ...(timeout !== undefined && { timeoutInSeconds: timeout / 1000 }),
      ...(abortSignal && { abortSignal }),
    });
    return {
      client,
      read: (timeout, signal) => client.locations.get({ locationId: 'L' }, options(timeout, signal)),
      write: () => client.customers.create({ givenName: 'A' }),
    };
  },
};

interface Seen {
  readonly at: number;
  readonly key: string | undefined;
}

type Answer = (attempt: number, response: ServerResponse, request: IncomingMessage) => void;

/** A server that answers token requests by itself, and everything else as it is told. */
async function serving<T>(answer: Answer, work: (port: number, seen: Seen[]) => Promise<T>): Promise<T> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/auth/token')) {
      response.end(JSON.stringify({ access_token: 't', token_type: 'BEARER', expires_in: 86_400 }));
      return;
    }
    const key = request.headers['idempotency-key'];
    seen.push({ at: performance.now(), key: typeof key === 'string' ? key : undefined });
    answer(seen.length, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work((server.address() as AddressInfo).port, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const DONE = JSON.stringify({ id: 'x', object: 'x', data: [], location: {}, customer: {} });
const ok = (response: ServerResponse): void => void response.end(DONE);
const failing =
  (status: number, times: number, headers: Record<string, string> = {}): Answer =>
  (attempt, response) => {
    if (attempt > times) ok(response);
    else response.writeHead(status, headers).end('{"error":{"message":"no"}}');
  };
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** Settles with the promise, or with `undefined` after the time. */
const within = (ms: number, promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([outcomeOf(promise).then((value) => value ?? 'done'), wait(ms).then(() => undefined)]);

const ROWS: readonly (readonly [string, (make: Make) => Promise<string>])[] = [
  [
    'a write answered with 500, 500, then 200: attempts, and the keys that they carried',
    (make) =>
      serving(failing(500, 2), async (port, seen) => {
        await outcomeOf(make(port).write());
        const keys = new Set(seen.map(({ key }) => key));
        const told = keys.has(undefined) ? 'no key' : keys.size === 1 ? 'one key' : `${keys.size} keys`;
        return `${seen.length} attempts, ${told}`;
      }),
  ],
  [
    '`Retry-After: 3` on a 429: the second attempt came after',
    (make) =>
      serving(failing(429, 1, { 'retry-after': '3' }), async (port, seen) => {
        await within(8_000, make(port).read());
        return seen.length < 2 ? 'none came' : seconds(seen[1]!.at - seen[0]!.at);
      }),
  ],
  [
    '`Retry-After: 120` on a 429: when the second attempt came',
    (make) =>
      serving(failing(429, 9, { 'retry-after': '120' }), async (port, seen) => {
        await within(5_000, make(port).read());
        return seen.length < 2 ? 'not within 5 s' : `after ${seconds(seen[1]!.at - seen[0]!.at)}`;
      }),
  ],
  [
    'one call was answered with 429 and `Retry-After: 3`; ten more calls at once: requests sent in the next second',
    (make) =>
      serving(failing(429, 99, { 'retry-after': '3' }), async (port, seen) => {
        const { read } = make(port);
        void outcomeOf(read());
        await wait(300);
        const before = seen.length;
        for (let call = 0; call < 10; call += 1) void outcomeOf(read());
        await wait(1_000);
        return `${seen.length - before}`;
      }),
  ],
  [
    'a body that drips one byte every 100 ms, with a time-out of 0.5 s and two retries: the call ended after',
    (make) =>
      serving(
        (_attempt, response) => {
          const drip = setInterval(() => response.write(' '), 100);
          response.on('close', () => clearInterval(drip));
        },
        async (port) => {
          const { read } = make(port);
          const from = performance.now();
          const ended = await within(8_000, read(500));
          return ended === undefined ? 'not within 8 s' : seconds(performance.now() - from);
        },
      ),
  ],
  [
    'a 502 with a page of HTML: the error',
    (make) =>
      serving(
        (_attempt, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad</html>'),
        async (port) => {
          const error = (await within(10_000, make(port).read())) as Record<string, unknown> | undefined;
          const status = error?.status ?? error?.statusCode ?? 'no status';
          return error === undefined ? 'none within 10 s' : `${(error as object).constructor.name}, ${String(status)}`;
        },
      ),
  ],
  [
    'a 200 that is no JSON: what the caller gets',
    (make) =>
      serving(
        (_attempt, response) => void response.end('<html>welcome</html>'),
        async (port) => {
          const result = await within(10_000, make(port).read());
          if (result instanceof Error) return result.constructor.name;
          return result === undefined ? 'nothing within 10 s' : `a result: ${typeof result}`;
        },
      ),
  ],
  [
    'the secret in `util.inspect(client, { depth: 10 })`',
    async (make) => (inspect(make(1).client, { depth: 10, showHidden: true }).includes(SECRET) ? 'shown' : 'not shown'),
  ],
  [
    'an abort while waiting for the response: the call ended after',
    (make) =>
      serving(
        () => {},
        async (port) => {
          const { read } = make(port);
          if (read.length < 2) return 'takes no signal';
          const abort = new AbortController();
          const ended = within(5_000, read(undefined, abort.signal));
          await wait(200);
          const from = performance.now();
          abort.abort();
          return (await ended) === undefined ? 'not within 5 s' : `${Math.round(performance.now() - from)} ms`;
        },
      ),
  ],
];

console.log(`| | ${Object.keys(SDKS).join(' | ')} |\n|---|${'---|'.repeat(Object.keys(SDKS).length)}`);
for (const [name, tryIt] of ROWS) {
  const cells: string[] = [];
  for (const make of Object.values(SDKS)) {
    cells.push(await tryIt(make).catch((error: unknown) => `failed: ${String(error).slice(0, 80)}`));
  }
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
// What still waits for a retry must not hold the process.
process.exit();
