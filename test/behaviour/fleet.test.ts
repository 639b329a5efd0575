import { once } from 'node:events';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type ListeningService, type MockService } from 'online-ordering-sdk/mock';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { signPayload } from 'online-ordering-sdk/webhooks';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres, hasRedis, sharedRedis } from '../support/engines/index.js';
import { Fleet, type FleetOptions } from '../support/fleet.js';

/** How often a process is killed in each named operation; `npm run test:kills` tries every step. */
const KILLS = Number(process.env.KILLS ?? 1);
const SLOW = 90_000;
const CARD = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved' } as const;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await Fleet.build();
}, SLOW);
afterAll(() => fleet?.remove());

async function postgres(): Promise<string> {
  const url = await freshDatabase();
  const pool = new Pool({ connectionString: url });
  await postgresStore(pool).migrate();
  await pool.end();
  return url;
}

const ENGINES = [
  { name: 'PostgreSQL', engine: 0, has: hasPostgres, open: postgres },
  { name: 'Redis', engine: 1, has: hasRedis, open: sharedRedis },
];

describe.each(ENGINES.filter(({ has }) => has))('several processes over one $name', ({ open, engine }) => {
  let service: MockService;
  let server: ListeningService;
  let options: FleetOptions;
  let client: OnlineOrdering;

  beforeAll(async () => {
    service = createMockService({ clock: 'real', latency: 10 });
    server = await service.listen();
    // The mock serialises requests with one key, and shows at once what it has done.
    const payments = { horizonMs: 0, lagMs: 0 };
    options = { store: await open(), baseUrl: server.url, credentials: service.credentials, payments };
    client = new OnlineOrdering({ ...service.credentials, baseUrl: server.url, logLevel: 'off' });
  }, SLOW);
  afterAll(async () => {
    await client?.close();
    await service?.close();
  });

  const sent = (method: string, end: string) =>
    service.requests().filter((request) => request.method === method && request.path.endsWith(end));

  async function readyCart(): Promise<string> {
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
    return cart.id;
  }

  async function order(): Promise<{ orderId: string; total: number }> {
    const { order_id, total } = await client.carts.checkout(await readyCart(), { handoff_mode: { mode: 'PICKUP' } });
    return { orderId: order_id, total: total.amount };
  }

  test(
    'ten ask for a token at once, and one request reaches the service',
    async () => {
      const before = sent('POST', '/auth/token').length;

      const ends = await Promise.all(Array.from({ length: 10 }, () => fleet.run(options, { kind: 'token' })));

      expect(ends.map(({ result }) => result)).toEqual(ends.map(() => 3));
      expect(sent('POST', '/auth/token')).toHaveLength(before + 1);
    },
    SLOW,
  );

  test(
    'two settle one order, and it is charged once',
    async () => {
      const { orderId, total } = await order();

      const ends = await Promise.all([1, 2].map(() => fleet.run(options, { kind: 'settle', orderId })));

      expect(ends.map(({ result }) => result)).toEqual(['PAID', 'PAID']);
      expect(service.ledger(orderId).charged).toBe(total);
      expect(sent('POST', `/orders/${orderId}/payments`)).toHaveLength(1);
    },
    SLOW,
  );

  test(
    'eight receive each event twice, and each has one effect',
    async () => {
      const secret = 'whsec_fleet';
      const deliveries = Array.from({ length: 12 }, (_none, index) => {
        const body = JSON.stringify({
          event_id: `00000000-0000-4000-8000-${String(Date.now() % 1e8).padStart(8, '0')}${String(index).padStart(4, '0')}`,
          event_type: 'order.created',
          created_at: new Date().toISOString(),
          data: { order_id: `00000000-0000-4000-8000-00000000${String(index).padStart(4, '0')}` },
        });
        return { body, headers: signPayload(body, secret) };
      });
      const workers = Array.from({ length: 8 }, () => fleet.start(options, { kind: 'receive', secret }));

      for (const { child } of workers) {
        child.stdin?.end([...deliveries, ...deliveries].map((delivery) => `${JSON.stringify(delivery)}\n`).join(''));
      }
      const ends = await Promise.all(workers.map(({ end }) => end));

      const handled = ends.flatMap(({ result }) => result as string[]).sort();
      expect(handled).toEqual(deliveries.map(({ body }) => JSON.parse(body).event_id as string).sort());
    },
    SLOW,
  );

  test(
    'a 429 that one of them sees pauses all',
    async () => {
      const pollers = [1, 2].map(() => fleet.start(options, { kind: 'poll', everyMs: 50, times: 60 }));
      const polls = () => sent('GET', '/orders');
      const seen = polls().length;
      while (polls().length < seen + 10) await new Promise((resolve) => setTimeout(resolve, 20));

      service.faults.next('GET /orders', { status: 429, retryAfterSeconds: 4 });
      const isRefused = () => polls().some(({ status }) => status === 429);
      while (!isRefused()) await new Promise((resolve) => setTimeout(resolve, 10));
      // The others read pauses once a second, while they make calls.
      await new Promise((resolve) => setTimeout(resolve, 1400));
      const paused = polls().length;
      await new Promise((resolve) => setTimeout(resolve, 2000));

      expect(polls()).toHaveLength(paused);
      await Promise.all(pollers.map(({ end }) => end));
      expect(polls().filter(({ status }) => status === 429)).toHaveLength(1);
    },
    SLOW,
  );

  describe('a process that is killed at any step of a named operation leaves what the next one finishes', () => {
    type Task = Parameters<Fleet['run']>[1];
    interface Case {
      readonly task: (operation: string) => Promise<Task>;
      readonly effects: (task: Task) => Promise<number>;
    }
    const idOf = (task: Task): string => ('orderId' in task ? task.orderId : '');
    const moved = (task: Task, wanted: 'charge' | 'refund'): number =>
      service.ledger(idOf(task)).entries.filter(({ kind, cents }) => kind === wanted && Math.abs(cents) === 500).length;
    const cases: Record<string, Case> = {
      checkout: {
        task: async (operation) => ({ kind: 'checkout', cartId: await readyCart(), operation }),
        effects: async (task) => {
          const orders = await client.orders.list({ limit: 100 });
          return orders.data.filter(({ cart_id }) => task.kind === 'checkout' && cart_id === task.cartId).length;
        },
      },
      cancel: {
        task: async (operation) => ({ kind: 'cancel', orderId: (await order()).orderId, operation }),
        effects: async (task) => ((await client.orders.retrieve(idOf(task))).status === 'CANCELLED' ? 1 : 0),
      },
      payment: {
        task: async (operation) => ({ kind: 'pay', orderId: (await order()).orderId, operation }),
        effects: async (task) => moved(task, 'charge'),
      },
      refund: {
        task: async (operation) => {
          const { orderId, total } = await order();
          await client.orders.payments.create(orderId, { ...CARD, amount: total });
          return { kind: 'refund', orderId, operation };
        },
        effects: async (task) => moved(task, 'refund'),
      },
    };

    // A short run tries each operation over one of the engines, a long one over both.
    const isTried = (_case: unknown, index: number): boolean => KILLS > 20 || index % 2 === engine;
    test.concurrent.each(Object.entries(cases).filter(isTried))(
      '%s',
      async (name, { task: taskFor, effects }) => {
        const nameOf = (run: number): string => `${name}:${options.store.slice(-6)}:${run}:${Date.now()}`;
        const { steps = 0 } = await fleet.run(options, await taskFor(nameOf(-1)));
        let killed = 0;
        const once = async (run: number): Promise<void> => {
          const task = await taskFor(nameOf(run));
          const killAt = 1 + (KILLS < steps ? Math.floor(((run + 0.5) * steps) / KILLS) : run % steps);
          const first = await fleet.run(options, task, killAt);
          if (first.signal === 'SIGKILL') killed += 1;

          // On a machine that is too busy a call may end without a decision; a queue delivers the job again.
          let second = await fleet.run(options, task);
          for (let more = 0; more < 5 && typeof second.result !== 'string'; more += 1) {
            second = await fleet.run(options, task);
          }

          expect(second.signal).toBeNull();
          expect([killAt, second.result]).toEqual([killAt, expect.any(String)]);
          expect(second.again).toBe(second.result);
          expect([killAt, await effects(task)]).toEqual([killAt, 1]);
        };
        // Side by side: what takes time is the wait for the lease of the dead.
        let next = 0;
        const lane = async (): Promise<void> => {
          while (next < KILLS) await once(next++);
        };
        await Promise.all(Array.from({ length: 3 }, lane));
        if (KILLS > 20) console.log(`${name}: ${KILLS} runs, ${killed} killed at one of ${steps} steps, 1 effect each`);
        expect(killed).toBeGreaterThan(0);
      },
      KILLS > 20 ? 3_600_000 : SLOW,
    );
  });
});

describe('the lease of a process that is killed', () => {
  test.concurrent.each(ENGINES.filter(({ has }) => has))(
    'is over before a minute: the others go on, over $name',
    async ({ open }) => {
      const service = createMockService({ clock: 'real' });
      const server = await service.listen();
      const options = { store: await open(), baseUrl: server.url, credentials: service.credentials };
      service.faults.next('POST /auth/token', { delayMs: 60_000 });
      const holder = fleet.start(options, { kind: 'token' });
      while (service.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

      holder.child.kill('SIGKILL');
      await once(holder.child, 'exit');
      const startedAt = Date.now();
      const { result } = await fleet.run(options, { kind: 'token' });

      expect(result).toBe(3);
      expect(Date.now() - startedAt).toBeLessThan(25_000);
      await service.close();
    },
    SLOW,
  );
});
