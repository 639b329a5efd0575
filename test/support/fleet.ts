import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import type { FleetTask } from '../behaviour/processes/fleet-worker.js';

export interface WorkerEnd {
  readonly signal: string | null;
  /** The line that the worker printed, read as JSON. */
  readonly result: unknown;
  /** What the same named operation gave when it was called once more. */
  readonly again: unknown;
  /** How many steps it took; `undefined` of a process that was killed. */
  readonly steps: number | undefined;
}

export interface Worker {
  readonly child: ChildProcess;
  readonly end: Promise<WorkerEnd>;
}

export interface FleetOptions {
  /** Address of the store's server. */
  readonly store: string;
  readonly baseUrl: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  /** What is known of the service: the option `payments` of the clients. */
  readonly payments?: { readonly horizonMs: number; readonly lagMs: number };
}

/** Starts processes of the worker's program, which is built into one file so that each starts in a fraction of a second. */
export class Fleet {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async build(): Promise<Fleet> {
    const directory = await mkdtemp(join(tmpdir(), 'fleet-'));
    await build({
      entry: [fileURLToPath(new URL('../behaviour/processes/fleet-worker.ts', import.meta.url))],
      outDir: directory,
      format: 'cjs',
      noExternal: [/.*/],
      external: ['pg-native', 'pg-cloudflare', 'cloudflare:sockets'],
      config: false,
      silent: true,
      dts: false,
      target: 'node20',
    });
    return new Fleet(directory);
  }

  /** A process at work; it is killed by the system at its step `killAt`. */
  start({ store, baseUrl, credentials, payments }: FleetOptions, task: FleetTask, killAt?: number): Worker {
    const child = spawn(process.execPath, [join(this.#directory, 'fleet-worker.cjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ONLINE_ORDERING_BASE_URL: baseUrl,
        ONLINE_ORDERING_CLIENT_ID: credentials.clientId,
        ONLINE_ORDERING_CLIENT_SECRET: credentials.clientSecret,
        // Where Node has one, a process starts in half the time.
        NODE_COMPILE_CACHE: join(this.#directory, 'cache'),
        STORE: store,
        PAYMENTS: JSON.stringify(payments ?? {}),
        TASK: JSON.stringify(task),
        KILL_AT: killAt === undefined ? '' : String(killAt),
      },
    });
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    const end = new Promise<WorkerEnd>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (_code, signal) => {
        const { result, again, steps } = output === '' ? {} : JSON.parse(output);
        resolve({ signal, result, again, steps });
      });
    });
    return { child, end };
  }

  run(options: FleetOptions, task: FleetTask, killAt?: number): Promise<WorkerEnd> {
    return this.start(options, task, killAt).end;
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true, force: true });
  }
}
