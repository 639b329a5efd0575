import { ConfigurationError } from '../../../errors/local.js';
import type { PaymentJournal } from './journal.js';
import { builtin } from './node-builtin.js';

/**
 * A payment journal in a directory of this machine: one file per order, readable by its owner only.
 *
 * Every write makes the file's next version beside it, flushed to the disk, and then takes the older one away; a crash
 * in between leaves one whole version. The name of the next version can be taken once only, so that of two processes
 * that use the directory one succeeds, and the other sees that it was late. The file system must know hard links (those
 * of Linux, macOS and Windows do; some network shares do not). Delete files of finished orders when you like.
 *
 * @param directory - Made when it does not exist. Keep it on a disk that outlives the process, not in a container's layer.
 */
export function fileJournal(directory: string): PaymentJournal {
  if (typeof directory !== 'string' || directory.trim() === '') {
    throw new ConfigurationError('fileJournal needs the path of a directory, for example fileJournal("./payments").');
  }
  return {
    async read(orderId) {
      try {
        return (await newestVersion(directory, fileNameOf(orderId)))?.text;
      } catch (error) {
        throw unusable(directory, { action: 'read', cause: error });
      }
    },
    async write(orderId, expected, next) {
      const name = fileNameOf(orderId);
      try {
        const current = await newestVersion(directory, name);
        if (current?.text !== expected) return false;
        return await writeVersion({ directory, name, version: (current?.version ?? 0) + 1, text: next });
      } catch (error) {
        throw unusable(directory, { action: 'written', cause: error });
      }
    },
  };
}

interface Version {
  readonly version: number;
  readonly text: string;
}

/** The whole content of the highest version. A version may be replaced while it is read; the next one is then there. */
async function newestVersion(directory: string, name: string): Promise<Version | undefined> {
  const fs = builtin('node:fs/promises');
  for (;;) {
    const version = (await versionsOf(directory, name)).at(-1);
    if (version === undefined) return undefined;
    try {
      return { version, text: await fs.readFile(pathOf(directory, name, version), 'utf8') };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

async function versionsOf(directory: string, name: string): Promise<number[]> {
  let files: string[];
  try {
    files = await builtin('node:fs/promises').readdir(directory);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  const prefix = `${name}.`;
  return files
    .filter((file) => file.startsWith(prefix))
    .map((file) => /^(\d+)\.json$/.exec(file.slice(prefix.length))?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

interface NewVersion extends Version {
  readonly directory: string;
  readonly name: string;
}

async function writeVersion({ directory, name, version, text }: NewVersion): Promise<boolean> {
  const fs = builtin('node:fs/promises');
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = builtin('node:path').join(directory, `${name}.${builtin('node:crypto').randomUUID()}.draft`);
  const target = pathOf(directory, name, version);
  try {
    await writeFlushed(draft, text);
    // Unlike a rename, a link fails when the name is taken: the atomic comparison between processes.
    await fs.link(draft, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (NO_LINKS.has(codeOf(error) ?? '')) throw noHardLinks(directory, error);
    throw error;
  } finally {
    await fs.rm(draft, { force: true });
  }
  await flushDirectory(directory);

  const versions = await versionsOf(directory, name);
  if (versions.at(-1) !== version) {
    // The name was free because a later version had been written, and this one cleared away.
    await fs.rm(target, { force: true });
    return false;
  }
  const older = versions.filter((candidate) => candidate < version);
  await Promise.all(older.map((candidate) => fs.rm(pathOf(directory, name, candidate), { force: true })));
  await clearDrafts(directory, name);
  return true;
}

/** Drafts of writers that died; one that lives needs its draft for a moment only. */
async function clearDrafts(directory: string, name: string): Promise<void> {
  const fs = builtin('node:fs/promises');
  const files = await fs.readdir(directory);
  for (const file of files.filter((found) => found.startsWith(`${name}.`) && found.endsWith('.draft'))) {
    const path = builtin('node:path').join(directory, file);
    const { mtimeMs } = await fs.stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - DRAFT_LIFE_MS) await fs.rm(path, { force: true });
  }
}

const DRAFT_LIFE_MS = 10 * 60_000;
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await builtin('node:fs/promises').open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is durable only when its directory is. Windows opens no directories, and needs no flush. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await builtin('node:fs/promises').open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function pathOf(directory: string, name: string, version: number): string {
  return builtin('node:path').join(directory, `${name}.${version}.json`);
}

/** Ids that are not lower-case letters, digits and hyphens are hashed: a name must neither leave the directory nor collide. */
function fileNameOf(orderId: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(orderId)) return `order-${orderId}`;
  return `hashed-${builtin('node:crypto').createHash('sha256').update(orderId).digest('hex')}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A directory that is no directory, read-only, or full; the file system's own error is the cause. */
function unusable(directory: string, { action, cause }: { action: 'read' | 'written'; cause: unknown }): unknown {
  const code = codeOf(cause);
  if (code === undefined) return cause;
  return new ConfigurationError(
    `The payment journal in ${directory} cannot be ${action} (${code}), and without it no payment is sent. ` +
      'Give fileJournal a directory on a local disk that this process may read and write, with space left.',
    { cause },
  );
}

function noHardLinks(directory: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(
    `The file system of ${directory} does not allow hard links, which fileJournal needs so that two processes cannot ` +
      'both win. Use a local disk, or storeJournal with a store that the processes share.',
    { cause },
  );
}
