import { type Clock, monotonicNow, sleep } from '../../../platform/clock.js';
import { hasProvablyEnded, thisProcess } from '../../../platform/process-identity.js';
import type { Random } from '../../../platform/random.js';
import type { PaymentJournal } from './journal.js';
import { JournalAccess } from './journal-access.js';
import { hasLeaseEnded, type LeaseWatch, watchLease } from './lease-watch.js';
import { type OrderBook, openBook } from './order-book.js';
import type { JournalRecord } from './record.js';

export type { OrderBook } from './order-book.js';

/** A process that shows no life for so long has lost the order. */
export const DEFAULT_LEASE_MS = 30_000;
const SHORTEST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 1000;

export interface LockOptions {
  readonly journal: PaymentJournal;
  readonly orderId: string;
  readonly clock: Clock;
  /** Name of this run among all that ever were. */
  readonly owner: string;
  /** Ends the wait for the order. */
  readonly signal: AbortSignal;
  /** Ends operations of the journal while the order is held. @defaultValue `signal` */
  readonly heldSignal?: AbortSignal | undefined;
  /** Gives the record that a text holds, a new one for `undefined`; throws for one that cannot be gone on with. */
  readonly recordOf: (text: string | undefined) => JournalRecord;
  /** Whether a run of the record has not ended, so that `journal.open()` names the order. */
  readonly isOpen?: ((record: JournalRecord) => boolean) | undefined;
  /** Whether nothing of the record is worth keeping, so that a release takes it away. */
  readonly isEmpty?: ((record: JournalRecord) => boolean) | undefined;
  readonly leaseMs?: number | undefined;
  /** Milliseconds for one operation of the journal. @defaultValue 5000 */
  readonly operationMs?: number | undefined;
  readonly random: Random;
}

/**
 * Owners whose run has ended in this process, and that the journal may still show as holders: their release failed, or
 * hangs. This process takes the order back at once, and does not wait for itself.
 */
const ended = new Set<string>();
const MOST_ENDED = 1000;

/**
 * Waits until the order is free, and takes it.
 *
 * A lease is not compared with a clock of another machine, nor with a clock that can be set: an order is free when its
 * holder gave it back, when the system proves that the holder's process has ended, or when its record was read several
 * times, unchanged, over a whole lease on the monotonic clock of this process. A holder that was only slow sees at its
 * next write that it was replaced, and that write precedes every request: two holders never both begin a payment.
 *
 * @throws {PaymentStateError} `journal_unavailable`, `journal_unreadable`.
 */
export async function lockOrder(options: LockOptions): Promise<OrderBook> {
  const { clock, recordOf, signal, random, leaseMs: ownLeaseMs = DEFAULT_LEASE_MS } = options;
  const access = new JournalAccess(options);
  let watch: LeaseWatch | undefined;
  let lookMs = SHORTEST_LOOK_MS;
  for (;;) {
    signal.throwIfAborted();
    const startedMs = monotonicNow(clock);
    const text = await access.read();
    const record = recordOf(text);
    const { lock } = record;
    let leaseMs = ownLeaseMs;
    if (lock !== null) {
      if (lock.leaseMs > 0) leaseMs = lock.leaseMs;
      watch = watchLease(watch, { text: text ?? '', startedMs, endedMs: monotonicNow(clock) }, leaseMs);
    }
    if (lock === null || ended.has(lock.owner) || hasProvablyEnded(lock) || (watch && hasLeaseEnded(watch, leaseMs))) {
      const book = await take(options, { access, record, text });
      if (book) return book;
      // What was read is not what stands there, or somebody was faster. The watch says nothing any more.
      watch = undefined;
    }
    await sleep(clock, lookMs * (0.75 + random() / 2), signal);
    lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS, leaseMs / 8);
  }
}

interface Free {
  readonly access: JournalAccess;
  readonly record: JournalRecord;
  readonly text: string | undefined;
}

async function take(options: LockOptions, { access, record, text }: Free): Promise<OrderBook | undefined> {
  const {
    orderId,
    clock,
    owner,
    signal,
    heldSignal = signal,
    leaseMs = DEFAULT_LEASE_MS,
    isOpen = hasOpenRun,
    isEmpty = hasSentNothing,
  } = options;
  const lock = { owner, leaseMs, ...thisProcess() };
  const taken = { ...record, version: record.version + 1, fence: record.fence + 1, lock };
  const takenText = JSON.stringify({ ...taken, open: true });
  const startedMs = monotonicNow(clock);
  try {
    if (!(await access.write(text, takenText)).done) return undefined;
  } catch (error) {
    // It may be written yet, in the name of a run that ends here.
    markEnded(owner);
    throw error;
  }
  return openBook({
    access: access.endedBy(heldSignal),
    orderId,
    clock,
    leaseMs,
    signal: heldSignal,
    isOpen,
    isEmpty,
    record: taken,
    text: takenText,
    startedMs,
    markEnded: () => markEnded(owner),
    unmarkEnded: () => ended.delete(owner),
  });
}

function markEnded(owner: string): void {
  ended.add(owner);
  if (ended.size <= MOST_ENDED) return;
  for (const oldest of ended) {
    ended.delete(oldest);
    break;
  }
}

function hasOpenRun(record: JournalRecord): boolean {
  return record.runs.some(
    ({ ended: hasEnded, cancelKey, entries }) => !hasEnded && (cancelKey !== null || entries.length > 0),
  );
}

function hasSentNothing(record: JournalRecord): boolean {
  return record.runs.every(
    ({ cancelKey, entries }) => cancelKey === null && entries.every(({ state }) => state === 'PLANNED'),
  );
}
