import pg from 'pg';
import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../../../../src/stores/postgres.js';
import { pgBossInbox } from '../../../../src/webhooks/inbox/pg-boss.js';
import { createWebhookReceiver, type Inbox } from '../../../../src/webhooks/index.js';
import { freshDatabase, hasPostgres } from '../../../support/engines/index.js';
import { deliver, orderCreated, SECRET } from '../../../support/records/events.js';
import { inboxSuite } from './inbox-suite.js';

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

describe.skipIf(!hasPostgres)('pgBossInbox over a real PostgreSQL', () => {
  let pool: pg.Pool;
  let boss: PgBoss;
  let opened = 0;
  beforeAll(async () => {
    const connectionString = await freshDatabase();
    pool = new pg.Pool({ connectionString });
    pool.on('error', () => {});
    boss = new PgBoss({ connectionString, schedule: false, supervise: false });
    boss.on('error', () => {});
    await boss.start();
    await pool.query('create table effects (event_id text not null)');
  }, 60_000);
  afterAll(async () => {
    await boss.stop({ graceful: false });
    await pool.end();
  });

  const open = async (options: { attempts?: number } = {}) => {
    opened += 1;
    const table = `state_${opened}`;
    const inbox = pgBossInbox({
      boss,
      pool,
      table: `inbox_${opened}`,
      queue: `inbox-${opened}`,
      store: (tx) => postgresStore(tx, { table }),
      ...options,
    });
    await postgresStore(pool, { table }).migrate();
    await inbox.migrate();
    return inbox;
  };

  inboxSuite({
    open: async (options) => (await open(options)) as unknown as Inbox<never>,
    pass: pause,
  });

  test('workers that could not start, since the database was away, can be started again', async () => {
    await open();
    let isAway = true;
    const connect = () => (isAway ? Promise.reject(new Error('The database is away.')) : pool.connect());
    const inbox = pgBossInbox({ boss, pool: { connect }, table: `inbox_${opened}`, queue: `inbox-${opened}` });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, name: 'away', logger: { error() {} } });
    const seen: string[] = [];
    receiver.on('order.created', ({ event_id }) => void seen.push(event_id));

    await expect(receiver.startWorkers()).rejects.toThrow('The database is away.');
    isAway = false;
    await receiver.startWorkers();
    await deliver(receiver, orderCreated('evt_away'));
    while (seen.length === 0) await pause();
    await receiver.stopWorkers();

    expect(seen).toEqual(['evt_away']);
  });

  test('what a handler wrote with context.tx is undone when it fails, and there once when it succeeds', async () => {
    const inbox = await open();
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, name: 'effects', logger: { error() {} } });
    let failures = 2;
    receiver.on('order.created', async ({ event_id }, { tx }) => {
      await tx.query('insert into effects values ($1)', [event_id]);
      if (failures-- > 0) throw new Error('after the write');
    });
    await deliver(receiver, orderCreated('evt_tx'));
    await receiver.startWorkers();

    const effects = async () => (await pool.query('select * from effects')).rows.length;
    const endsAt = Date.now() + 15_000;
    while ((await effects()) === 0 && Date.now() < endsAt) await pause();
    await pause();

    expect(failures).toBe(-1);
    expect(await effects()).toBe(1);
    await receiver.stopWorkers();
  });

  test('eight deliveries of one event at once are one entry', async () => {
    const inbox = await open();
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox });

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => deliver(receiver, orderCreated('evt_8'))));

    expect(outcomes.sort()).toEqual(['200 accepted', ...Array(7).fill('200 duplicate')]);
  });

  test('a database that is gone has deliveries end with 500', async () => {
    const lost = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const inbox = pgBossInbox({ boss, pool: lost });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, logger: { error() {} } });

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('500 failed');
  });

  test('a name that is no name of a table is refused', () => {
    expect(() => pgBossInbox({ boss, pool, table: 'a"; drop table b' })).toThrow('pgBossInbox');
  });
});
