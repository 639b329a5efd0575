import type { FileHandle } from 'node:fs/promises';
import { builtin } from '../node-builtin.js';
import { codeOf } from './journal-directory.js';
import { EMPTY_LOG, goneLine, goneMark, isGone, type LogState, readLog, stateOf, textLine } from './order-log.js';

const MOST_ATTEMPTS = 5;

/** The log at `path`, or `undefined` when there is none. */
export async function readOrderFile(path: string): Promise<LogState | undefined> {
  try {
    return readLog(await builtin('node:fs/promises').readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export interface OrderWrite {
  readonly expected: string | undefined;
  readonly next: string;
  /** Begins the log with this text where there is none. */
  readonly begin?: string | undefined;
}

/**
 * Appends `next` after `expected`, flushed to the disk; false when another version stands there, `'empty'` when the log
 * holds no line although a record is expected.
 *
 * @throws The file system's error. `ENOENT`: there is no log, and `expected` says that there is one; or no directory.
 */
export async function writeOrderFile(path: string, { expected, next, begin }: OrderWrite): Promise<boolean | 'empty'> {
  const mayCreate = expected === undefined || begin !== undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const handle = await openToAppend(path, mayCreate);
    try {
      const log = await openLog(handle);
      const isNew = log.state.mark === EMPTY_LOG.mark;
      if (isNew && mayCreate === false) return 'empty';
      if (log.state.text !== expected && !(isNew && begin === expected)) return false;
      const first = isNew && begin !== undefined ? textLine(EMPTY_LOG, begin).content : '';
      const { line, content } = textLine(first === '' ? log.state : stateOf(begin ?? ''), next);
      if (!(await append(handle, log, first + content)).accepted.has(line)) return false;
      // Who takes a record away unlinks its file a moment later.
      if (!isGone(log.state) || (await isStillAt(handle, path))) return true;
    } finally {
      await handle.close();
    }
  }
  return false;
}

/** Takes the log away if its record is `expected`; false when it is not. */
export async function removeOrderFile(path: string, expected: string | undefined): Promise<boolean> {
  const handle = await openToAppend(path, false).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return false;
  let name: string;
  try {
    const log = await openLog(handle);
    if (log.state.text !== expected) return false;
    const { line, content } = goneLine(log.state);
    if (!(await append(handle, log, content)).accepted.has(line)) return false;
    name = line;
  } finally {
    await handle.close();
  }
  // From here on the record is gone; what follows clears up.
  await unlinkGone(path, name).catch(() => {});
  return true;
}

/** Another process may have begun a new record after the line that took the old one away: that file stays. */
async function unlinkGone(path: string, line: string): Promise<void> {
  const fs = builtin('node:fs/promises');
  if ((await readOrderFile(path))?.mark !== goneMark(line)) return;
  const aside = `${path}.${line}.gone`;
  await fs.rename(path, aside);
  if ((await readOrderFile(aside))?.mark !== goneMark(line)) await fs.link(aside, path);
  await fs.rm(aside, { force: true });
}

function openToAppend(path: string, mayCreate: boolean): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_CREAT } = builtin('node:fs').constants;
  const flags = O_RDWR | O_APPEND | (mayCreate ? O_CREAT : 0);
  return builtin('node:fs/promises').open(path, flags, 0o600);
}

interface OpenLog {
  readonly content: Buffer;
  readonly state: LogState;
}

async function openLog(handle: FileHandle): Promise<OpenLog> {
  const content = await readFrom(handle, 0);
  return { content, state: readLog(content.toString('utf8')) };
}

/** One write of the whole line: the system keeps appended writes apart. */
async function append(handle: FileHandle, { content }: OpenLog, line: string): Promise<LogState> {
  const bytes = Buffer.from(line, 'utf8');
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length);
  if (bytesWritten !== bytes.length) throw Object.assign(new Error('no space left on the device'), { code: 'ENOSPC' });
  await handle.sync();
  const appended = await readFrom(handle, content.length);
  return readLog(Buffer.concat([content, appended]).toString('utf8'));
}

const CHUNK_BYTES = 16 * 1024;

async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let position = start; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead > 0) chunks.push(chunk.subarray(0, bytesRead));
    if (bytesRead < CHUNK_BYTES) return chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks);
    position += bytesRead;
  }
}

async function isStillAt(handle: FileHandle, path: string): Promise<boolean> {
  const own = await handle.stat({ bigint: true });
  const there = await builtin('node:fs/promises')
    .stat(path, { bigint: true })
    .catch(() => undefined);
  return there !== undefined && there.ino === own.ino && there.dev === own.dev;
}
