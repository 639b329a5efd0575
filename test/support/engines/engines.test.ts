import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, test } from 'vitest';
import { freshDatabase, hasPostgres, hasRedis, sharedRedis, startPostgres } from './index.js';

/** Starts the engine in a process that holds it until it is killed; resolves with the port. */
async function holder(engine: 'redis' | 'postgres'): Promise<{ port: number; kill: () => Promise<void> }> {
  const name = engine === 'redis' ? 'startRedis' : 'startPostgres';
  const file = fileURLToPath(new URL(`./${engine}.ts`, import.meta.url));
  const program = `import(${JSON.stringify(file)}).then((m) => m.${name}()).then(({ port }) => console.log(port)); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(String(printed)),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function untilGone(port: number): Promise<boolean> {
  for (const until = Date.now() + 8000; Date.now() < until; await new Promise((go) => setTimeout(go, 50))) {
    if (!(await accepts(port))) return true;
  }
  return false;
}

describe.skipIf(!hasPostgres)('the PostgreSQL of the tests', () => {
  test('takes connections, and each test file has a database of its own', async () => {
    const [one, two] = await Promise.all([freshDatabase(), freshDatabase()]);
    const client = new pg.Client({ connectionString: one });
    await client.connect();

    expect(one).not.toBe(two);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  test('a server of its own keeps its data when it is killed and started again', async () => {
    const server = await startPostgres();
    const query = async (text: string) => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    };
    await query('create table kept as select 7 as n');

    await server.kill();
    await expect(query('select 1')).rejects.toThrow();
    await server.start();

    expect(await query('select n from kept')).toEqual([{ n: 7 }]);
    await server.stop();
  });

  test('it ends when the test run is killed', async () => {
    const { port, kill } = await holder('postgres');
    expect(await accepts(port)).toBe(true);

    await kill();

    expect(await untilGone(port)).toBe(true);
  });
});

describe.skipIf(!hasRedis)('the Redis of the tests', () => {
  test('takes connections', async () => {
    const client = createClient({ url: await sharedRedis() });
    await client.connect();

    expect(await client.ping()).toBe('PONG');
    client.destroy();
  });

  test('it ends when the test run is killed', async () => {
    const { port, kill } = await holder('redis');
    expect(await accepts(port)).toBe(true);

    await kill();

    expect(await untilGone(port)).toBe(true);
  });
});
