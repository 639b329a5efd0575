import { createInterface } from 'node:readline';
import { OnlineOrdering, type Store } from 'online-ordering-sdk';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { Pool } from 'pg';
import { createClient } from 'redis';

/**
 * One process of a fleet: it shares a store in a real server with the others, reads one task as JSON from the variable
 * TASK, prints what it came to, and in how many steps, as one line of JSON, and can be killed by the system at one of its steps (KILL_AT).
 */
export type FleetTask =
  | { readonly kind: 'token' }
  | { readonly kind: 'settle'; readonly orderId: string }
  | { readonly kind: 'checkout'; readonly cartId: string; readonly operation: string }
  | { readonly kind: 'cancel'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'pay'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'refund'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'poll'; readonly everyMs: number; readonly times: number }
  | { readonly kind: 'receive'; readonly secret: string };

const { STORE = '', TASK = '{}', KILL_AT = '', PAYMENTS = '{}' } = process.env;
const killAt = KILL_AT === '' ? Number.POSITIVE_INFINITY : Number(KILL_AT);
let steps = 0;

/** No handler runs, and nothing is flushed: the process ends as by a power cut. */
function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Every operation of the store is two steps: just before it, and just after it. */
function stepped(store: Store): Store {
  const around = async <T>(work: Promise<T>): Promise<T> => {
    step();
    const result = await work;
    step();
    return result;
  };
  return {
    get: (key) => around(store.get(key)),
    set: (key, value, options) => around(store.set(key, value, options)),
    setIfAbsent: (key, value, options) => around(store.setIfAbsent(key, value, options)),
    compareAndSet: (key, expected, value, options) => around(store.compareAndSet(key, expected, value, options)),
    compareAndDelete: (key, expected) => around(store.compareAndDelete(key, expected)),
  };
}

async function openStore(): Promise<{ store: Store; close: () => Promise<unknown> }> {
  if (STORE.startsWith('redis:')) {
    const redis = createClient({ url: STORE });
    redis.on('error', () => {});
    await redis.connect();
    return { store: redisStore(redis), close: async () => redis.destroy() };
  }
  const pool = new Pool({ connectionString: STORE, max: 2 });
  pool.on('error', () => {});
  return { store: postgresStore(pool), close: () => pool.end() };
}

async function main(): Promise<void> {
  const { store: real, close } = await openStore();
  const store = stepped(real);
  const client = new OnlineOrdering({ store, logLevel: 'off', payments: JSON.parse(PAYMENTS) });
  client.on('request', ({ path }) => {
    if (path === '/auth/token') return;
    step();
    // A moment later the request is on its way, and the service has not answered yet.
    setTimeout(step, 4);
  });
  client.on('response', ({ path }) => {
    if (path !== '/auth/token') step();
  });
  const task = JSON.parse(TASK) as FleetTask;
  const result = await run(task, client, store);
  const stepsOfOne = steps;
  // A queue delivers a job twice.
  const again = 'operation' in task ? await run(task, client, store) : undefined;
  console.log(JSON.stringify({ result, again, steps: stepsOfOne }));
  await client.close();
  await close();
}

async function run(task: FleetTask, client: OnlineOrdering, store: Store): Promise<unknown> {
  switch (task.kind) {
    case 'token':
      return (await client.locations.list()).data.length;
    case 'settle': {
      const tenders = [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' } as const];
      const polling = { initialDelayMs: 20, maxDelayMs: 100 };
      return (await client.orders.settle(task.orderId, { tenders, polling })).status;
    }
    case 'checkout': {
      const { cartId, operation } = task;
      return (await client.carts.checkout(cartId, { handoff_mode: { mode: 'PICKUP' } }, { operation })).order_id;
    }
    case 'cancel':
      return (await client.orders.cancel(task.orderId, {}, { operation: task.operation })).status;
    case 'pay': {
      const card = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 500 } as const;
      return (await client.orders.payments.create(task.orderId, card, { operation: task.operation })).id;
    }
    case 'refund':
      return (await client.orders.refunds.create(task.orderId, { amount: 500 }, { operation: task.operation })).id;
    case 'poll': {
      for (let time = 0; time < task.times; time += 1) {
        await client.orders.list();
        await new Promise((resolve) => setTimeout(resolve, task.everyMs));
      }
      return 'done';
    }
    case 'receive':
      return receive(task.secret, store);
  }
}

/** Handles each delivery that comes in as a line of JSON; prints the id of each event that a handler was run for. */
async function receive(secret: string, store: Store): Promise<string[]> {
  const handled: string[] = [];
  const receiver = createWebhookReceiver({ secrets: secret, store });
  receiver.onAny(async (event) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    handled.push(event.event_id);
  });
  const work: Promise<unknown>[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const { body, headers } = JSON.parse(line) as { body: string; headers: Record<string, string> };
    const request = new Request('https://hooks.example.com', { method: 'POST', body, headers });
    work.push(Promise.resolve(receiver.fetch(request)));
  }
  await Promise.all(work);
  return handled;
}

main().catch((error: unknown) => {
  console.log(JSON.stringify({ result: { error: String(error) }, steps }));
  process.exit(1);
});
