import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../support/engines/free-port.js';
import { GuardedProcess } from '../support/engines/guarded-process.js';
import { hasPostgres, hasRedis } from '../support/engines/index.js';
import { redisProgram } from '../support/engines/redis.js';
import { runProgram } from './run-program.js';

describe.skipIf(!hasPostgres)('the example of a fleet', () => {
  test('has every order paid once and every event handled once, though its workers are killed', async () => {
    const { exitCode, stdout, stderr } = await runProgram('examples/fleet/index.ts', {
      fromSources: true,
      args: ['--embedded', '--orders', '4', '--kills', '2'],
    });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^engines: embedded PostgreSQL/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'baskets: 4, with one order each: 4',
        'orders: 4, paid once: 4',
        expect.stringMatching(/^events: (\d+), handled once: \1$/),
        'The ledger is right.',
      ]),
    );
  });
});

interface Engine {
  readonly image: string;
  readonly command?: string;
  readonly environment?: Record<string, string>;
  readonly ports: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

describe('compose.yaml of the fleet', () => {
  const engines = async () => {
    const text = await readFile('examples/fleet/compose.yaml', 'utf8');
    return (parse(text) as { services: { redis: Engine; postgres: Engine } }).services;
  };

  test('starts the engines that the README says, for this machine alone', async () => {
    const { redis, postgres } = await engines();
    const readme = await readFile('examples/fleet/README.md', 'utf8');

    expect([redis.ports, postgres.ports]).toEqual([['127.0.0.1:6379:6379'], ['127.0.0.1:5432:5432']]);
    expect(readme).toContain(`postgres:${postgres.environment?.POSTGRES_PASSWORD}@127.0.0.1:5432/postgres`);
    expect(readme).toContain('redis://127.0.0.1:6379');
    // The image's own server of the first moments listens on the socket only.
    expect(postgres.healthcheck.test.join(' ')).toContain('pg_isready -h 127.0.0.1');
  });

  test.skipIf(!hasRedis)('gives Redis options that it takes', async () => {
    const { redis } = await engines();
    const [program, ...options] = redis.command?.split(' ') ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'redis-'));
    const here = ['--port', String(await freePort()), '--bind', '127.0.0.1', '--dir', folder];

    const server = await GuardedProcess.start({
      command: redisProgram()!,
      args: [...options, ...here],
      folder,
      endSignal: 'SIGTERM',
      readyLine: /Ready to accept connections/,
    });

    await server.end();
    expect(program).toBe('redis-server');
  });
});
