import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Store } from 'online-ordering-sdk';
import { location, payment } from '../support/records/index.js';

/** How the service behaves; see service.mjs. */
export interface Behaviour {
  readonly latencyMs?: number;
  readonly limit?: { readonly count: number; readonly windowMs: number } | null;
  /** Seconds of `Retry-After` with which everything is refused. */
  readonly refuseAll?: number | null;
  readonly tokenDown?: boolean;
  /** Paths that answer 401 to every token. */
  readonly unauthorized?: string;
  readonly stall?: boolean;
  readonly keepAliveMs?: number;
}

export interface Counts {
  readonly requests: number;
  readonly tokenRequests: number;
  readonly accepted: number;
  readonly refused: number;
}

export interface Service {
  readonly origin: string;
  set(behaviour: Behaviour): Promise<void>;
  counts(): Promise<Counts>;
  stop(): void;
}

async function start(name: string, args: readonly string[] = []): Promise<{ child: ChildProcess; port: number }> {
  const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, port: (JSON.parse(line) as { port: number }).port };
}

export async function startService(behaviour: Behaviour = {}): Promise<Service> {
  const { child, port } = await start('service', [
    JSON.stringify({ record: location, created: payment, ...behaviour }),
  ]);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    async set(changed) {
      await (await fetch(`${origin}/__set`, { method: 'POST', body: JSON.stringify(changed) })).text();
    },
    counts: async () => (await (await fetch(`${origin}/__counts`)).json()) as Counts,
    stop: () => void child.kill('SIGKILL'),
  };
}

export interface StoreProcess {
  readonly store: Store;
  freeze(): void;
  thaw(): void;
  stop(): void;
}

/** A store in another process, without any time-out of its own. */
export async function startStore(): Promise<StoreProcess> {
  const { child, port } = await start('store-process');
  const socket = createConnection(port, '127.0.0.1');
  return {
    store: storeOver(socket),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop() {
      socket.destroy();
      child.kill('SIGKILL');
    },
  };
}

/** A store whose server accepts connections, and never answers. */
export async function startSilentStore(): Promise<StoreProcess> {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const socket = createConnection(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  const nothing = (): void => {};
  return {
    store: storeOver(socket),
    freeze: nothing,
    thaw: nothing,
    stop() {
      socket.destroy();
      server.close();
    },
  };
}

function storeOver(socket: Socket): Store {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const ask = <T>(operation: keyof Store, ...given: unknown[]): Promise<T> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, (result) => resolve(result as T));
      socket.write(`${JSON.stringify({ id: last, operation, given })}\n`);
    });
  return {
    get: async (key) => (await ask<string | null>('get', key)) ?? undefined,
    set: (key, value) => ask('set', key, value),
    setIfAbsent: (key, value) => ask('setIfAbsent', key, value),
    compareAndSet: (key, expected, value) => ask('compareAndSet', key, expected, value),
    compareAndDelete: (key, expected) => ask('compareAndDelete', key, expected),
  };
}
