import { builtin } from '../node-builtin.js';
import { codeOf, type JournalDirectory } from './journal-directory.js';

/** Where the marks stand. */
const FOLDER = 'open';
/** A mark so young may belong to a run that is just beginning. */
const FRESH_MS = 60 * 60_000;

/**
 * Marks the orders with a run that has not ended: empty files in a folder of their own, so that a crash is found
 * without reading every record. A mark is durable before the record that it announces.
 *
 * Each journal object makes marks in its own name, so that one that ends a run takes nothing away from another one that
 * has begun. Marks that a crash left are removed when the folder is read.
 */
export class OpenMarkers {
  readonly #directory: JournalDirectory;
  readonly #self = builtin('node:crypto').randomBytes(6).toString('hex');
  readonly #made = new Set<string>();

  constructor(directory: JournalDirectory) {
    this.#directory = directory;
  }

  async add(name: string): Promise<void> {
    if (this.#made.has(name)) return;
    const mark = `${name}~${this.#self}`;
    try {
      await this.#make(mark);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await this.#directory.makeChild(FOLDER);
      await this.#make(mark);
    }
    await this.#directory.flushName(FOLDER, mark);
    this.#made.add(name);
  }

  async remove(name: string): Promise<void> {
    if (!this.#made.delete(name)) return;
    const mark = `${name}~${this.#self}`;
    this.#directory.forgetName(mark);
    // It says too much when it stays, and is removed when the folder is read.
    await builtin('node:fs/promises')
      .rm(this.#directory.join(FOLDER, mark), { force: true })
      .catch(() => {});
  }

  /** Removes what a crash left of an order without an open run. */
  async repair(name: string): Promise<void> {
    const fs = builtin('node:fs/promises');
    for (const mark of await this.#marks()) {
      if (!mark.startsWith(`${name}~`)) continue;
      const path = this.#directory.join(FOLDER, mark);
      const stats = await fs.stat(path).catch(() => undefined);
      if (stats && stats.mtimeMs < Date.now() - FRESH_MS) await fs.rm(path, { force: true });
    }
  }

  /** Names of marked orders. */
  async names(): Promise<ReadonlySet<string>> {
    return new Set((await this.#marks()).map((mark) => mark.slice(0, mark.indexOf('~'))));
  }

  async #marks(): Promise<string[]> {
    try {
      const files = await builtin('node:fs/promises').readdir(this.#directory.join(FOLDER));
      return files.filter((file) => file.includes('~'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #make(mark: string): Promise<void> {
    const handle = await builtin('node:fs/promises').open(this.#directory.join(FOLDER, mark), 'a', 0o600);
    await handle.close();
  }
}
