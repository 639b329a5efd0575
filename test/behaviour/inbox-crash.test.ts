import { fileURLToPath } from 'node:url';
import { pgBossInbox } from 'online-ordering-sdk/inbox/pg-boss';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres } from '../support/engines/index.js';
import { Program } from '../support/programs.js';

const PROGRAM = fileURLToPath(new URL('./processes/handle-inbox.ts', import.meta.url));
/** 200 and more for a long run: each is killed at another step. */
const RUNS = Number(process.env.CRASH_RUNS ?? 12);
/** About as many steps as one event takes. */
const STEPS = 24;

describe.skipIf(!hasPostgres)('an inbox whose processes are killed', () => {
  let connectionString: string;
  let program: Program;
  let pool: pg.Pool;

  beforeAll(async () => {
    connectionString = await freshDatabase();
    pool = new pg.Pool({ connectionString });
    pool.on('error', () => {});
    const boss = new PgBoss({ connectionString, schedule: false, supervise: false });
    await boss.start();
    await pgBossInbox({ boss, pool }).migrate();
    await postgresStore(pool).migrate();
    await boss.stop({ graceful: false });
    await pool.query('create table effects (event_id text not null)');
    program = await Program.build(PROGRAM);
  });

  afterAll(async () => {
    await pool.end();
    await program.remove();
  });

  function run(events: string, killAt = ''): Promise<{ signal: string | null; acknowledged: string[] }> {
    const child = program.start({
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: connectionString, EVENTS: events, KILL_AT: killAt },
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    return new Promise((resolve) => {
      child.once('close', (_code, signal) => resolve({ signal, acknowledged: output.split('\n').filter(Boolean) }));
    });
  }

  const effects = async () => (await pool.query('select event_id from effects')).rows.map((row) => row.event_id).sort();

  test(
    'at each step has every acknowledged event take effect exactly once, and no event twice',
    async () => {
      const acknowledged: string[] = [];
      let killed = 0;
      for (let round = 0; round < RUNS; round += 1) {
        const killAt = 1 + (Math.floor((round * STEPS) / Math.min(RUNS, STEPS)) % STEPS);
        const ended = await run(`evt_${round}`, String(killAt));
        acknowledged.push(...ended.acknowledged);
        if (ended.signal === 'SIGKILL') killed += 1;
      }
      await run('');
      expect(killed).toBeGreaterThan(RUNS / 2);
      expect(await effects()).toEqual(expect.arrayContaining([...acknowledged].sort()));

      // The service delivers what was not acknowledged again, and what was, too.
      const all = Array.from({ length: RUNS }, (_, round) => `evt_${round}`).sort();
      await run(all.join());

      expect(await effects()).toEqual(all);
    },
    60_000 + RUNS * 15_000,
  );
});
