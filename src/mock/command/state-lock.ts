import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { sleep, systemClock } from '../../platform/clock.js';
import { hasProvablyEnded, type ProcessIdentity, thisProcess } from '../../platform/process-identity.js';
import { newUuid } from '../../platform/uuid.js';

/** The right of one process to write a state file. */
export interface StateLock {
  readonly file: string;
  /** False once another process has the right, or the lock file was taken away. */
  isHeld(): Promise<boolean>;
  /** Gives the right back. */
  release(): Promise<void>;
}

/** Who keeps its state in a file; the content of the lock file. */
interface Holder extends ProcessIdentity {
  /** Names this use of the file among all. */
  readonly id: string;
  /** ISO 8601. */
  readonly since: string;
}

/** A lock file is touched so often, in real milliseconds. */
const BEAT_MS = 1000;
/** One that was not touched for so long belongs to nobody, where nothing else tells: in another container, after a restart. */
const SILENT_MS = 5000;
/** Two processes that look at one lock file may move it, and put it back, within this time. */
const MOVED_MS = 200;
/** Others may be faster, but not again and again. */
const TRIES = 20;

/**
 * Takes the right to write a state file: `FILE.lock` is created beside it, and must not have been there. The lock of a
 * process that has ended is taken over.
 *
 * @param silentMs - How long a lock must not have been touched before it counts as nobody's.
 * @throws Error when another process keeps its state in the file, or the lock cannot be created.
 */
export async function lockState(file: string, silentMs = SILENT_MS): Promise<StateLock> {
  const path = `${file}.lock`;
  const holder: Holder = { id: newUuid(), since: new Date().toISOString(), ...thisProcess() };
  const text = `${JSON.stringify(holder)}\n`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const handle = await create(path, text).catch((error: unknown) => {
      throw new Error(`The state cannot be written to ${file}: ${error instanceof Error ? error.message : error}`);
    });
    if (handle) return held({ file, path, text, handle });
    const found = await contentOf(path);
    if (found === undefined) continue; // it was given back just now
    if (!(await hasEnded(path, found, silentMs))) throw inUse(file, path, found);
    await takeAway(path, found);
  }
  throw inUse(file, path, (await contentOf(path)) ?? '');
}

/** The lock file with its content from the first moment on; undefined when there is one already. */
async function create(path: string, text: string): Promise<FileHandle | undefined> {
  const draft = `${path}.${newUuid()}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await link(draft, path);
    return handle;
  } catch (error) {
    await handle.close();
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

interface Held {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  readonly handle: FileHandle;
}

function held({ file, path, text, handle }: Held): StateLock {
  const leave = new AbortController();
  const beat = async (): Promise<void> => {
    for (;;) {
      await sleep(systemClock, BEAT_MS, leave.signal, { background: true });
      const now = new Date();
      // By its handle: never the lock of a process that has taken over.
      await handle.utimes(now, now);
    }
  };
  const beating = beat().catch(() => {}); // ended, or a file system that keeps no times
  const isHeld = async (): Promise<boolean> => {
    if ((await contentOf(path)) === text) return true;
    await sleep(systemClock, MOVED_MS);
    return (await contentOf(path)) === text;
  };
  return {
    file,
    isHeld,
    async release() {
      leave.abort();
      await beating;
      if (await isHeld()) await rm(path, { force: true });
      await handle.close();
    },
  };
}

/** Whether the process of a lock has ended: the system proves it, or nobody has touched the file for too long. */
async function hasEnded(path: string, text: string, silentMs: number): Promise<boolean> {
  const holder = holderOf(text);
  if (holder && hasProvablyEnded(holder)) return true;
  const touched = await touchedAt(path);
  for (let waitedMs = 0; waitedMs < silentMs; waitedMs += BEAT_MS / 4) {
    await sleep(systemClock, BEAT_MS / 4);
    if ((await touchedAt(path)) !== touched) return false;
  }
  return true;
}

/** Moves the lock of a process that has ended away; what turns out to be the lock of another is put back. */
async function takeAway(path: string, ended: string): Promise<void> {
  const moved = `${path}.${newUuid()}`;
  try {
    await rename(path, moved);
  } catch {
    return; // somebody else was faster
  }
  if ((await contentOf(moved)) !== ended) await link(moved, path).catch(() => {});
  await rm(moved, { force: true });
}

const contentOf = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

const touchedAt = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ mtimeMs, ino }) => `${ino} ${mtimeMs}`,
    () => undefined,
  );

/** What is no lock was cut when its machine went down. */
function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.id === 'string' ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

function inUse(file: string, path: string, text: string): Error {
  const holder = holderOf(text);
  const by = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process';
  return new Error(`${file} is in use by ${by} (${path}). End that one, or give --state another file.`);
}
