import { PaymentStateError } from '../../../errors/payment.js';
import { type Clock, monotonicNow } from '../../../platform/clock.js';
import { unlessAborted } from '../../../platform/unless-aborted.js';
import { GRACE_MS, type JournalAccess } from './journal-access.js';
import type { JournalRecord } from './record.js';

/** The journal record of one order, held by this run. */
export interface OrderBook {
  /** As last written. */
  readonly record: JournalRecord;
  /** Fires when the order is lost: a write was refused, or none succeeded for a whole lease. Its reason is the error. */
  readonly lost: AbortSignal;
  /**
   * Whether a request may leave now: the last successful write began less than a third of the lease ago. False says:
   * write again, and ask again.
   */
  mayStillSend(): boolean;
  /**
   * Writes the record, durably; resolves only if the order is still held.
   *
   * @throws {PaymentStateError} `lock_lost`: another process works on the order. `journal_unavailable`: nothing of the
   *   change may be believed; a later write goes on.
   */
  write(change: (record: JournalRecord) => JournalRecord): Promise<void>;
  /** What each renewal of the lease changes besides; `undefined`: nothing. */
  renewWith(change: ((record: JournalRecord) => JournalRecord) | undefined): void;
  /** Gives the order back; never fails. */
  release(): Promise<void>;
}

export interface BookDeps {
  readonly access: JournalAccess;
  readonly orderId: string;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
  readonly isOpen: (record: JournalRecord) => boolean;
  readonly isEmpty: (record: JournalRecord) => boolean;
  /** As it was taken. */
  readonly record: JournalRecord;
  readonly text: string;
  /** When the write that took it began. */
  readonly startedMs: number;
  /** The run has ended, and the journal may still show it as holder. */
  readonly markEnded: () => void;
  readonly unmarkEnded: () => void;
}

type Change = (record: JournalRecord) => JournalRecord;

/** Holds a record that was taken: renews its lease, and knows when it is lost. */
export function openBook(deps: BookDeps): OrderBook {
  const book = new HeldBook(deps);
  return {
    get record() {
      return book.record;
    },
    lost: book.lost,
    mayStillSend: () => book.mayStillSend(),
    write: (change) => book.write(change),
    renewWith: (change) => book.renewWith(change),
    release: () => book.release(),
  };
}

class HeldBook {
  record: JournalRecord;
  readonly #deps: BookDeps;
  readonly #loss = new AbortController();
  /** Texts of writes of unknown outcome: one of them may stand in the journal by now. */
  readonly #uncertain = new Set<string>();
  #text: string;
  /** Grows with each attempt to write, so that no text is written twice. */
  #version: number;
  /** Start of the last successful write, on both clocks. */
  #aliveMs: number;
  #aliveWallMs: number;
  #isClosed = false;
  #renewal: Change = (unchanged) => unchanged;
  #last: Promise<unknown> = Promise.resolve();
  #cancelRenewal = (): void => {};
  #cancelEnd = (): void => {};

  constructor(deps: BookDeps) {
    this.#deps = deps;
    this.record = deps.record;
    this.#text = deps.text;
    this.#version = deps.record.version;
    this.#aliveMs = deps.startedMs;
    this.#aliveWallMs = deps.clock.now() - (monotonicNow(deps.clock) - deps.startedMs);
    this.#showLife();
  }

  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  mayStillSend(): boolean {
    const { clock, leaseMs } = this.#deps;
    if (this.#isClosed || this.lost.aborted) return false;
    // Some monotonic clocks stand still while a machine sleeps; its wall clock tells then.
    const passedMs = Math.max(monotonicNow(clock) - this.#aliveMs, clock.now() - this.#aliveWallMs);
    return passedMs < leaseMs / 3;
  }

  /** One write at a time: renewals and entries would otherwise refuse each other. */
  write(change: Change): Promise<void> {
    const result = this.#last.then(() => this.#write(change));
    this.#last = result.catch(() => {});
    return result;
  }

  renewWith(change: Change | undefined): void {
    this.#renewal = change ?? ((unchanged) => unchanged);
  }

  async release(): Promise<void> {
    const { clock, signal, markEnded, unmarkEnded } = this.#deps;
    if (this.#isClosed) return;
    this.#close();
    markEnded();
    const given = this.#last.then(() => this.#giveBack()).then(unmarkEnded);
    // What cannot be given back is lost with the lease, to others. An abort does not wait for it; it goes on behind.
    await unlessAborted(given, signal, { clock, graceMs: GRACE_MS }).catch(() => {});
  }

  async #write(change: Change): Promise<void> {
    const { clock, leaseMs } = this.#deps;
    if (!this.#isClosed && monotonicNow(clock) - this.#aliveMs >= leaseMs) this.#lose(LATE);
    this.lost.throwIfAborted();
    const startedMs = monotonicNow(clock);
    const startedWallMs = clock.now();
    if (!(await this.#commit(change, this.#deps.access))) {
      this.#lose('A write to the payment journal was refused,');
      this.lost.throwIfAborted();
    }
    this.#aliveMs = startedMs;
    this.#aliveWallMs = startedWallMs;
    this.#showLife();
  }

  async #commit(change: Change, access: JournalAccess): Promise<boolean> {
    const { isOpen } = this.#deps;
    this.#version += 1;
    const next = { ...change(this.record), version: this.#version };
    const nextText = JSON.stringify({ ...next, open: next.lock !== null || isOpen(next) });
    for (;;) {
      const written = await access.write(this.#text, nextText).catch((error: unknown) => {
        this.#uncertain.add(nextText);
        throw error;
      });
      if (written.done) break;
      // A write that was given up arrived after all: it is ours, and is written over.
      if (written.present === undefined || !this.#uncertain.delete(written.present)) return false;
      this.#text = written.present;
    }
    this.record = next;
    this.#text = nextText;
    this.#uncertain.clear();
    return true;
  }

  async #giveBack(): Promise<void> {
    const { isEmpty } = this.#deps;
    // Also after an abort.
    const access = this.#deps.access.endedBy(new AbortController().signal);
    if (isEmpty(this.record) && this.#uncertain.size === 0) {
      if (await access.forget(this.#text).catch(() => false)) return;
    }
    await this.#commit((held) => ({ ...held, lock: null }), access);
  }

  /** Renews after a third of the lease; without a successful write the order is lost after the whole of it. */
  #showLife(): void {
    const { clock, leaseMs } = this.#deps;
    this.#cancelRenewal();
    this.#cancelEnd();
    if (this.#isClosed || this.lost.aborted) return;
    const passedMs = monotonicNow(clock) - this.#aliveMs;
    this.#renewAfter(leaseMs / 3 - passedMs);
    this.#cancelEnd = clock.setTimer(() => this.#lose(LATE), leaseMs - passedMs, BACKGROUND);
  }

  #renewAfter(delayMs: number): void {
    this.#cancelRenewal = this.#deps.clock.setTimer(() => void this.#renew(), Math.max(0, delayMs), BACKGROUND);
  }

  async #renew(): Promise<void> {
    try {
      await this.write((record) => this.#renewal(record));
    } catch {
      if (!this.#isClosed && !this.lost.aborted) this.#renewAfter(this.#deps.leaseMs / 12);
    }
  }

  #lose(why: string): void {
    if (this.lost.aborted) return;
    this.#cancelRenewal();
    this.#cancelEnd();
    this.#loss.abort(lockLost(this.#deps.orderId, why));
  }

  #close(): void {
    this.#isClosed = true;
    this.#cancelRenewal();
    this.#cancelEnd();
  }
}

const LATE = 'No write to the payment journal succeeded for the length of a lease,';
const BACKGROUND = { background: true } as const;

function lockLost(orderId: string, why: string): PaymentStateError {
  return new PaymentStateError(
    `${why} so that another process may work on the payments of order ${orderId} now. Nothing more was sent. ` +
      'Call settle again, or client.orders.resume, to see how they ended.',
    { orderId, reason: 'lock_lost' },
  );
}
