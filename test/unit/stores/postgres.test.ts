import { PGlite } from '@electric-sql/pglite';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres } from '../../support/engines/index.js';
import { testStore } from './store-rules.js';

describe.skipIf(!hasPostgres)('a real PostgreSQL', () => {
  let url: string;
  let pool: Pool;
  beforeAll(async () => {
    url = await freshDatabase();
    pool = new Pool({ connectionString: url, max: 10 });
    await postgresStore(pool).migrate();
  });
  afterAll(() => pool?.end());

  testStore(
    'over pg',
    async () => {
      const second = new Pool({ connectionString: url, max: 4 });
      return { store: postgresStore(pool), other: postgresStore(second), stop: () => second.end() };
    },
    1000,
  );

  testStore(
    'over pg, in the strictest isolation',
    async () => {
      const strict = new Pool({ connectionString: url, options: '-c default_transaction_isolation=serializable' });
      return { store: postgresStore(strict), stop: () => strict.end() };
    },
    50,
  );

  test('many processes may create the table at once, and again', async () => {
    const store = postgresStore(pool, { table: 'made_at_once' });

    await Promise.all(Array.from({ length: 8 }, () => store.migrate()));
    await store.migrate();

    await store.set('a', '1');
    expect(await store.get('a')).toBe('1');
  });

  test('a table of any name is quoted, in any schema', async () => {
    await pool.query('create schema "Shop 1"');
    for (const table of ['Shop 1.State of "orders"', "it's", 'select', 'online_ordering_state; drop table x']) {
      const store = postgresStore(pool, { table });
      await store.migrate();
      await store.set('a', table);

      expect(await store.get('a')).toBe(table);
    }
    const { rows } = await pool.query(`select table_schema, table_name from information_schema.tables
      where table_name like 'State%' or table_name like '%drop%' order by 1`);
    expect(rows).toEqual(
      [
        { table_schema: 'public', table_name: 'online_ordering_state; drop table x' },
        { table_schema: 'Shop 1', table_name: 'State of "orders"' },
      ].sort((a, b) => (a.table_schema < b.table_schema ? -1 : 1)),
    );
  });

  test('texts that PostgreSQL does not take, and keys too long for an index, come back as they were', async () => {
    const store = postgresStore(pool);
    const odd = ['\0', 'a\0b', '\ud800', '\u0001', `${'k'.repeat(5000)}1`, `${'k'.repeat(5000)}2`, 'ü'.repeat(900)];
    for (const text of odd) {
      expect(await store.setIfAbsent(`odd ${text}`, text)).toBe(true);
      expect(await store.get(`odd ${text}`)).toBe(text);
      expect(await store.compareAndSet(`odd ${text}`, text, 'next')).toBe(true);
      expect(await store.compareAndDelete(`odd ${text}`, 'next')).toBe(true);
    }
  });

  test('expired rows are removed by the way, the others stay', async () => {
    const store = postgresStore(pool, { table: 'removal' });
    await store.migrate();
    await pool.query(`insert into removal
      select 'old ' || n, 'x', now() - interval '1 minute' from generate_series(1, 450) as n
      union all select 'new ' || n, 'x', now() + interval '1 hour' from generate_series(1, 20) as n
      union all select 'for ever ' || n, 'x', null from generate_series(1, 20) as n`);

    for (let write = 0; write < 100; write += 1) await store.set('again', String(write), { ttlMs: 60_000 });

    const left = async () => Number((await pool.query('select count(*) from removal')).rows[0].count);
    await expect.poll(left).toBe(41);
    expect(await store.removeExpired()).toBe(0);
  });

  test('the removal waits for nobody: rows in use are passed over', async () => {
    const store = postgresStore(pool, { table: 'removal_in_use' });
    await store.migrate();
    for (const key of ['a', 'b', 'c']) await store.set(key, 'x', { ttlMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`update removal_in_use set expires_at = now() + interval '1 hour' where key = 'b'`);

    expect(await store.removeExpired()).toBe(2);

    await holder.query('commit');
    holder.release();
    expect(await store.get('b')).toBe('x');
    expect(await store.removeExpired()).toBe(0);
  });

  test('reads and writes are found by the primary key, and expired rows by their index', async () => {
    const explain = async (text: string): Promise<string> => {
      const { rows } = await pool.query(`explain ${text}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    await pool.query(`insert into online_ordering_state
      select 'plan ' || n, 'x', now() + n * interval '1 second' from generate_series(1, 20000) as n`);
    await pool.query('analyze online_ordering_state');

    expect(
      await explain(`select value from online_ordering_state where key = 'plan 7'
      and (expires_at is null or expires_at > now())`),
    ).toContain('online_ordering_state_pkey');
    expect(
      await explain(`select key from online_ordering_state where expires_at <= now()
      order by expires_at limit 100 for update skip locked`),
    ).toContain('online_ordering_state_expires_at');
    await pool.query("delete from online_ordering_state where key like 'plan %'");
  });
});

testStore('PGlite', async () => {
  const database = await PGlite.create();
  const store = postgresStore(database);
  await store.migrate();
  return { store, stop: () => database.close() };
});

test('a name that PostgreSQL would cut off, and one that is none, are refused', () => {
  const database = { query: async () => ({ rows: [] }) };

  for (const table of ['', 'a.b.c', 'schema.', 'x'.repeat(60), 'nul\0', 'a$online_ordering$b', 7 as never]) {
    expect(() => postgresStore(database, { table })).toThrow('"table"');
  }
  expect(() => postgresStore({} as never)).toThrow('query(text, values)');
});
