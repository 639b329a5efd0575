/**
 * Four workers place orders and handle events, and a killer ends one of them (SIGKILL) again and again. In the end the
 * ledger is printed: every order paid once, every event handled once.
 *
 *   npm run fleet                        over DATABASE_URL and REDIS_URL; over servers of its own when there is none
 *   npm run fleet -- --embedded          over servers of its own in any case
 *   npm run fleet -- --orders 40 --kills 20
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { openEngines } from './engines.js';
import { openShared } from './shared.js';

const WORKERS = 4;
const KILL_EVERY_MS = 700;

const { values } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    orders: { type: 'string', default: '24' },
    kills: { type: 'string', default: '12' },
  },
});
const run = String(Date.now());
const baskets = Array.from({ length: Number(values.orders) }, (_none, index) => `${run}:${index}`);

const engines = await openEngines(values.embedded);
const shared = await openShared(engines.databaseUrl, engines.redisUrl);
await shared.migrate();
const service = createMockService({ clock: 'real', seed: Date.now() % 1e9, latency: 30 });
const { url } = await service.listen();
console.log(`engines: ${engines.description}`);
console.log(`service: the mock at ${url}`);

// What receives webhooks only writes them into the inbox; the workers handle them.
const { signing_secret: secret } = service.webhooks.subscribe({
  url: 'https://hooks.example.com/orders',
  event_types: ['order.created', 'order.status_changed', 'order.cancelled'],
});
const receiver = createWebhookReceiver({ secrets: secret, inbox: shared.inbox });
const hooks = createServer((request, response) => void receiver.nodeHandler(request, response));
await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
service.webhooks.route('https://hooks.example.com', `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`);

// A queue that delivers each basket until somebody has said that it is done, and then once more.
const waiting = [...baskets];
const placed = new Map<string, Set<string>>();
const idle: ChildProcess[] = [];
const workers = new Set<ChildProcess>();
let [killed, again] = [0, 0];
let isOver = false;

function startWorker(): void {
  const worker = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('worker.ts', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: engines.databaseUrl,
      REDIS_URL: engines.redisUrl ?? '',
      RUN: run,
      WEBHOOK_SECRET: secret,
      LOCATION: service.samples.locations.downtown,
      ITEM: JSON.stringify(service.samples.cartItems.houseCoffee),
      ONLINE_ORDERING_BASE_URL: url,
      ONLINE_ORDERING_CLIENT_ID: service.credentials.clientId,
      ONLINE_ORDERING_CLIENT_SECRET: service.credentials.clientSecret,
    },
  });
  workers.add(worker);
  let basket: string | undefined;
  worker.on('message', (message: 'ready' | { basket: string; orderId?: string; error?: string }) => {
    if (message !== 'ready') finish(message);
    basket = undefined;
    idle.push(worker);
    hand();
  });
  worker.on('exit', () => {
    workers.delete(worker);
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    if (basket !== undefined) waiting.push(basket);
    if (!isOver) startWorker();
  });
  worker.on('basket', (given: string) => {
    basket = given;
  });
}

function finish({ basket, orderId, error }: { basket: string; orderId?: string; error?: string }): void {
  if (orderId === undefined) {
    console.log(`basket ${basket.split(':')[1]} comes again: ${error}`);
    waiting.push(basket);
    return;
  }
  const orders = placed.get(basket);
  placed.set(basket, new Set([...(orders ?? []), orderId]));
  if (orders) return;
  again += 1;
  waiting.push(basket);
}

function hand(): void {
  while (idle.length > 0 && waiting.length > 0) {
    const [worker, basket] = [idle.shift(), waiting.shift()];
    worker?.emit('basket', basket);
    worker?.send(basket ?? '', () => {});
  }
}

for (let started = 0; started < WORKERS; started += 1) startWorker();
const isPlaced = (): boolean => placed.size === baskets.length && waiting.length === 0;
while (killed < Number(values.kills) && !(isPlaced() && idle.length === workers.size)) {
  await sleep(KILL_EVERY_MS);
  // One that is at work, where there is one.
  const busy = [...workers].filter((worker) => !idle.includes(worker) && worker.exitCode === null);
  const victim = busy[Math.floor(Math.random() * busy.length)];
  if (!victim) continue;
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  killed += 1;
}

const handledEvents = async (): Promise<string[]> =>
  (await shared.pool.query('select event_id from handled_events where run = $1', [run])).rows.map(
    (row) => row.event_id,
  );
const sent = () => new Set(service.webhooks.events().map(({ event_id: id }) => id));
const endsAt = Date.now() + 120_000;
const isDone = async (): Promise<boolean> => isPlaced() && new Set(await handledEvents()).size === sent().size;
while (!(await isDone()) && Date.now() < endsAt) {
  hand();
  await sleep(200);
}
// The service delivers everything once more.
await service.webhooks.resend(
  service.webhooks.deliveries().map(({ number }) => number),
  { shuffle: true },
);
await sleep(1500);

const handled = await handledEvents();
const orders = service.orders();
const isPaidOnce = (orderId: string): boolean => {
  const { total, payment_status: status } = service.orders().find(({ id }) => id === orderId)!;
  return status === 'PAID' && service.ledger(orderId).charged === total.amount;
};
const paidOnce = orders.filter(({ id }) => isPaidOnce(id)).length;
const oneOrder = baskets.filter((basket) => placed.get(basket)?.size === 1).length;
const handledOnce = [...sent()].filter((id) => handled.filter((one) => one === id).length === 1).length;

console.log(`workers killed: ${killed}, baskets delivered again: ${again}`);
console.log(`baskets: ${baskets.length}, with one order each: ${oneOrder}`);
console.log(`orders: ${orders.length}, paid once: ${paidOnce}`);
console.log(`events: ${sent().size}, handled once: ${handledOnce}`);

isOver = true;
for (const worker of workers) worker.kill('SIGKILL');
hooks.close();
hooks.closeAllConnections();
await shared.close();
await service.close();
await engines.close();
const isRight =
  oneOrder === baskets.length &&
  orders.length === baskets.length &&
  paidOnce === orders.length &&
  handledOnce === sent().size &&
  handled.length === sent().size;
console.log(isRight ? 'The ledger is right.' : 'The ledger is wrong.');
process.exitCode = isRight ? 0 : 1;
