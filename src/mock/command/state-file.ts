import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../../platform/clock.js';
import type { MockService } from '../service.js';
import type { StateLock } from './state-lock.js';

/** What a state file begins with; the snapshot stands in the line below it. */
interface Head {
  readonly what: typeof WHAT;
  readonly sha256: string;
}

const WHAT = 'state of the mock service of online-ordering-sdk';

/** Changes within so many milliseconds are written together. */
const GATHER_MS = 100;
/** Writing takes at most this share of the time: a large state is written less often. */
const LARGEST_SHARE = 0.1;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The snapshot of a state file; undefined when there is no such file.
 *
 * @throws Error when the file is no whole state file: it was cut, changed by hand, or is something else.
 */
export async function readState(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  const end = text.indexOf('\n');
  const head = headOf(text.slice(0, Math.max(0, end)));
  const snapshot = text.slice(end + 1).replace(/\n$/, '');
  if (head?.what !== WHAT) throw damaged(file, 'is no state of the mock');
  if (head.sha256 !== sha256(snapshot)) throw damaged(file, 'is damaged: it was cut, or changed by hand');
  return snapshot;
}

function headOf(line: string): Partial<Head> | undefined {
  try {
    return JSON.parse(line) as Partial<Head>;
  } catch {
    return undefined;
  }
}

const damaged = (file: string, how: string): Error =>
  new Error(`${file} ${how}. Nothing was changed. Move it away to begin anew, or give --state another file.`);

export interface StateFileDeps {
  readonly service: MockService;
  /** The right to write the file, and its name. */
  readonly lock: StateLock;
  /** Gets what went wrong while the service is at work. */
  readonly onError: (error: unknown) => void;
}

/** Writes what a service remembers to a file, soon after each change, so that the file is whole at every moment. */
export class StateFile {
  readonly #service: MockService;
  readonly #file: string;
  readonly #lock: StateLock;
  readonly #onError: (error: unknown) => void;
  readonly #stopListening: () => void;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();
  #pauseMs = GATHER_MS;
  /** The file as it was written last: what another program wrote into it stays. */
  #mark: string | undefined;

  constructor({ service, lock, onError }: StateFileDeps) {
    this.#service = service;
    this.#file = lock.file;
    this.#lock = lock;
    this.#onError = onError;
    this.#stopListening = service.onChange(() => this.#soon());
  }

  /** Writes it now. */
  save(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const after = this.#writing.then(() => this.#write());
    this.#writing = after.catch(() => {});
    return after;
  }

  /** Writes it once more, and no more after that. */
  async end(): Promise<void> {
    this.#stopListening();
    try {
      await this.save();
    } finally {
      await this.#lock.release();
    }
  }

  #soon(): void {
    this.#cancelTimer ??= systemClock.setTimer(() => void this.save().catch(this.#onError), this.#pauseMs, {
      background: true,
    });
  }

  async #write(): Promise<void> {
    const startedAt = performance.now();
    const snapshot = this.#service.snapshot();
    const head: Head = { what: WHAT, sha256: sha256(snapshot) };
    await this.#refuseOthers();
    const draft = `${this.#file}.${process.pid}.draft`;
    try {
      // It holds secrets and tokens of the service.
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(`${JSON.stringify(head)}\n${snapshot}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.#file);
    } catch (error) {
      await rm(draft, { force: true });
      throw new Error(
        `The state cannot be written to ${this.#file}: ${error instanceof Error ? error.message : error}`,
      );
    }
    this.#mark = await this.#markOf();
    this.#pauseMs = Math.max(GATHER_MS, (performance.now() - startedAt) / LARGEST_SHARE);
  }

  async #refuseOthers(): Promise<void> {
    const isUntouched = this.#mark === undefined || this.#mark === (await this.#markOf());
    if (isUntouched && (await this.#lock.isHeld())) return;
    this.#stopListening();
    const why = isUntouched ? 'is in use by another process' : 'was written by somebody else';
    throw new Error(`${this.#file} ${why}; this service is no longer kept in it.`);
  }

  /** Tells this file from any other at the same place. */
  async #markOf(): Promise<string> {
    const { ino, mtimeMs, size } = await stat(this.#file).catch(() => ({ ino: 0, mtimeMs: 0, size: 0 }));
    return `${ino} ${mtimeMs} ${size}`;
  }
}
