import { ConfigurationError } from '../../../../errors/local.js';
import { asPlainJournal, type PaymentJournal } from '../journal.js';
import { builtin } from '../node-builtin.js';
import { isOpenText, orderIdOf } from '../open-runs.js';
import { checkedRetention } from '../retention.js';
import { FileSweep } from './file-sweep.js';
import { FormerFiles, fileNameOf } from './former-files.js';
import { codeOf, JournalDirectory } from './journal-directory.js';
import { OpenMarkers } from './open-markers.js';
import { type OrderWrite, readOrderFile, removeOrderFile, writeOrderFile } from './order-file.js';

/** How long a file journal keeps what it knows. */
export interface FileJournalOptions {
  /**
   * Milliseconds after its last write at which the record of an order may be removed; at least 25 hours. A record with
   * a run that has not ended stays for a year. @defaultValue 30 days
   */
  keepMs?: number | undefined;
}

/**
 * A payment journal in a directory of this machine: one file per order, readable by its owner only.
 *
 * Every write appends a line to the order's file and flushes it to the disk. A line counts only if it follows the present
 * version, so that of two processes that use the directory one succeeds, and the other sees that it was late; a line that
 * a crash cut off counts for nothing. The directory belongs to the processes of one machine, on a local disk: network
 * shares do not keep appended lines apart. Files of finished orders are removed after `keepMs`.
 *
 * @param directory - Made when it does not exist; resolved now, so that a later `chdir` changes nothing. Keep it on a disk
 *   that outlives the process, not in a container's layer.
 * @throws {ConfigurationError} The path is empty, or `keepMs` is shorter than 25 hours. From `settle`: the directory
 *   cannot be used, was moved or replaced, or cannot be made durable.
 */
export function fileJournal(directory: string, options: FileJournalOptions = {}): PaymentJournal {
  if (typeof directory !== 'string' || directory.trim() === '') {
    throw new ConfigurationError('fileJournal needs the path of a directory, for example fileJournal("./payments").');
  }
  return asPlainJournal(new FileJournal(directory, checkedRetention('keepMs', options.keepMs)));
}

class FileJournal implements Required<PaymentJournal> {
  readonly #directory: JournalDirectory;
  readonly #former: FormerFiles;
  readonly #markers: OpenMarkers;
  readonly #sweep: FileSweep;

  constructor(directory: string, keepMs: number) {
    this.#directory = new JournalDirectory(directory);
    this.#former = new FormerFiles(this.#directory);
    this.#markers = new OpenMarkers(this.#directory);
    this.#sweep = new FileSweep({ directory: this.#directory, former: this.#former, keepMs });
  }

  async read(orderId: string): Promise<string | undefined> {
    try {
      await this.#directory.check();
      return await this.#textOf(orderId);
    } catch (error) {
      throw this.#unusable('read', error);
    }
  }

  async write(orderId: string, expected: string | undefined, next: string): Promise<boolean> {
    const { name } = placeOf(orderId);
    try {
      const isOpen = isOpenText(next);
      // Marked before it is written: a crash in between names an order too many, never one too few.
      if (isOpen) await this.#markers.add(name);
      const written = await this.#write(orderId, expected, next);
      if (written && !isOpen) {
        await this.#markers.remove(name);
        this.#sweep.stepNowAndThen();
      }
      return written;
    } catch (error) {
      throw this.#unusable('written', error);
    }
  }

  async forget(orderId: string, expected: string): Promise<boolean> {
    const { name, shard, file } = placeOf(orderId);
    try {
      const isGone = await removeOrderFile(this.#directory.join(shard, file), expected);
      if (!isGone) return false;
      this.#directory.forgetName(file);
      await this.#markers.remove(name);
      return true;
    } catch (error) {
      throw this.#unusable('written', error);
    }
  }

  async *open(): AsyncGenerator<string> {
    try {
      if (!(await this.#directory.check())) return;
      const seen = new Set<string>();
      for (const name of await this.#markers.names()) {
        const log = await readOrderFile(this.#directory.join(shardOf(name), `${name}.log`));
        const text = log && log.accepted.size > 0 ? log.text : (await this.#former.named(name))?.text;
        const orderId = orderIdOf(text) ?? /^order-(.*)$/.exec(name)?.[1];
        if (!isOpenText(text) || orderId === undefined) {
          await this.#markers.repair(name);
          continue;
        }
        seen.add(orderId.toLowerCase());
        yield orderId;
      }
      for await (const { text } of this.#former.all()) {
        const orderId = orderIdOf(text);
        if (orderId !== undefined && isOpenText(text) && !seen.has(orderId.toLowerCase())) yield orderId;
      }
    } catch (error) {
      throw this.#unusable('read', error);
    }
  }

  async #textOf(orderId: string): Promise<string | undefined> {
    const { shard, file } = placeOf(orderId);
    const log = await readOrderFile(this.#directory.join(shard, file));
    // Without a line, a process died while it began the log, perhaps over a record of the former layout.
    if (log && log.accepted.size > 0) return log.text;
    return (await this.#former.find(orderId))?.text;
  }

  async #write(orderId: string, expected: string | undefined, next: string): Promise<boolean> {
    const { shard, file } = placeOf(orderId);
    const path = this.#directory.join(shard, file);
    const isWritten =
      expected === undefined
        ? (await this.#textOf(orderId)) === undefined && (await this.#append(orderId, { expected, next }))
        : await writeOrderFile(path, { expected, next }).catch(emptyWhenAbsent);
    if (isWritten === 'empty') {
      if (expected === undefined || !(await this.#takeOver(orderId, { expected, next }))) return false;
    } else if (!isWritten) return false;
    await this.#directory.flushName(shard, file);
    return true;
  }

  /** Goes on with a record of release 0.1.0: its place is closed first, so that an older process cannot go on there. */
  async #takeOver(orderId: string, { expected, next }: { expected: string; next: string }): Promise<boolean> {
    await this.#directory.check();
    const former = await this.#former.find(orderId);
    if (former?.text !== expected || !(await this.#former.take(former))) return false;
    return this.#append(orderId, { expected, next, begin: expected });
  }

  /** Appends to a log that may have to be made, with the directory that holds it. */
  async #append(orderId: string, write: OrderWrite): Promise<boolean> {
    const { shard, file } = placeOf(orderId);
    const path = this.#directory.join(shard, file);
    try {
      return (await writeOrderFile(path, write)) === true;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await this.#directory.makeChild(shard);
      return (await writeOrderFile(path, write)) === true;
    }
  }

  /** A directory that is no directory, read-only, or full; the file system's own error is the cause. */
  #unusable(action: 'read' | 'written', cause: unknown): unknown {
    const code = codeOf(cause);
    if (code === undefined || cause instanceof ConfigurationError) return cause;
    return new ConfigurationError(
      `The payment journal in ${this.#directory.path} cannot be ${action} (${code}), and without it no payment is sent. ` +
        'Give fileJournal a directory on a local disk that this process may read and write, with space left.',
      { cause },
    );
  }
}

function emptyWhenAbsent(error: unknown): 'empty' {
  if (codeOf(error) === 'ENOENT') return 'empty';
  throw error;
}

interface Place {
  readonly name: string;
  readonly shard: string;
  readonly file: string;
}

function placeOf(orderId: string): Place {
  const name = fileNameOf(orderId.toLowerCase());
  return { name, shard: shardOf(name), file: `${name}.log` };
}

/** 256 directories, so that none of them holds all orders. */
function shardOf(name: string): string {
  return builtin('node:crypto').createHash('sha256').update(name).digest('hex').slice(0, 2);
}
