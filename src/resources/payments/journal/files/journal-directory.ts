import type { BigIntStats } from 'node:fs';
import { ConfigurationError } from '../../../../errors/local.js';
import { builtin } from '../node-builtin.js';

/** The directory of a file journal: found once, made durable, and known again. */
export class JournalDirectory {
  readonly path: string;
  #identity: string | undefined;
  /** Files whose names are durable, and directories that are. */
  readonly #flushed = new Set<string>();
  readonly #flushedAbove = new Set<string>();

  /** The path is resolved here, so that a later `chdir` changes nothing. */
  constructor(path: string) {
    this.path = builtin('node:path').resolve(path);
  }

  join(...names: string[]): string {
    return builtin('node:path').join(this.path, ...names);
  }

  /**
   * Its state, or `undefined` while it was never made.
   *
   * @throws {ConfigurationError} It is no longer the directory that this journal began with.
   */
  async check(): Promise<BigIntStats | undefined> {
    let stats: BigIntStats;
    try {
      stats = await builtin('node:fs/promises').stat(this.path, { bigint: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      if (this.#identity !== undefined) throw moved(this.path);
      return undefined;
    }
    const identity = `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
    this.#identity ??= identity;
    if (identity !== this.#identity) throw moved(this.path);
    return stats;
  }

  /** Makes the directory, and every directory above it that is missing, so that a power cut takes none of them. */
  async make(): Promise<void> {
    if (await this.check()) return;
    const { dirname } = builtin('node:path');
    const first = await builtin('node:fs/promises').mkdir(this.path, { recursive: true, mode: 0o700 });
    for (let made = this.path; first !== undefined && made.length >= first.length; made = dirname(made)) {
      await flushDirectory(dirname(made));
    }
    await this.check();
  }

  /** Makes a directory in it. */
  async makeChild(name: string): Promise<void> {
    await this.make();
    await builtin('node:fs/promises').mkdir(this.join(name), { recursive: true, mode: 0o700 });
  }

  /** Makes the name of a file durable, with those of the directories above it; once for each and process is enough. */
  async flushName(directory: string, name: string): Promise<void> {
    if (this.#flushed.has(name)) return;
    if (!this.#flushedAbove.has(directory)) {
      await flushDirectory(this.path);
      if (this.#flushedAbove.size === 0) await flushDirectory(builtin('node:path').dirname(this.path));
    }
    await flushDirectory(this.join(directory));
    this.#flushedAbove.add(directory);
    this.#flushed.add(name);
    for (const oldest of this.#flushed) {
      if (this.#flushed.size <= MOST_FLUSHED) break;
      this.#flushed.delete(oldest);
    }
  }

  forgetName(name: string): void {
    this.#flushed.delete(name);
  }
}

const MOST_FLUSHED = 1000;

/**
 * A new name is durable only when its directory is. Windows opens no directories, and needs no flush.
 *
 * @throws {ConfigurationError} The file system cannot do it.
 */
export async function flushDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const fs = builtin('node:fs/promises');
  try {
    const handle = await fs.open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw new ConfigurationError(
      `The file system of ${path} does not flush a directory to the disk (${codeOf(cause) ?? 'see the cause'}), so that ` +
        'a power cut could take the journal of a payment away, and the payment would be made again. No payment is sent. ' +
        'Give fileJournal a directory on a local disk, or use storeJournal.',
      { cause },
    );
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function moved(path: string): ConfigurationError {
  return new ConfigurationError(
    `The directory ${path} of the payment journal was moved, replaced or removed while this process used it. What is ` +
      'noted there is not seen in another directory and would be charged again, so that no payment is sent. Put it ' +
      'back; or, when no payment of it is open, start the process again.',
  );
}
