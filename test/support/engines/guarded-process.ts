import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

export interface GuardedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Deleted when the process has ended. */
  readonly folder: string;
  /** What ends the process in good order. */
  readonly endSignal: NodeJS.Signals;
  /** What it prints once it takes connections. */
  readonly readyLine: RegExp;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

const READY_WITHIN_MS = 120_000;
const END_WITHIN_MS = 5000;

/**
 * A shell that waits for the end of its input, which comes when the test run closes it or dies, whatever it dies of.
 * It wakes the server (it may be stopped), asks it to end, and takes it away after two seconds.
 */
const GUARD = `read -r _; kill -CONT "$1" 2>/dev/null; kill -"$2" "$1" 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" 2>/dev/null || break; sleep 0.2; done
kill -KILL "$1" 2>/dev/null; rm -rf "$3"`;

/** A server of one test run: it ends with the run, also when the run is killed. */
export class GuardedProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess;
  readonly #options: GuardedProcessOptions;
  readonly #ended: Promise<void>;

  private constructor(child: ChildProcess, options: GuardedProcessOptions) {
    this.pid = child.pid!;
    this.#child = child;
    this.#options = options;
    this.#ended = new Promise((resolve) => child.once('exit', () => resolve()));
    const { endSignal, folder } = options;
    // Detached, so that Ctrl-C at the terminal reaches the run alone, and the guard outlives it.
    this.#guard = spawn('sh', ['-c', GUARD, 'guard', String(this.pid), endSignal.replace('SIG', ''), folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#guard.unref();
    this.#guard.stdin?.on('error', () => {});
    (this.#guard.stdin as unknown as { unref?(): void }).unref?.();
  }

  /** Starts the process and waits until it takes connections. */
  static async start(options: GuardedProcessOptions): Promise<GuardedProcess> {
    const { command, args, uid, gid, readyLine, env } = options;
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      cwd: options.folder,
      env: env ?? process.env,
      ...(uid === undefined ? {} : { uid }),
      ...(gid === undefined ? {} : { gid }),
    });
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      const failed = (why: string): void => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(`${command} ${why}. It printed:\n${printed.slice(-2000)}`));
      };
      const timer = setTimeout(() => failed(`took no connections within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
      child.once('error', (error) => failed(`could not be started (${error.message})`));
      const endedEarly = (code: number | null): void => failed(`ended at once (${code})`);
      child.once('exit', endedEarly);
      const read = (bytes: Buffer): void => {
        printed = `${printed}${bytes}`.slice(-10_000);
        if (!readyLine.test(printed)) return;
        clearTimeout(timer);
        child.off('exit', endedEarly);
        for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume();
        resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
    });
    child.unref();
    for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref?(): void } | null)?.unref?.();
    return new GuardedProcess(child, options);
  }

  /** Sends a signal to the server's process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the process, by `signal` when given; its folder stays when `keepFolder` says so. */
  async end(options: { signal?: NodeJS.Signals; keepFolder?: boolean } = {}): Promise<void> {
    this.#guard.removeAllListeners();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGCONT');
      this.#child.kill(options.signal ?? this.#options.endSignal);
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_WITHIN_MS);
      await this.#ended;
      clearTimeout(timer);
    }
    // By its own id: the guard would delete the folder.
    this.#guard.kill('SIGKILL');
    if (!options.keepFolder) await rm(this.#options.folder, { recursive: true, force: true });
  }
}
