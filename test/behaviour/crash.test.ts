import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type ListeningService, type MockService } from 'online-ordering-sdk/mock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Program } from '../support/programs.js';

const PROGRAM = fileURLToPath(new URL('./processes/settle-order.ts', import.meta.url));
/** More steps than a settlement has. */
const MOST_STEPS = 200;

let service: MockService;
let server: ListeningService;
let client: OnlineOrdering;
let directory: string;
let program: Program;

beforeAll(async () => {
  service = createMockService({ clock: 'real', rateLimits: false, latency: 10 });
  server = await service.listen();
  client = new OnlineOrdering({ ...service.credentials, baseUrl: server.url });
  directory = await mkdtemp(join(tmpdir(), 'crash-'));
  program = await Program.build(PROGRAM);
});

afterAll(async () => {
  await client.close();
  await service.close();
  await program.remove();
  await rm(directory, { recursive: true, force: true });
});

async function checkedOut(): Promise<{ orderId: string; total: number }> {
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  const { order_id, total } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  return { orderId: order_id, total: total.amount };
}

interface Ended {
  readonly signal: string | null;
  readonly output: string;
}

/** Starts the program; it is killed by the system at its step `killAt`. */
function settleInProcess(orderId: string, killAt = ''): Promise<Ended> {
  const { clientId, clientSecret } = service.credentials;
  const child: ChildProcess = program.start({
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ONLINE_ORDERING_BASE_URL: server.url,
      ONLINE_ORDERING_CLIENT_ID: clientId,
      ONLINE_ORDERING_CLIENT_SECRET: clientSecret,
      ORDER_ID: orderId,
      JOURNAL: join(directory, 'journal'),
      KILL_AT: killAt,
    },
  });
  let output = '';
  child.stdout?.on('data', (bytes) => {
    output += bytes;
  });
  child.stderr?.on('data', (bytes) => {
    output += bytes;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => resolve({ signal, output }));
  });
}

test('a process killed at any step of a settlement is gone on with by the same call, and charges once', async () => {
  let nextStep = 1;
  let kills = 0;
  const lane = async (): Promise<void> => {
    for (let wasKilled = true; wasKilled && nextStep < MOST_STEPS; kills += wasKilled ? 1 : 0) {
      const killAt = nextStep;
      nextStep += 1;
      wasKilled = await killAndGoOn(killAt);
    }
  };

  await Promise.all([lane(), lane(), lane()]);

  expect(kills).toBeGreaterThan(30);
}, 240_000);

async function killAndGoOn(killAt: number): Promise<boolean> {
  const { orderId, total } = await checkedOut();

  const killed = await settleInProcess(orderId, String(killAt));
  expect(service.ledger(orderId).charged).toBeLessThanOrEqual(total);
  const finished = await settleInProcess(orderId);

  const charges = service.ledger(orderId).entries.map(({ method, cents }) => [method, cents]);
  expect({ killAt, ...finished, charges }).toEqual({
    killAt,
    signal: null,
    output: 'PAID\n',
    charges: [
      ['GIFT_CARD', 500],
      ['CREDIT_CARD', total - 500],
    ],
  });
  return killed.signal === 'SIGKILL';
}

test('two processes that settle one order at the same time charge it once', async () => {
  const { orderId, total } = await checkedOut();

  const ends = await Promise.all([settleInProcess(orderId), settleInProcess(orderId), settleInProcess(orderId)]);

  expect(ends.map(({ output }) => output)).toEqual(['PAID\n', 'PAID\n', 'PAID\n']);
  expect(service.ledger(orderId).entries.map(({ cents }) => cents)).toEqual([500, total - 500]);
  expect(
    service.requests().filter(({ path, method }) => method === 'POST' && path === `/orders/${orderId}/payments`),
  ).toHaveLength(2);
});
