import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { postgresFolder } from './postgres.js';
import { redisProgram } from './redis.js';

export { startPostgres } from './postgres.js';
export { type RedisServer, startRedis } from './redis.js';

/** For `describe.skipIf`: the run has said once what was left out, and how to get it. */
export const hasRedis = redisProgram() !== undefined;
export const hasPostgres = postgresFolder() !== undefined;

/** The Redis of this test run. Use keys of your own: other test files run at the same time. */
export function sharedRedis(): Promise<string> {
  return ask('/redis');
}

/** A new, empty database in the PostgreSQL of this test run. */
export async function freshDatabase(): Promise<string> {
  const server = new URL(await ask('/postgres'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return Object.assign(server, { pathname: `/${name}` }).href;
}

async function ask(engine: string): Promise<string> {
  const response = await fetch(`${inject('engines')}${engine}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
