import { describe, expect, test } from 'vitest';
import { hasPostgres } from '../support/engines/index.js';
import { runProgram } from './run-program.js';

describe.skipIf(!hasPostgres)('the example of a fleet', () => {
  test('has every order paid once and every event handled once, though its workers are killed', async () => {
    const { exitCode, stdout, stderr } = await runProgram('examples/fleet/index.ts', {
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
