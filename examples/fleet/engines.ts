import { startPostgres } from '../../test/support/engines/postgres.js';
import { type RedisServer, startRedis } from '../../test/support/engines/redis.js';

/** Where the fleet keeps what its processes share. */
export interface Engines {
  readonly databaseUrl: string;
  /** Without it PostgreSQL keeps that, too. */
  readonly redisUrl: string | undefined;
  readonly description: string;
  close(): Promise<void>;
}

/** Those that DATABASE_URL and REDIS_URL name (compose.yaml starts some); else servers of this run alone. */
export async function openEngines(isEmbedded: boolean): Promise<Engines> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (databaseUrl !== undefined && !isEmbedded) {
    const description = `PostgreSQL of DATABASE_URL, ${redisUrl ? 'Redis of REDIS_URL' : 'no Redis'}`;
    return { databaseUrl, redisUrl, description, close: async () => {} };
  }
  const postgres = await startPostgres();
  const redis: RedisServer | undefined = await startRedis({ durable: true }).catch(() => undefined);
  return {
    databaseUrl: postgres.url,
    redisUrl: redis?.url,
    description: `embedded PostgreSQL, ${redis ? "this machine's redis-server" : 'no Redis on this machine'}`,
    close: async () => {
      await redis?.stop();
      await postgres.stop();
    },
  };
}
