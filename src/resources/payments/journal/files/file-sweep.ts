import { unmovedText } from '../moved-record.js';
import { builtin } from '../node-builtin.js';
import { isOpenText } from '../open-runs.js';
import { FORMER_FILE, type FormerFiles } from './former-files.js';
import { codeOf, type JournalDirectory } from './journal-directory.js';
import { readOrderFile, removeOrderFile } from './order-file.js';

const YEAR_MS = 365 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** A step follows the first order that a journal ends, and then one in so many. */
const ORDERS_PER_STEP = 16;
const FILES_PER_STEP = 64;

/**
 * Removes the records of orders that ended long ago, a few files at a time, behind the orders that are being paid.
 *
 * A record with a run that has not ended stays for a year: its payment is undecided, and somebody has to look at it.
 */
export class FileSweep {
  readonly #directory: JournalDirectory;
  readonly #former: FormerFiles;
  readonly #keepMs: number;
  #orders = 0;
  /** Files still to be looked at in this round. */
  #pending: string[] = [];
  #shards: string[] = [];
  #isRunning = false;

  constructor({ directory, former, keepMs }: { directory: JournalDirectory; former: FormerFiles; keepMs: number }) {
    this.#directory = directory;
    this.#former = former;
    this.#keepMs = keepMs;
  }

  stepNowAndThen(): void {
    this.#orders += 1;
    if (this.#orders % ORDERS_PER_STEP !== 1 || this.#isRunning) return;
    this.#isRunning = true;
    // A sweep that fails costs space only, and the next one tries again.
    void this.#step()
      .catch(() => {})
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #step(): Promise<void> {
    if (this.#shards.length === 0 && this.#pending.length === 0) await this.#begin();
    for (let seen = 0; seen < FILES_PER_STEP; ) {
      const path = this.#pending.pop();
      if (path !== undefined) {
        seen += 1;
        await this.#look(path);
      } else if (!(await this.#nextShard())) return;
    }
  }

  /** A round over all shards begins anywhere: processes that live shortly would else look at the same ones. */
  async #begin(): Promise<void> {
    const names = await builtin('node:fs/promises').readdir(this.#directory.path);
    const shards = names.filter((name) => /^[0-9a-f]{2}$/.test(name));
    const start = Math.floor(Math.random() * shards.length);
    this.#shards = [...shards.slice(start), ...shards.slice(0, start)];
    this.#pending = names.filter((name) => FORMER_FILE.test(name)).map((name) => this.#directory.join(name));
  }

  async #nextShard(): Promise<boolean> {
    const shard = this.#shards.pop();
    if (shard === undefined) return false;
    const files = await builtin('node:fs/promises').readdir(this.#directory.join(shard));
    this.#pending = files.map((file) => this.#directory.join(shard, file));
    return true;
  }

  async #look(path: string): Promise<void> {
    const fs = builtin('node:fs/promises');
    const stats = await fs.stat(path).catch(() => undefined);
    if (!stats?.isFile()) return;
    const ageMs = Date.now() - stats.mtimeMs;
    if (path.endsWith('.gone')) {
      if (ageMs > DAY_MS) await fs.rm(path, { force: true });
      return;
    }
    if (ageMs <= this.#keepMs) return;
    if (path.endsWith('.json')) return this.#lookAtFormer(path, ageMs);
    if (!path.endsWith('.log')) return;
    const text = (await readOrderFile(path))?.text;
    if (isOpenText(text) && ageMs <= YEAR_MS) return;
    // Where an older release kept it goes first, or the record would come back from there.
    await this.#former.remove(builtin('node:path').basename(path, '.log'));
    await removeOrderFile(path, text);
  }

  async #lookAtFormer(path: string, ageMs: number): Promise<void> {
    const fs = builtin('node:fs/promises');
    const text = await fs.readFile(path, 'utf8').catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined || (isOpenText(unmovedText(text)) && ageMs <= YEAR_MS)) return;
    await fs.rm(path, { force: true });
  }
}
