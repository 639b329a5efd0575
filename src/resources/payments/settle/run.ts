import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import { APIError } from '../../../errors/api.js';
import { monotonicNow, sleep } from '../../../platform/clock.js';
import { isTransient } from '../../is-transient.js';
import type { ResolvedPolling } from '../../polling.js';
import type { TimeLimit } from '../../time-limit.js';
import { entryOf, undecidedEntries, updateEntry, updateRun } from '../journal/journal-runs.js';
import type { OrderBook } from '../journal/order-lock.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import type { RecordDigests } from '../journal/tender-digest.js';
import { clearInMs, NOT_WATCHED, NotSentError, watched } from '../lost-response.js';
import { ServiceTime } from '../service-time.js';
import { ask, bodyOf, type GivenAnswer, type Handler } from './ask.js';
import { changeOf } from './change.js';
import type { SettleContext } from './context.js';
import { checkedAnswer, type Decline, type DeclineHandler } from './decline.js';
import {
  type Change,
  type EntryKnowledge,
  type Findings,
  type KeyHistory,
  knowledgeOf,
  NOTHING_FOUND,
  type Snapshot,
} from './known.js';
import { isClosed, type Step } from './next-step.js';
import { LeftUnknown, refusalError } from './refusals.js';
import { afterFailure, afterResponse, beforeSending, sentErrorOf } from './sending.js';
import { checkTender, type DigestedTender, type OfferedTender } from './tenders.js';

export interface RunDeps {
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

type LookStep = Extract<Step, { kind: 'look' }>;
type SendStep = Extract<Step, { kind: 'send' }>;

const NOT_WAITED = { what: '', sinceMs: 0, readings: 0 } as const;
/** A reading is old after so many milliseconds: what is sent next is decided by a new one. */
const FRESH_MS = 10_000;

/**
 * One settlement while it runs: what it knows, and its effects: it reads the order, writes the journal, sends a payment
 * or a cancel, asks the handler. What to do next, and what comes of it, is decided by functions over `known()` alone.
 */
export class SettlementRun {
  readonly #deps: RunDeps;
  readonly #service: ServiceTime;
  readonly #startedMs: number;
  readonly #keys = new Map<string, KeyHistory>();
  readonly #notExecuted = new Map<string, number>();
  readonly #knowledge = (entry: PaymentEntry): EntryKnowledge => this.#about(entry);
  #found: Findings = NOTHING_FOUND;
  #order: Order | undefined;
  #readMs = 0;
  /** Grows with whatever may change the order; a reading that began before the last of them is not fresh. */
  #events = 0;
  #readAfterEvents = -1;
  #pausedUntilMs = 0;
  #waited: { readonly what: string; readonly sinceMs: number; readonly readings: number } = NOT_WAITED;
  readonly #handler: Handler = {
    known: () => this.known(),
    note: (change) => this.note(change),
    answer: (decline) => this.#answer(decline),
  };

  constructor(deps: RunDeps) {
    this.#deps = deps;
    this.#service = new ServiceTime(deps.context.clock);
    this.#startedMs = this.#nowMs;
  }

  /** Monotonic milliseconds. */
  get #nowMs(): number {
    return monotonicNow(this.#deps.context.clock);
  }

  /** All that is known at this moment, as values. */
  known(): Snapshot {
    const { orderId, context, book, polling, sends, only, onDeclined } = this.#deps;
    const { what, sinceMs, readings } = this.#waited;
    const order = this.#order;
    const nowMs = this.#nowMs;
    const isFresh = this.#readAfterEvents === this.#events && nowMs - this.#readMs < FRESH_MS;
    const { tenders, unsent, raised, bodies, exhausted, payments, reasons, errors } = this.#found;
    const { declined, retried, isStopped, isCancelled, failure } = this.#found;
    // Field by field: spreads cost more here than all the rest, and this is asked for some forty times.
    return {
      orderId,
      context,
      record: book.record,
      reading: order && { order, isFresh },
      sends,
      only,
      tenders,
      unsent,
      raised,
      bodies,
      exhausted,
      payments,
      reasons,
      errors,
      declined,
      retried,
      isStopped,
      isCancelled,
      failure,
      hasHandler: onDeclined !== undefined,
      now: this.#service.now(),
      pauseMs: Math.max(0, this.#pausedUntilMs - nowMs),
      waited: { what, ms: nowMs - sinceMs, readings },
      about: this.#knowledge,
      polling,
      limits: context.rules.limits,
      rules: context.rules,
    };
  }

  #about(entry: PaymentEntry): EntryKnowledge {
    const { leaseMs } = this.#deps.context;
    const readMs = this.#order && this.#readMs;
    const times = { nowMs: this.#nowMs, startedMs: this.#startedMs, readMs, leaseMs, service: this.#service };
    const { doubt, ...rest } = knowledgeOf(entry, this.#keys.get(entry.key) ?? {}, times);
    return { ...rest, doubt: { ...doubt, isClosed: this.#order !== undefined && isClosed(this.#order) } };
  }

  /** A tender as the journal knows it. */
  async digested(offered: OfferedTender): Promise<DigestedTender> {
    return { ...offered, ...(await this.#deps.digests.of(offered.tender)) };
  }

  /** Takes one step. */
  async take(step: Exclude<Step, { kind: 'done' }>): Promise<void> {
    switch (step.kind) {
      case 'look':
        return this.#read(step);
      case 'send':
        return this.#send(step);
      case 'ask':
        return this.note(await ask(step.key, this.#handler));
      case 'cancel':
        return this.#cancel(step.idempotencyKey);
      case 'unknown':
        throw new LeftUnknown(step.key, step.why);
      case 'refuse':
        throw refusalError(step.refusal);
      default:
        return this.note(changeOf(this.known(), step));
    }
  }

  /** Takes over what came of a step: the record first, durably, while the order is held. */
  async note({ record, found, order, sending, pauseMs, error }: Change): Promise<void> {
    if (order) this.#shown(order);
    if (sending?.was === 'ended') {
      this.#keys.set(sending.key, { ...this.#keys.get(sending.key), endedMs: this.#nowMs });
    }
    if (record) await this.#write(record);
    this.#found = { ...this.#found, ...found };
    if (sending?.was === 'not_executed') this.#deps.limit.signal.throwIfAborted();
    if (pauseMs !== undefined) this.#pausedUntilMs = this.#nowMs + pauseMs;
    if (error !== undefined) throw error;
  }

  async #write(change: (record: JournalRecord) => JournalRecord): Promise<void> {
    const { limit, book } = this.#deps;
    await limit.bound(book.write(change));
  }

  /** Waits, and reads the order. */
  async #read({ what, afterMs, toleratesFailure }: Omit<LookStep, 'kind'>): Promise<void> {
    const { orderId, context, book, limit } = this.#deps;
    if (this.#waited.what !== what) this.#waited = { what, sinceMs: this.#nowMs, readings: 0 };
    if (afterMs > 0) await sleep(context.clock, afterMs, limit.waits);
    const beganMs = this.#nowMs;
    const events = this.#events;
    const { limits } = context.rules;
    const doubtful = undecidedEntries(book.record).filter(({ paymentId }) => paymentId === null);
    const readings = doubtful.map((entry) => ({
      key: entry.key,
      wasClear: clearInMs(this.#about(entry).doubt, limits) === 0,
    }));
    const count = (hasFailed: boolean): void => {
      this.#waited = { ...this.#waited, readings: this.#waited.readings + 1 };
      for (const { key, wasClear } of readings) {
        const history = this.#keys.get(key);
        const watch = watched(history?.watch ?? NOT_WATCHED, { beganAtMs: beganMs, wasClear, hasFailed }, limits);
        this.#keys.set(key, { ...history, watch });
      }
    };
    try {
      const { order, serverNowMs } = await context.api.read(orderId, limit.forCall());
      this.#service.hear(serverNowMs);
      this.#order = order;
      this.#readMs = beganMs;
      this.#readAfterEvents = events;
      count(false);
    } catch (error) {
      limit.signal.throwIfAborted();
      count(true);
      if (!toleratesFailure || !isTransient(error)) throw error;
      this.#found = { ...this.#found, failure: error };
    }
  }

  /** Sends an entry: the journal first, then one attempt, then what it proves. */
  async #send({ key, cents }: SendStep): Promise<void> {
    const before = entryOf(this.known().record, key);
    if (!before) throw new Error('An entry that is not in the journal was to be sent.');
    const { body, digest } = await bodyOf(before, cents, this.#handler);
    const history = this.#keys.get(key);
    await this.note(beforeSending(this.known(), before, { cents, digest }));
    try {
      await this.note(afterResponse(this.known(), key, await this.#pay(before, body)));
    } catch (thrown) {
      const timesNotExecuted = this.#notExecuted.get(key) ?? 0;
      const failed = { before, error: sentErrorOf(thrown), timesNotExecuted, leftMs: this.#deps.limit.leftMs() };
      const change = afterFailure(this.known(), failed);
      if (change.sending?.was === 'not_executed') {
        // What is known of the key is what was known before.
        this.#keys.set(key, history ?? {});
        this.#notExecuted.set(key, timesNotExecuted + 1);
      }
      await this.note(change);
    }
  }

  /** One attempt at one payment. Its key must be durable by now. */
  async #pay(before: PaymentEntry, body: PaymentRequest): Promise<Payment | Order> {
    const { orderId, context, book, limit } = this.#deps;
    const { key, sendings } = before;
    const earlier = this.#keys.get(key)?.sent;
    const leaves = (): void => {
      const lastMs = this.#nowMs;
      const sent = { firstMs: earlier?.firstMs ?? lastMs, lastMs, times: (earlier?.times ?? 0) + 1 };
      this.#keys.set(key, { sent });
    };
    leaves();
    this.#event();
    // While the request waits for its connection, each renewal of the lease moves the noted time on: another run, which
    // knows the note alone, counts the horizon from there.
    book.renewWith((record) => updateEntry(record, key, { lastSentAt: this.#service.now() }));
    const checkBeforeSending = (): void => {
      if (!book.mayStillSend()) throw new NotSentError('lease');
      if (sendings > 0 && this.#about(before).doubt.isTooOld) throw new NotSentError('key_too_old');
      // The horizon counts from the moment at which the bytes leave.
      leaves();
      book.renewWith(undefined);
    };
    try {
      return await context.api.pay(orderId, body, { ...limit.forCall(), idempotencyKey: key, checkBeforeSending });
    } finally {
      book.renewWith(undefined);
    }
  }

  /** Asks the handler; a tender that it gives is checked and copied like the first ones. */
  async #answer(decline: Decline): Promise<GivenAnswer> {
    const { onDeclined, limit } = this.#deps;
    const answer: unknown = await limit.ask(() => onDeclined?.(decline));
    // Meanwhile the order may have changed.
    this.#event();
    const checked = checkedAnswer(answer);
    return typeof checked === 'string' ? checked : this.digested(checkTender(checked, 'onDeclined'));
  }

  /**
   * Cancels the order; the service voids or refunds what was paid. The key is durable first, so that a run that ends
   * here, for whatever reason, is ended by the same cancel.
   *
   * @throws {ConflictError} The store has begun to prepare the order; what was paid stays paid.
   */
  async #cancel(key: string | null): Promise<void> {
    const { orderId, context, limit } = this.#deps;
    const idempotencyKey = key ?? context.newKey();
    if (key === null) await this.#write((record) => updateRun(record, { cancelKey: idempotencyKey }));
    this.#event();
    try {
      this.#shown(await context.api.cancel(orderId, { ...limit.forCall(), idempotencyKey }));
    } catch (error) {
      limit.signal.throwIfAborted();
      // The response may be lost, and the order cancelled; if not, the next call of settle cancels with the same key.
      await this.#read({ what: 'cancel', afterMs: 0, toleratesFailure: true });
      if (this.#order?.status === 'CANCELLED') return;
      const isRefused = error instanceof APIError && error.outcome === 'refused' && !isTransient(error);
      if (isRefused) await this.#write((record) => updateRun(record, { cancelKey: null }));
      throw error;
    }
  }

  /** The order as a response showed it: as good as a reading. */
  #shown(order: Order): void {
    this.#order = order;
    this.#readMs = this.#nowMs;
    this.#readAfterEvents = this.#events;
  }

  /** Something happened that may have changed the order. */
  #event(): void {
    this.#events += 1;
    this.#waited = NOT_WAITED;
  }
}
