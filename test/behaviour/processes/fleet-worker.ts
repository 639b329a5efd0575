import { createInterface } from 'node:readline';
import { OnlineOrdering, type Store } from 'online-ordering-sdk';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { Pool } from 'pg';
import { createClient } from 'redis';

/**
 * One process of a fleet: it shares a store in a real server (STORE) with the others and takes a job on each line of its
 * input, as JSON. It prints a line once it is connected, and then what each came to, and in how many steps, as one line of JSON, and can be killed by the system at
 * one of these steps. It ends with its input.
 */
export interface FleetJob {
  readonly id: number;
  readonly task: FleetTask;
  readonly client: {
    readonly baseUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** What is known of the service. */
    readonly payments?: { readonly horizonMs: number; readonly lagMs: number } | undefined;
  };
  readonly killAt?: number | undefined;
}

export interface FleetResult {
  readonly id: number;
  readonly result: unknown;
  /** What the same named operation gave when it was called once more. */
  readonly again?: unknown;
  readonly steps: number;
}

export type FleetTask =
  | { readonly kind: 'token' }
  | { readonly kind: 'settle'; readonly orderId: string }
  | { readonly kind: 'checkout'; readonly cartId: string; readonly operation: string }
  | { readonly kind: 'cancel'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'pay'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'refund'; readonly orderId: string; readonly operation: string }
  | { readonly kind: 'poll'; readonly everyMs: number; readonly times: number }
  | { readonly kind: 'receive'; readonly secret: string; readonly deliveries: readonly Delivery[] };

export interface Delivery {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const { STORE = '' } = process.env;

/** No handler runs, and nothing is flushed: the process ends as by a power cut. */
class Steps {
  taken = 0;
  readonly #killAt: number | undefined;

  constructor(killAt: number | undefined) {
    this.#killAt = killAt;
  }

  readonly take = (): void => {
    this.taken += 1;
    if (this.taken === this.#killAt) process.kill(process.pid, 'SIGKILL');
  };
}

/** Every operation of the store is two steps: just before it, and just after it. */
function stepped(store: Store, step: () => void): Store {
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
  const { store, close } = await openStore();
  console.log('ready');
  const jobs: Promise<void>[] = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as FleetJob;
    jobs.push(work(job, store).then((result) => console.log(JSON.stringify(result satisfies FleetResult))));
  }
  await Promise.all(jobs);
  await close();
}

/** Each job has a client of its own, which remembers nothing of the others. */
async function work({ id, task, client: options, killAt }: FleetJob, real: Store): Promise<FleetResult> {
  const steps = new Steps(killAt);
  const store = stepped(real, steps.take);
  const client = new OnlineOrdering({ ...options, store, logLevel: 'off' });
  client.on('request', ({ path }) => {
    if (path === '/auth/token') return;
    steps.take();
    // A moment later the request is on its way, and the service has not answered yet.
    setTimeout(steps.take, 4);
  });
  client.on('response', ({ path }) => {
    if (path !== '/auth/token') steps.take();
  });
  try {
    const result = await run(task, client, store);
    const stepsOfOne = steps.taken;
    // A queue delivers a job twice.
    const again = 'operation' in task ? await run(task, client, store) : undefined;
    return { id, result, again, steps: stepsOfOne };
  } catch (error) {
    return { id, result: { error: String(error) }, steps: steps.taken };
  } finally {
    await client.close();
  }
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
      return receive(task, store);
  }
}

/** Handles each delivery; resolves with the id of each event that a handler was run for. */
async function receive(
  { secret, deliveries }: Extract<FleetTask, { kind: 'receive' }>,
  store: Store,
): Promise<string[]> {
  const handled: string[] = [];
  const receiver = createWebhookReceiver({ secrets: secret, store });
  receiver.onAny(async (event) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    handled.push(event.event_id);
  });
  const requests = deliveries.map(
    ({ body, headers }) => new Request('https://hooks.example.com', { method: 'POST', body, headers }),
  );
  await Promise.all(requests.map((request) => receiver.fetch(request)));
  return handled;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
