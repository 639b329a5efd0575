/**
 * Kills processes at every step of named operations and of the inbox, as often as is asked for, over real engines.
 *
 *   npm run test:kills              200 kills of each operation, half of them over each engine, and 200 of the inbox
 *   npm run test:kills -- 40        fewer
 */
import { spawnSync } from 'node:child_process';

const runs = Number(process.argv[2] ?? 200);
if (!Number.isInteger(runs) || runs < 1) throw new Error('Write how often: npm run test:kills -- 200');
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    ...['run', '--disable-console-intercept', '-t', 'killed'],
    ...['test/behaviour/fleet.test.ts', 'test/behaviour/inbox-crash.test.ts'],
  ],
  {
    stdio: 'inherit',
    // Below 21 a run is a short one, which tries each operation over one engine.
    env: { ...process.env, KILLS: String(Math.max(21, Math.ceil(runs / 2))), CRASH_RUNS: String(runs) },
  },
);
process.exitCode = status ?? 1;
