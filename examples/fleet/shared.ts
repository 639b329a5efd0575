import { pgBossInbox } from 'online-ordering-sdk/inbox/pg-boss';
import { postgresStore, type Store } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { createClient } from 'redis';

/** What a process of the fleet has of the engines. */
export interface Shared {
  readonly pool: Pool;
  /** Tokens, pauses, names and journals: in Redis where there is one. */
  readonly store: Store;
  readonly inbox: ReturnType<typeof inboxOver>;
  migrate(): Promise<void>;
  close(): Promise<void>;
}

export async function openShared(databaseUrl: string, redisUrl: string | undefined): Promise<Shared> {
  const pool = new Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => {}); // the client and the receiver tell of what fails
  const redis = redisUrl ? createClient({ url: redisUrl }) : undefined;
  redis?.on('error', () => {});
  await redis?.connect();
  const boss = new PgBoss({ connectionString: databaseUrl, max: 2, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  const inPostgres = postgresStore(pool);
  const inbox = inboxOver(boss, pool);
  return {
    pool,
    store: redis ? redisStore(redis) : inPostgres,
    inbox,
    async migrate() {
      await inPostgres.migrate();
      await inbox.migrate();
      // The ledger of handled events: it has no key on purpose, so that it would show an event that was handled twice.
      await pool.query('create table if not exists handled_events (run text not null, event_id text not null)');
    },
    async close() {
      await boss.stop({ graceful: false });
      redis?.destroy();
      await pool.end();
    },
  };
}

function inboxOver(boss: PgBoss, pool: Pool) {
  return pgBossInbox({ boss, pool, lookAgainMs: 1000, store: (tx) => postgresStore(tx) });
}
