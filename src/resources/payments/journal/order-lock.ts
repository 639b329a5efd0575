import { PaymentStateError } from '../../../errors/payment.js';
import { type Clock, sleep } from '../../../platform/clock.js';
import type { PaymentJournal } from './journal.js';
import { optionalBuiltin } from './node-builtin.js';
import { emptyRecord, type JournalRecord, type OrderLock, parseRecord } from './record.js';

/** A process that shows no life for so long has lost the order. */
export const DEFAULT_LEASE_MS = 30_000;
const LONGEST_LOOK_MS = 1000;

export interface LockOptions {
  readonly journal: PaymentJournal;
  readonly orderId: string;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Name of this run among all that ever were. */
  readonly owner: string;
  readonly newSalt: () => string;
  readonly signal: AbortSignal;
}

/** The journal record of one order, held by this run. */
export interface OrderBook {
  readonly record: JournalRecord;
  /**
   * Writes the record, durably; resolves only if the order is still held.
   *
   * @throws {PaymentStateError} `lock_lost`: another process works on the order.
   */
  write(change: (record: JournalRecord) => JournalRecord): Promise<void>;
  release(): Promise<void>;
}

/**
 * Waits until the order is free, and takes it.
 *
 * A lease is not compared with a clock of another machine: an order is free when its holder gave it back, when the
 * holder's process is gone from this machine, or when its record did not change for a whole lease while this process
 * watched. A holder that was only slow sees at its next write that it was replaced, and that write precedes every
 * request: two holders never both begin a payment.
 */
export async function lockOrder(options: LockOptions): Promise<OrderBook> {
  const { journal, orderId, clock, signal } = options;
  let watched: { text: string; sinceMs: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const text = await journal.read(orderId);
    const record = text === undefined ? emptyRecord(orderId, options.newSalt()) : parseRecord(orderId, text);
    const { lock } = record;
    const watchedMs = watched !== undefined && watched.text === text ? clock.now() - watched.sinceMs : 0;
    if (lock === null || isGone(lock) || watchedMs >= lock.leaseMs) {
      const book = await take(options, record, text);
      if (book) return book;
      continue;
    }
    if (watched?.text !== text) watched = { text: text ?? '', sinceMs: clock.now() };
    await sleep(clock, Math.min(LONGEST_LOOK_MS, lock.leaseMs / 4), signal);
  }
}

async function take(
  { journal, orderId, clock, leaseMs, owner }: LockOptions,
  record: JournalRecord,
  text: string | undefined,
): Promise<OrderBook | undefined> {
  const lock: OrderLock = { owner, leaseMs, ...thisProcess() };
  const taken = { ...record, version: record.version + 1, fence: record.fence + 1, lock };
  const takenText = JSON.stringify(taken);
  if (!(await writeSurely(journal, { orderId, expected: text, next: takenText }))) return undefined;
  return openBook({ journal, orderId, clock, leaseMs }, taken, takenText);
}

function openBook(
  { journal, orderId, clock, leaseMs }: Pick<LockOptions, 'journal' | 'orderId' | 'clock' | 'leaseMs'>,
  taken: JournalRecord,
  takenText: string,
): OrderBook {
  let record = taken;
  let text = takenText;
  let isLost = false;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let cancelTimer = (): void => {};

  const writeNow = async (change: (record: JournalRecord) => JournalRecord): Promise<void> => {
    if (isLost) throw lockLost(orderId);
    const next = { ...change(record), version: record.version + 1 };
    const nextText = JSON.stringify(next);
    if (!(await writeSurely(journal, { orderId, expected: text, next: nextText }))) {
      isLost = true;
      throw lockLost(orderId);
    }
    record = next;
    text = nextText;
  };
  // One write at a time: renewals and entries would otherwise refuse each other.
  const write = (change: (record: JournalRecord) => JournalRecord): Promise<void> => {
    const result = last.then(() => writeNow(change));
    last = result.catch(() => {});
    return result;
  };
  const renewLater = (): void => {
    cancelTimer = clock.setTimer(
      () => {
        // A renewal that fails is no event: the next write tells whether the order is still held.
        void write((unchanged) => unchanged)
          .catch(() => {})
          .then(() => {
            if (!isClosed && !isLost) renewLater();
          });
      },
      leaseMs / 3,
      { background: true },
    );
  };
  renewLater();

  return {
    get record() {
      return record;
    },
    write,
    async release() {
      isClosed = true;
      cancelTimer();
      // What cannot be given back is lost with the lease.
      await write((held) => ({ ...held, lock: null })).catch(() => {});
      cancelTimer();
    },
  };
}

interface JournalWrite {
  readonly orderId: string;
  readonly expected: string | undefined;
  readonly next: string;
}

/** A write whose answer was lost, or that a driver repeated, is looked up: every text is written once only. */
async function writeSurely(journal: PaymentJournal, { orderId, expected, next }: JournalWrite): Promise<boolean> {
  try {
    if (await journal.write(orderId, expected, next)) return true;
  } catch (error) {
    const present = await journal.read(orderId).catch(() => undefined);
    if (present === next) return true;
    throw error;
  }
  return (await journal.read(orderId)) === next;
}

function thisProcess(): { host: string; pid: number } {
  const host = optionalBuiltin('node:os')?.hostname() ?? '';
  return { host, pid: typeof process === 'undefined' ? 0 : (process.pid ?? 0) };
}

/** True only for a process of this machine that has ended; a number used again by another process looks alive. */
function isGone(lock: OrderLock): boolean {
  const { host, pid } = thisProcess();
  if (host === '' || lock.host !== host || lock.pid === pid || !lock.pid) return false;
  try {
    process.kill(lock.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function lockLost(orderId: string): PaymentStateError {
  return new PaymentStateError(
    `Another process has taken over the payments of order ${orderId}, since this one showed no life for a whole lease. ` +
      'Call settle again, or client.orders.resume, to see how they ended.',
    { orderId, reason: 'lock_lost' },
  );
}
