import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileJournal } from 'online-ordering-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Program } from '../../../../support/programs.js';

const PROGRAM = fileURLToPath(new URL('./processes/hold-order.ts', import.meta.url));
const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
const NAMESPACES = [
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ...['--fork', '--kill-child', '--pid', '--mount-proc'],
];

const hasSignals = process.platform !== 'win32';
const hasProc = process.platform === 'linux';
const hasNamespaces = hasProc && spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;
if (!hasNamespaces)
  console.log('Skipped: this machine does not permit `unshare --user --pid` (namespaces of process numbers).');

let directory: string;
let program: Program;
const children: ChildProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lock-processes-'));
  program = await Program.build(PROGRAM);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await program?.remove();
  await rm(directory, { recursive: true, force: true });
});

interface Holder {
  readonly child: ChildProcess;
  readonly lines: string[];
  says(line: string | RegExp, withinMs?: number): Promise<void>;
}

function hold(journal: string, env: Record<string, string> = {}, prefix: readonly string[] = []): Holder {
  const [command, ...args] = [...prefix, ...program.command];
  const child = spawn(command!, args, {
    env: { ...process.env, ORDER_ID: ORDER, JOURNAL: join(directory, journal), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes) => {
      lines.push(...String(bytes).trim().split('\n'));
      for (const listener of listeners) listener();
    });
  }
  const says = (line: string | RegExp, withinMs = 10_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not said: ${line}; said: ${lines.join(' | ')}`)), withinMs);
      const look = (): void => {
        if (!lines.some((said) => (typeof line === 'string' ? said === line : line.test(said)))) return;
        clearTimeout(timer);
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  return { child, lines, says };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// Side by side: they wait for leases.
describe.skipIf(!hasSignals).concurrent('a process that is suspended while it holds an order', () => {
  test('loses it after a lease, knows so when it wakes, and writes nothing more', async () => {
    const first = hold('suspended', { HOLD_MS: '2500' });
    await first.says('held');
    first.child.kill('SIGSTOP');
    const second = hold('suspended', { HOLD_MS: '60000' });

    await pause(500);
    expect(second.lines).not.toContain('held');
    await second.says('held');
    first.child.kill('SIGCONT');
    await first.says(/^refused/);

    expect(first.lines).toContain('may not send');
    expect(first.lines).toContain('lost');
    expect(first.lines).toContain('refused lock_lost');
    const record = JSON.parse((await fileJournal(join(directory, 'suspended')).read(ORDER))!);
    expect(record.lock.pid).toBe(second.child.pid);
    expect(record.runs.map(({ id }: { id: string }) => id)).not.toContain('end');
    second.child.kill('SIGKILL');
  });
});

describe.skipIf(!hasProc).concurrent('a process that was killed while it held an order', () => {
  test('is followed at once on the same machine, however long its lease', async () => {
    const first = hold('killed', { LEASE_MS: '600000' });
    await first.says('held');
    const ended = new Promise((resolve) => first.child.once('close', resolve));
    first.child.kill('SIGKILL');
    await ended;

    const second = hold('killed', { LEASE_MS: '600000' });

    await second.says('held', 8000);
    second.child.kill('SIGKILL');
  });
});

describe
  .skipIf(!hasNamespaces)
  .concurrent('two containers with one directory, that count their processes each for itself', () => {
    test('take an order from each other by time alone, though the number of the holder is nobody’s in the other', async () => {
      const first = hold('namespaces', { LEASE_MS: '2500' }, ['unshare', ...NAMESPACES]);
      await first.says('held');
      const second = hold('namespaces', { LEASE_MS: '2500' }, [
        'unshare',
        ...NAMESPACES,
        'sh',
        '-c',
        '/bin/true; /bin/true; "$0" "$@"',
      ]);

      await pause(6000);
      expect(second.lines).toEqual([]);
      expect(first.lines).toEqual(['held']);
      for (const { child } of [first, second]) child.kill('SIGKILL');
    });
  });
