import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FleetJob, FleetResult, FleetTask } from '../behaviour/processes/fleet-worker.js';
import { Program } from './programs.js';

export type { FleetTask } from '../behaviour/processes/fleet-worker.js';

/** What came of a job; `undefined` of a process that ended before. */
export type FleetEnd = FleetResult | undefined;

/** A process that shares a store with others, and does one job after the other, or several at once. */
export class Worker {
  readonly child: ChildProcess;
  /** Once it is connected to its store. */
  readonly ready: Promise<void>;
  /** The signal that it died of. */
  readonly end: Promise<NodeJS.Signals | null>;
  readonly #waiting = new Map<number, (end: FleetEnd) => void>();
  #jobs = 0;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdin?.on('error', () => {});
    const lines = createInterface({ input: child.stdout! });
    this.ready = new Promise((resolve) => {
      lines.once('line', () => {
        lines.on('line', (line) => this.#done(JSON.parse(line) as FleetResult));
        resolve();
      });
    });
    this.end = once(child, 'close').then(([_code, signal]) => {
      for (const settle of this.#waiting.values()) settle(undefined);
      return signal as NodeJS.Signals | null;
    });
  }

  run(client: FleetJob['client'], task: FleetTask, killAt?: number): Promise<FleetEnd> {
    this.#jobs += 1;
    const job: FleetJob = { id: this.#jobs, task, client, killAt };
    return new Promise((resolve) => {
      this.#waiting.set(job.id, resolve);
      this.child.stdin?.write(`${JSON.stringify(job)}\n`);
    });
  }

  #done(result: FleetResult): void {
    this.#waiting.get(result.id)?.(result);
    this.#waiting.delete(result.id);
  }

  /** Ends once its jobs are done. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.end;
  }
}

/** Starts processes of the worker's program. */
export class Fleet {
  readonly #program: Program;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async build(): Promise<Fleet> {
    return new Fleet(
      await Program.build(fileURLToPath(new URL('../behaviour/processes/fleet-worker.ts', import.meta.url))),
    );
  }

  /** @param store address of the store's server */
  start(store: string): Worker {
    const env = { ...process.env, STORE: store };
    return new Worker(this.#program.start({ stdio: ['pipe', 'pipe', 'inherit'], env }));
  }

  remove(): Promise<void> {
    return this.#program.remove();
  }
}
