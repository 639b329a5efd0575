import pg from 'pg';
import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../../../../src/stores/postgres.js';
import { pgBossInbox } from '../../../../src/webhooks/inbox/pg-boss.js';
import { createWebhookReceiver, type Inbox } from '../../../../src/webhooks/index.js';
import { freshDatabase, hasPostgres } from '../../../support/engines/index.js';
import { deliver, orderCreated, SECRET } from '../../../support/records/events.js';
import { silentLink } from '../../../support/silent-link.js';
import { inboxSuite } from './inbox-suite.js';
import { stepWallClock } from './step-wall-clock.js';

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));

describe.skipIf(!hasPostgres)('pgBossInbox over a real PostgreSQL', () => {
  let pool: pg.Pool;
  let boss: PgBoss;
  let connectionString: string;
  let opened = 0;
  beforeAll(async () => {
    connectionString = await freshDatabase();
    pool = new pg.Pool({ connectionString });
    pool.on('error', () => {});
    boss = new PgBoss({ connectionString, schedule: false, supervise: false });
    boss.on('error', () => {});
    await boss.start();
    await pool.query('create table effects (event_id text not null)');
  });
  afterAll(async () => {
    await boss.stop({ graceful: false });
    await pool.end();
  });

  const open = async (options: { attempts?: number; lookAgainMs?: number } = {}) => {
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
    stepClock: stepWallClock,
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

  test('a pool of two connections is enough for many orders at once, and one of a single connection is refused', async () => {
    await open();
    const small = new pg.Pool({ connectionString, max: 2 });
    const [table, name] = [`state_${opened}`, `inbox-${opened}`];
    const inbox = pgBossInbox({
      ...{ boss, pool: small, table: `inbox_${opened}`, queue: name },
      store: (tx) => postgresStore(tx, { table }),
    });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, store: postgresStore(small, { table }), name });
    const errors: unknown[] = [];
    receiver.onError((error) => errors.push(error));
    let handled = 0;
    receiver.onAny(async (_event, { tx }) => {
      await tx.query('select 1');
      handled += 1;
    });
    for (let index = 0; index < 8; index += 1) {
      await deliver(receiver, { ...orderCreated(`evt_${index}`), data: { order_id: `order ${index}` } });
    }
    await receiver.startWorkers();
    const endsAt = performance.now() + 12_000;
    while (handled < 8 && performance.now() < endsAt) await pause();
    await receiver.stopWorkers();
    await small.end();

    expect([handled, errors]).toEqual([8, []]);
    const single = new pg.Pool({ connectionString, max: 1 });
    expect(() => pgBossInbox({ boss, pool: single })).toThrow('give it two at least');
    await single.end();
  });

  test('connections that fall silent without a word hold no event up for longer than a statement may take', async ({
    onTestFinished,
  }) => {
    const direct = createWebhookReceiver({ secrets: SECRET, inbox: await open() });
    const link = await silentLink(connectionString);
    const farPool = new pg.Pool({ connectionString: link.url });
    farPool.on('error', () => {});
    const farBoss = new PgBoss({ connectionString: link.url, schedule: false, supervise: false });
    farBoss.on('error', () => {});
    await farBoss.start();
    const inbox = pgBossInbox({
      ...{ boss: farBoss, pool: farPool, table: `inbox_${opened}`, queue: `inbox-${opened}` },
      ...{ statementTimeoutMs: 1000, lookAgainMs: 500 },
    });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, name: 'silent', logger: { error() {} } });
    onTestFinished(async () => {
      await link.close();
      await receiver.stopWorkers();
      await farBoss.stop({ graceful: false });
      await farPool.end();
    });
    const handled: string[] = [];
    receiver.onAny(({ event_id }) => void handled.push(event_id));
    await receiver.startWorkers();
    await deliver(direct, orderCreated('evt_1'));
    while (handled.length === 0) await pause();
    await pause();

    link.silence();
    const startedAt = performance.now();
    const away = deliver(receiver, { ...orderCreated('evt_2'), data: { order_id: 'second' } });
    await deliver(direct, { ...orderCreated('evt_3'), data: { order_id: 'third' } });
    while (!handled.includes('evt_3') && performance.now() - startedAt < 20_000) await pause();

    expect(handled).toContain('evt_3');
    expect(await away).toBe('500 failed');
    expect(await deliver(receiver, { ...orderCreated('evt_2'), data: { order_id: 'second' } })).toBe('200 accepted');
    while (handled.length < 3 && performance.now() - startedAt < 25_000) await pause();
    expect(handled.sort()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  test('a server whose clock is set back by an hour holds up neither new events nor those that are tried again', async () => {
    const inbox = await open({ lookAgainMs: 500 });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, name: 'set-back', logger: { error() {} } });
    const tries: string[] = [];
    receiver.onAny(({ event_id }) => {
      tries.push(event_id);
      if (tries.length === 1) throw new Error('database down');
    });
    await receiver.startWorkers();
    await deliver(receiver, orderCreated('evt_1'));
    while (tries.length === 0) await pause();
    await receiver.stopWorkers();
    await deliver(receiver, { ...orderCreated('evt_2'), data: { order_id: 'another' } });

    // As rows look to a clock that was set back.
    await pool.query(`update inbox_${opened} set due_at = due_at + interval '1 hour'`);
    await pool.query(
      `update pgboss.job set start_after = start_after + interval '1 hour' where name = 'inbox-${opened}'`,
    );
    await receiver.startWorkers();
    const endsAt = performance.now() + 8000;
    while (tries.length < 3 && performance.now() < endsAt) await pause();

    expect(tries.sort()).toEqual(['evt_1', 'evt_1', 'evt_2']);
    await receiver.stopWorkers();
  });

  test('an entry that waits for its next try is not asked for meanwhile, whatever comes behind it', async () => {
    let locks = 0;
    const counting = {
      async connect() {
        const client = await pool.connect();
        const query = (text: string, values?: unknown[]) => {
          if (text.includes('pg_try_advisory_lock')) locks += 1;
          return client.query(text, values);
        };
        return { query, release: (destroy?: boolean) => client.release(destroy) };
      },
    };
    await open();
    const inbox = pgBossInbox({ boss, pool: counting, table: `inbox_${opened}`, queue: `inbox-${opened}` });
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, name: 'waits', logger: { error() {} } });
    await deliver(receiver, orderCreated('evt_1'));
    await pool.query(`update inbox_${opened} set due_at = now() + interval '4 minutes', attempts = 9`);
    await receiver.startWorkers();
    for (let index = 2; index < 6; index += 1) {
      await deliver(receiver, orderCreated(`evt_${index}`));
      while (locks < index - 1) await pause();
    }
    const before = locks;

    await new Promise((resolve) => setTimeout(resolve, 3000));

    expect(locks - before).toBeLessThanOrEqual(1);
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
