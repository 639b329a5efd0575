import { randomUUID } from 'node:crypto';
import { OnlineOrdering } from 'online-ordering-sdk';
import { type BehaviourChange, createMockService } from 'online-ordering-sdk/mock';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { signPayload } from 'online-ordering-sdk/webhooks';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres, hasRedis, sharedRedis } from '../support/engines/index.js';
import { Fleet, type FleetEnd, type FleetTask, type Worker } from '../support/fleet.js';

/** How often a process is killed in each named operation; `npm run test:kills` tries every step. */
const KILLS = Number(process.env.KILLS ?? 1);
const SLOW = 180_000;
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

/** The mock serialises requests with one key, and shows at once what it has done. */
const KNOWN_OF_KIND = { horizonMs: 0, lagMs: 0 };
/** Executes a key twice while it is in flight, and shows late what it has done. */
const UNKIND: BehaviourChange = {
  keysInFlight: 'run_twice',
  authorizationMs: [0, 800],
  readLagMs: [0, 500],
  paymentListLagMs: [0, 500],
  paymentSumLagMs: [0, 500],
};
const KNOWN_OF_UNKIND = { horizonMs: 4000, lagMs: 1000 };

/** A service of a test's own, over HTTP, and a client that shares nothing with the fleet. */
async function shop({ isUnkind = false }: { isUnkind?: boolean } = {}) {
  const service = createMockService({
    clock: 'real',
    latency: 10,
    ...(isUnkind && { behaviour: UNKIND, rateLimits: false }),
  });
  const { url: baseUrl } = await service.listen();
  const client = new OnlineOrdering({ ...service.credentials, baseUrl, logLevel: 'off' });
  const readyCart = async (): Promise<string> => {
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
    return cart.id;
  };
  return {
    service,
    client,
    options: { ...service.credentials, baseUrl, payments: isUnkind ? KNOWN_OF_UNKIND : KNOWN_OF_KIND },
    sent: (method: string, end: string) =>
      service.requests().filter((request) => request.method === method && request.path.endsWith(end)),
    readyCart,
    order: async (): Promise<{ orderId: string; total: number }> => {
      const { order_id, total } = await client.carts.checkout(await readyCart(), { handoff_mode: { mode: 'PICKUP' } });
      return { orderId: order_id, total: total.amount };
    },
    close: async (): Promise<void> => {
      await client.close();
      await service.close();
    },
  };
}

// The two engines run side by side, and so do the tests that wait more than they work.
describe.concurrent.each(ENGINES.filter(({ has }) => has))('several processes over one $name', ({ open, engine }) => {
  let store: string;
  /** Ten processes; each does the jobs of several tests. */
  let crew: readonly Worker[];

  beforeAll(async () => {
    store = await open();
    crew = Array.from({ length: 10 }, () => fleet.start(store));
    await Promise.all(crew.map(({ ready }) => ready));
  }, SLOW);
  afterAll(() => Promise.all((crew ?? []).map((worker) => worker.close())));

  test.sequential(
    'ten ask for a token at once, and one request reaches the service',
    async () => {
      const { options, sent, close } = await shop();

      const ends = await Promise.all(crew.map((worker) => worker.run(options, { kind: 'token' })));

      expect(ends.map((end) => end?.result)).toEqual(crew.map(() => 3));
      expect(sent('POST', '/auth/token')).toHaveLength(1);
      await close();
    },
    SLOW,
  );

  test.sequential(
    'two settle one order, and it is charged once',
    async () => {
      const { service, options, sent, order, close } = await shop();
      const { orderId, total } = await order();

      const ends = await Promise.all(
        crew.slice(0, 2).map((worker) => worker.run(options, { kind: 'settle', orderId })),
      );

      expect(ends.map((end) => end?.result)).toEqual(['PAID', 'PAID']);
      expect(service.ledger(orderId).charged).toBe(total);
      expect(sent('POST', `/orders/${orderId}/payments`)).toHaveLength(1);
      await close();
    },
    SLOW,
  );

  test.sequential(
    'eight receive each event twice, and each has one effect',
    async () => {
      const { options, close } = await shop();
      const secret = 'whsec_fleet';
      const events = Array.from({ length: 12 }, (_none, index) => {
        const body = JSON.stringify({
          event_id: randomUUID(),
          event_type: 'order.created',
          created_at: new Date().toISOString(),
          data: { order_id: `00000000-0000-4000-8000-00000000${String(index).padStart(4, '0')}` },
        });
        return { body, headers: { ...signPayload(body, secret) } };
      });
      const task: FleetTask = { kind: 'receive', secret, deliveries: [...events, ...events] };

      const ends = await Promise.all(crew.slice(0, 8).map((worker) => worker.run(options, task)));

      const handled = ends.flatMap((end) => end?.result as string[]).sort();
      expect(handled).toEqual(events.map(({ body }) => JSON.parse(body).event_id as string).sort());
      await close();
    },
    SLOW,
  );

  test(
    'a 429 that one of them sees pauses all',
    async () => {
      const { service, options, sent, close } = await shop();
      const polls = () => sent('GET', '/orders');
      const pollers = crew.slice(8).map((worker) => worker.run(options, { kind: 'poll', everyMs: 50, times: 40 }));
      while (polls().length < 10) await new Promise((resolve) => setTimeout(resolve, 20));

      service.faults.next('GET /orders', { status: 429, retryAfterSeconds: 4 });
      const isRefused = () => polls().some(({ status }) => status === 429);
      while (!isRefused()) await new Promise((resolve) => setTimeout(resolve, 10));
      // The others read pauses once a second, while they make calls.
      await new Promise((resolve) => setTimeout(resolve, 1400));
      const paused = polls().length;
      await new Promise((resolve) => setTimeout(resolve, 2000));

      expect(polls()).toHaveLength(paused);
      await Promise.all(pollers);
      expect(polls().filter(({ status }) => status === 429)).toHaveLength(1);
      await close();
    },
    SLOW,
  );

  describe('a process that is killed at any step of a named operation leaves what the next one finishes', () => {
    interface Case {
      readonly task: (operation: string) => Promise<FleetTask>;
      readonly effects: (task: FleetTask) => Promise<number>;
    }
    let own: Awaited<ReturnType<typeof shop>>;
    /** Where money is taken and given back. */
    let till: typeof own;
    beforeAll(async () => {
      own = await shop();
      // A long run has the time that a service takes until it shows what it has done.
      till = await shop({ isUnkind: KILLS > 20 });
    });
    afterAll(() => Promise.all([own?.close(), till?.close()]));
    const idOf = (task: FleetTask): string => ('orderId' in task ? task.orderId : '');
    const moved = (task: FleetTask, wanted: 'charge' | 'refund'): number =>
      till.service.ledger(idOf(task)).entries.filter(({ kind, cents }) => kind === wanted && Math.abs(cents) === 500)
        .length;
    const cases: Record<string, Case> = {
      checkout: {
        task: async (operation) => ({ kind: 'checkout', cartId: await own.readyCart(), operation }),
        effects: async (task) => {
          const orders = await own.client.orders.list({ limit: 100 }).toArray({ limit: 10_000 });
          return orders.filter(({ cart_id }) => task.kind === 'checkout' && cart_id === task.cartId).length;
        },
      },
      cancel: {
        task: async (operation) => ({ kind: 'cancel', orderId: (await own.order()).orderId, operation }),
        effects: async (task) => ((await own.client.orders.retrieve(idOf(task))).status === 'CANCELLED' ? 1 : 0),
      },
      payment: {
        task: async (operation) => ({ kind: 'pay', orderId: (await till.order()).orderId, operation }),
        effects: async (task) => moved(task, 'charge'),
      },
      refund: {
        task: async (operation) => {
          const { orderId, total } = await till.order();
          await till.client.orders.payments.create(orderId, { ...CARD, amount: total });
          return { kind: 'refund', orderId, operation };
        },
        effects: async (task) => moved(task, 'refund'),
      },
    };

    // A short run tries each operation over one of the engines, a long one over both.
    const isTried = (_case: unknown, index: number): boolean => KILLS > 20 || index % 2 === engine;
    test.each(Object.entries(cases).filter(isTried))(
      '%s',
      async (name, { task: taskFor, effects }) => {
        const nameOf = (run: number): string => `${name}:${store.slice(-6)}:${run}:${Date.now()}`;
        const { options } = name === 'payment' || name === 'refund' ? till : own;
        let turn = 0;
        const next = (task: FleetTask): Promise<FleetEnd> => crew[turn++ % crew.length]!.run(options, task);
        const { steps = 0 } = (await next(await taskFor(nameOf(-1)))) ?? {};
        let killed = 0;
        const tried: FleetTask[] = [];
        const once = async (run: number): Promise<void> => {
          const task = await taskFor(nameOf(run));
          const killAt = 1 + (KILLS < steps ? Math.floor(((run + 0.5) * steps) / KILLS) : run % steps);
          const victim = fleet.start(store);
          void victim.run(options, task, killAt).then(() => victim.close());
          if ((await victim.end) === 'SIGKILL') killed += 1;

          // On a machine that is too busy a call may end without a decision; a queue delivers the job again.
          let second = await next(task);
          for (let more = 0; more < 5 && typeof second?.result !== 'string'; more += 1) second = await next(task);

          expect([killAt, second?.result]).toEqual([killAt, expect.any(String)]);
          expect(second?.again).toBe(second?.result);
          tried.push(task);
          expect([killAt, await effects(task)]).toEqual([killAt, 1]);
        };
        // Side by side: what takes time is the wait for the lease of the dead.
        let run = 0;
        const lane = async (): Promise<void> => {
          while (run < KILLS) await once(run++);
        };
        await Promise.all(Array.from({ length: 3 }, lane));
        // What was still under way has come to its end.
        if (KILLS > 20) await new Promise((resolve) => setTimeout(resolve, 3000));
        for (const task of tried) expect(await effects(task)).toBe(1);
        if (KILLS > 20) console.log(`${name}: ${KILLS} runs, ${killed} killed at one of ${steps} steps, 1 effect each`);
        expect(killed).toBeGreaterThan(0);
      },
      KILLS > 20 ? 3_600_000 : SLOW,
    );
  });
});

describe.concurrent('the lease of a process that is killed', () => {
  test.each(ENGINES.filter(({ has }) => has))(
    'is over before a minute: the others go on, over $name',
    async ({ open }) => {
      const { service, options, close } = await shop();
      const store = await open();
      const [holder, other] = [fleet.start(store), fleet.start(store)];
      await other.ready;
      service.faults.next('POST /auth/token', { delayMs: 60_000 });
      void holder.run(options, { kind: 'token' });
      while (service.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

      holder.child.kill('SIGKILL');
      expect(await holder.end).toBe('SIGKILL');
      const startedAt = Date.now();
      const end = await other.run(options, { kind: 'token' });

      expect(end?.result).toBe(3);
      expect(Date.now() - startedAt).toBeLessThan(25_000);
      await other.close();
      await close();
    },
    SLOW,
  );
});
