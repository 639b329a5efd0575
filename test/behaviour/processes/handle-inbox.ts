import { pgBossInbox } from 'online-ordering-sdk/inbox/pg-boss';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { createWebhookReceiver, signPayload } from 'online-ordering-sdk/webhooks';
import pg from 'pg';
import PgBoss from 'pg-boss';

/**
 * A process that receives the events EVENTS, and handles what the inbox has until nothing is left. It can be told
 * (KILL_AT) to be killed by the system before one of its statements, or after it. It prints each event that it
 * acknowledged.
 */
const { DATABASE_URL: connectionString = '', EVENTS = '', KILL_AT = '' } = process.env;
const killAt = KILL_AT === '' ? Number.POSITIVE_INFINITY : Number(KILL_AT);
let steps = 0;

/** No handler runs, and nothing is flushed: the process ends as by a power cut. */
function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

/** Steps before and after each statement of the inbox and of the handler. */
const { query } = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...given: unknown[]): unknown {
    if (typeof given[0] !== 'string' || !/online_ordering|inbox|effects|commit/.test(given[0])) {
      return query.apply(this, given);
    }
    step();
    const result = query.apply(this, given);
    return result instanceof Promise ? result.finally(step) : result;
  },
});

async function main(): Promise<void> {
  const pool = new pg.Pool({ connectionString });
  const boss = new PgBoss({ connectionString, schedule: false, supervise: false });
  boss.on('error', () => {});
  await boss.start();
  // The killer is outside: however often it strikes, no entry is at fault.
  const inbox = pgBossInbox({ boss, pool, attempts: 100_000, store: (tx) => postgresStore(tx) });
  const receiver = createWebhookReceiver({
    secrets: 'whsec_1',
    inbox,
    store: postgresStore(pool),
    // The lock of a killed process on its order ends soon.
    leaseMs: 1_000,
    logger: { error() {} },
  });
  receiver.on('order.created', async ({ event_id: id }, { tx }) => {
    await tx.query('insert into effects (event_id) values ($1)', [id]);
  });
  for (const id of EVENTS.split(',').filter(Boolean)) {
    const body = JSON.stringify({ event_id: id, event_type: 'order.created', data: { order_id: `order of ${id}` } });
    const { status } = await receiver.handle({ body, headers: signPayload(body, 'whsec_1') });
    if (status === 200) console.log(id);
  }
  await receiver.startWorkers();
  const waiting = `select 1 from "online_ordering_${'inbox'}" where state = 'waiting'`;
  const endsAt = Date.now() + 20_000;
  while (Date.now() < endsAt && (await pool.query({ text: waiting })).rows.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.exit(0);
}

void main();
