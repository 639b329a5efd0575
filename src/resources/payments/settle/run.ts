import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import type { APIError } from '../../../errors/api.js';
import type { Closing } from '../../../http/exchange/closing.js';
import type { Clock } from '../../../platform/clock.js';
import { monotonicNow, sleep } from '../../../platform/clock.js';
import type { Random } from '../../../platform/random.js';
import { isTransient } from '../../is-transient.js';
import type { ResolvedPolling } from '../../polling.js';
import type { TimeLimit, TimeLimitOptions } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import { undecidedEntries, updateEntry } from '../journal/journal-runs.js';
import type { OrderBook } from '../journal/order-lock.js';
import type { JournalRecord, OrderOrigin, PaymentEntry } from '../journal/record.js';
import type { RecordDigests } from '../journal/tender-digest.js';
import { clearInMs, type Doubt, NOT_WATCHED, type Watch, watched } from '../lost-answer.js';
import { CLOCK_SKEW_MS, SERVICE_SKEW_MS } from '../matching.js';
import type { OrderReading } from '../order-reading.js';
import type { PaymentRules } from '../overrides.js';
import { ServiceTime } from '../service-time.js';
import type { DeclineHandler } from './decline.js';
import { type EntryKnowledge, isClosed, type Known, type Waited } from './next-step.js';
import type { DigestedTender, Digests, OfferedTender } from './tenders.js';

export interface KeyedCall extends TimeLimitOptions {
  readonly idempotencyKey: string;
  /** Called where the bytes leave; if it throws, nothing is sent. */
  readonly checkBeforeSending?: () => void;
}

/** What settling needs of the orders resource. */
export interface OrdersApi {
  read(orderId: string, options: TimeLimitOptions): Promise<OrderReading>;
  /** One attempt at one payment, without a wait of its own; an order in place of the payment is understood (gap PAY-2). */
  pay(orderId: string, body: PaymentRequest, options: KeyedCall): Promise<Payment | Order>;
  cancel(orderId: string, options: KeyedCall): Promise<Order>;
}

/** What stays the same for all settlements of a client. */
export interface SettleContext {
  readonly api: OrdersApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: PaymentRules;
  /** Where runs are written down when the caller names no journal. */
  readonly journal: PaymentJournal;
  /** Whose orders they are, so that a journal of another service is refused. */
  readonly origin: OrderOrigin | null;
  readonly newKey: () => string;
  readonly digests: Digests;
  readonly leaseMs: number;
  /** Retries of a payment that was not executed, and the longest wait before one, in milliseconds. */
  readonly maxRetries: number;
  readonly maxWait: number;
  /** The end of the client, which ends waits. */
  readonly closing?: Closing | undefined;
}

export interface RunParts {
  readonly orderId: string;
  readonly context: SettleContext;
  readonly book: OrderBook;
  readonly digests: RecordDigests;
  readonly limit: TimeLimit;
  readonly polling: ResolvedPolling;
  readonly onDeclined: DeclineHandler | undefined;
  readonly sends: boolean;
  readonly only: string | undefined;
}

/** A request of this call, as it leaves. */
export interface SentBody {
  readonly body: PaymentRequest;
  readonly digest: string;
}

const NOT_WAITED = { what: '', sinceMs: 0, readings: 0 } as const;
/** A reading is old after so many milliseconds: what is sent next is decided by a new one. */
const FRESH_MS = 10_000;

/**
 * One settlement while it runs: what it knows, and its three effects `read`, `write` and `send`. What to do next is
 * decided by `nextStep` alone.
 */
export class SettlementRun {
  readonly orderId: string;
  readonly context: SettleContext;
  readonly book: OrderBook;
  readonly digests: RecordDigests;
  readonly limit: TimeLimit;
  readonly onDeclined: DeclineHandler | undefined;
  readonly sends: boolean;
  readonly only: string | undefined;
  readonly time: ServiceTime;
  /** Tenders by the key of their entry, and those that are not in the record yet. */
  readonly tenders = new Map<string, DigestedTender>();
  unsent: readonly DigestedTender[] = [];
  raised: PaymentEntry | undefined;
  readonly bodies = new Map<string, SentBody>();
  /** Keys under which the service keeps a failed payment: to repeat them changes nothing. */
  readonly exhausted = new Set<string>();
  /** Payment records seen, reasons and errors of refusals, by key. */
  readonly payments = new Map<string, Payment>();
  readonly reasons = new Map<string, string>();
  readonly errors = new Map<string, APIError>();
  /** Declined keys of which the handler was not asked yet; the one that it wants to be sent again. */
  declined: readonly string[] = [];
  retried: string | undefined;
  isStopped = false;
  isCancelled = false;
  /** What lost the response of a key, or kept the order from being read. */
  failure: unknown;
  readonly #polling: ResolvedPolling;
  readonly #startedAtMs: number;
  readonly #sentAtMs = new Map<string, NonNullable<SendingBefore['sent']>>();
  readonly #endedAtMs = new Map<string, number>();
  readonly #watches = new Map<string, Watch>();
  readonly #notExecuted = new Map<string, number>();
  #order: Order | undefined;
  #readAtMs = 0;
  /** Grows with whatever may change the order; a reading that began before the last of them is not fresh. */
  #events = 0;
  #readAfterEvents = -1;
  #pausedUntilMs = 0;
  #waited: { readonly what: string; readonly sinceMs: number; readonly readings: number } = NOT_WAITED;

  constructor({ orderId, context, book, digests, limit, polling, onDeclined, sends, only }: RunParts) {
    this.orderId = orderId;
    this.context = context;
    this.book = book;
    this.digests = digests;
    this.limit = limit;
    this.onDeclined = onDeclined;
    this.sends = sends;
    this.only = only;
    this.#polling = polling;
    this.time = new ServiceTime(context.clock);
    this.#startedAtMs = this.nowMs;
  }

  get record(): JournalRecord {
    return this.book.record;
  }

  get order(): Order | undefined {
    return this.#order;
  }

  /** Monotonic milliseconds. */
  get nowMs(): number {
    return monotonicNow(this.context.clock);
  }

  /** All that the next step depends on, as values. */
  known(): Known {
    const { orderId, record, sends, only, unsent, raised, declined, retried, isStopped, isCancelled } = this;
    const order = this.#order;
    const isFresh = this.#readAfterEvents === this.#events && this.nowMs - this.#readAtMs < FRESH_MS;
    return {
      ...{ orderId, record, sends, only, unsent, raised, declined, retried, isStopped, isCancelled },
      reading: order && { order, isFresh },
      tenders: new Set(this.tenders.keys()),
      pauseMs: Math.max(0, this.#pausedUntilMs - this.nowMs),
      waited: this.#waitedFor(),
      about: (entry) => this.knowledgeOf(entry),
      polling: this.#polling,
      limits: this.context.rules.limits,
      rules: this.context.rules,
    };
  }

  #waitedFor(): Waited {
    const { what, sinceMs, readings } = this.#waited;
    return { what, ms: this.nowMs - sinceMs, readings };
  }

  knowledgeOf(entry: PaymentEntry): EntryKnowledge {
    const sent = this.#sentAtMs.get(entry.key);
    return {
      doubt: this.#doubtOf(entry),
      watch: this.#watches.get(entry.key) ?? NOT_WATCHED,
      wasReadSince: this.#order !== undefined && this.#readAtMs >= (sent?.last ?? this.#startedAtMs),
      sentNow: sent?.times ?? 0,
      skewMs: entry.firstSentAt?.serviceMs == null ? CLOCK_SKEW_MS : SERVICE_SKEW_MS,
    };
  }

  /**
   * How long ago a key was sent, as far as that is proven: exactly where this run sent it; else at least since this run
   * holds the order, or as long as the service's clock shows.
   */
  #doubtOf(entry: PaymentEntry): Doubt {
    const { key, inDoubt, lastSentAt, endedAt, lateRefusal } = entry;
    const sent = this.#sentAtMs.get(key);
    const sinceStartMs = this.nowMs - this.#startedAtMs;
    // Another process may have sent it up to a third of its lease after it wrote the time down.
    const byServiceMs = lastSentAt ? this.time.leastAgeMs(lastSentAt) - this.context.leaseMs / 3 : 0;
    const ended = this.#endedAtMs.get(key);
    const endedByServiceMs = endedAt ? Math.max(sinceStartMs, this.time.leastAgeMs(endedAt)) : null;
    return {
      inDoubt,
      wasDeclined: entry.declines > 0,
      ageMs: sent ? this.nowMs - sent.last : Math.max(sinceStartMs, byServiceMs),
      endedAgeMs: ended === undefined ? endedByServiceMs : this.nowMs - ended,
      lateRefusal,
      isTooOld: this.isTooOld(entry),
      isClosed: this.#order !== undefined && isClosed(this.#order),
    };
  }

  /** Whether the key of an entry may not be sent any more (rule 4; both clocks, and the monotonic one). */
  isTooOld({ key, firstSentAt }: PaymentEntry): boolean {
    if (firstSentAt === null) return false;
    const sent = this.#sentAtMs.get(key);
    return this.time.isTooOld(firstSentAt, sent ? this.nowMs - sent.first : 0);
  }

  /** A tender as the journal knows it. */
  async digested(offered: OfferedTender): Promise<DigestedTender> {
    return { ...offered, ...(await this.digests.of(offered.tender)) };
  }

  /** Effect 1: waits, and reads the order. */
  async read({
    what,
    afterMs,
    toleratesFailure,
  }: {
    what: string;
    afterMs: number;
    toleratesFailure: boolean;
  }): Promise<void> {
    const { clock, api } = this.context;
    if (this.#waited.what !== what) this.#waited = { what, sinceMs: this.nowMs, readings: 0 };
    if (afterMs > 0) await sleep(clock, afterMs, this.limit.waits);
    const beganAtMs = this.nowMs;
    const events = this.#events;
    const doubtful = undecidedEntries(this.record).filter(({ paymentId }) => paymentId === null);
    const clear = new Set(doubtful.filter((entry) => this.#isClear(entry)).map(({ key }) => key));
    const note = (hasFailed: boolean): void => {
      this.#waited = { ...this.#waited, readings: this.#waited.readings + 1 };
      for (const { key } of doubtful) {
        const reading = { beganAtMs, wasClear: clear.has(key), hasFailed };
        const { limits } = this.context.rules;
        this.#watches.set(key, watched(this.#watches.get(key) ?? NOT_WATCHED, reading, limits));
      }
    };
    try {
      const { order, serverNowMs } = await api.read(this.orderId, this.limit.forCall());
      this.time.hear(serverNowMs);
      this.#order = order;
      this.#readAtMs = beganAtMs;
      this.#readAfterEvents = events;
      note(false);
    } catch (error) {
      this.limit.signal.throwIfAborted();
      note(true);
      if (!toleratesFailure || !isTransient(error)) throw error;
      this.failure = error;
    }
  }

  #isClear(entry: PaymentEntry): boolean {
    return clearInMs(this.#doubtOf(entry), this.context.rules.limits) === 0;
  }

  /** Effect 2: writes the record, durably, while the order is held. */
  async write(change: (record: JournalRecord) => JournalRecord): Promise<void> {
    await this.limit.bound(this.book.write(change));
  }

  writeEntry(key: string, change: Partial<PaymentEntry>): Promise<void> {
    return this.write((record) => updateEntry(record, key, change));
  }

  /** Effect 3: one attempt at one payment. Its key must be durable by now. */
  pay(key: string, body: PaymentRequest, checkBeforeSending: () => void): Promise<Payment | Order> {
    const before = this.#sentAtMs.get(key);
    const note = (): void => {
      const sent = { first: before?.first ?? this.nowMs, last: this.nowMs, times: (before?.times ?? 0) + 1 };
      this.#sentAtMs.set(key, sent);
    };
    note();
    this.event();
    this.#endedAtMs.delete(key);
    this.#watches.delete(key);
    const check = (): void => {
      checkBeforeSending();
      // The horizon counts from the moment at which the bytes leave.
      note();
    };
    const options = { ...this.limit.forCall(), idempotencyKey: key, checkBeforeSending: check };
    return this.context.api.pay(this.orderId, body, options);
  }

  /** The last sending of a key was not executed: what is known of it is what was known before. */
  notExecuted(key: string, before: SendingBefore): void {
    if (before.sent) this.#sentAtMs.set(key, before.sent);
    else this.#sentAtMs.delete(key);
    if (before.endedAtMs !== undefined) this.#endedAtMs.set(key, before.endedAtMs);
    if (before.watch) this.#watches.set(key, before.watch);
  }

  sendingOf(key: string): SendingBefore {
    return { sent: this.#sentAtMs.get(key), endedAtMs: this.#endedAtMs.get(key), watch: this.#watches.get(key) };
  }

  /** The service's own error showed that the last sending of the key is executed no longer. */
  ended(key: string): void {
    this.#endedAtMs.set(key, this.nowMs);
  }

  /** The order as a response showed it: as good as a reading. */
  shown(order: Order): void {
    this.#order = order;
    this.#readAtMs = this.nowMs;
    this.#readAfterEvents = this.#events;
  }

  /** Something happened that may have changed the order. */
  event(): void {
    this.#events += 1;
    this.#waited = NOT_WAITED;
  }

  /** Nothing is sent before so many milliseconds have passed. */
  pause(ms: number): void {
    this.#pausedUntilMs = this.nowMs + ms;
  }

  /** Counts the sendings of a key that were not executed, from 0. */
  countNotExecuted(key: string): number {
    const times = this.#notExecuted.get(key) ?? 0;
    this.#notExecuted.set(key, times + 1);
    return times;
  }
}

/** What was known of the sendings of a key before the last one. */
export interface SendingBefore {
  readonly sent: { readonly first: number; readonly last: number; readonly times: number } | undefined;
  readonly endedAtMs: number | undefined;
  readonly watch: Watch | undefined;
}
