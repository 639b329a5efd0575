import type { Order, Payment, Refund } from '../../contract/index.js';
import { CallError } from '../../errors/call.js';
import { OutcomeUnknownError, type Resolution, type ResolveOptions } from '../../errors/payment.js';
import type { Closing } from '../../http/exchange/closing.js';
import { isReplayable, REPLAYABLE_MS } from '../../http/response/replay-window.js';
import { type Clock, monotonicNow, sleep } from '../../platform/clock.js';
import { isTransient } from '../is-transient.js';
import { startTimeLimit, type TimeLimit, type TimeLimitOptions } from '../time-limit.js';
import { baselineOf } from './amounts.js';
import type { ConfirmedRecords } from './confirmed-records.js';
import type { Baseline, LateRefusal } from './journal/record.js';
import {
  clearInMs,
  type Doubt,
  judge,
  type Limits,
  NOT_WATCHED,
  NotSentError,
  type Proof,
  proofOf,
  type Seen,
  type Watch,
  watched,
} from './lost-response.js';
import { CLOCK_SKEW_MS, SERVICE_SKEW_MS } from './matching.js';
import type { OrderReading } from './order-reading.js';
import { singleFlight } from './single-flight.js';

/** A key that was sent without a journal, and whose outcome is unknown. Instants are monotonic, but for `firstLocalMs`. */
export interface KeyInDoubt {
  readonly firstAtMs: number;
  readonly firstLocalMs: number;
  lastAtMs: number;
  endedAtMs: number | null;
  inDoubt: number;
  lateRefusal: LateRefusal | null;
  /** The order just before the last sending, where it was read. */
  baseline: Baseline | null;
  /** The refusal of a repetition, or what lost the last response. */
  failure: unknown;
  /** That the key is too old to be sent again is known by another clock, too. */
  readonly isTooOld?: boolean | undefined;
}

/** When a payment or refund was sent, and by which clock its records are to be compared. */
export interface LookedFor {
  readonly startedAt: Date;
  readonly skewMs: number;
  /** Whether it is known when it was sent, on the service's clock. */
  readonly isTimeKnown: boolean;
  readonly baseline: Baseline | null;
}

/** A payment or refund that is sent alone: how it is found, and how it is repeated. */
export interface MoneyMove<T extends Payment | Refund> {
  readonly what: 'payment' | 'refund';
  readonly path: string;
  readonly orderId: string;
  readonly clock: Clock;
  readonly closing?: Closing | undefined;
  readonly limits: Limits;
  readonly memory: ConfirmedRecords;
  readonly readOrder: (options: TimeLimitOptions) => Promise<OrderReading>;
  readonly see: (order: Order, idempotencyKey: string, lookedFor: LookedFor) => Seen<T>;
  /** Whether the order asks for less; where this is not given, the service alone decides. */
  readonly isTooMuch?: (order: Order) => boolean;
  /** Whether a record that was found moved no money. */
  readonly hasFailed: (record: T) => boolean;
  /** Sends the same key and bytes once more. */
  readonly repeat: (
    idempotencyKey: string,
    options: TimeLimitOptions,
    check: () => void,
    /** The order as just read. */
    baseline: Baseline | null,
  ) => Promise<T>;
}

/**
 * The error of a payment or refund that was sent alone: an unknown outcome becomes an `OutcomeUnknownError` that can
 * be resolved, every other error stays what it is. After a sending of unknown outcome a refusal leaves it unknown.
 *
 * @param sentAt - when its bytes left last.
 */
export function withResolve<T extends Payment | Refund>(error: unknown, move: MoneyMove<T>, sentAt: SentAt): unknown {
  if (!(error instanceof CallError) || error instanceof OutcomeUnknownError || error.idempotencyKey === undefined) {
    return error;
  }
  const proof = proofOf(error);
  const earlier = move.memory.inDoubt(error.idempotencyKey);
  const isUnknown = error.outcome === 'unknown' || (proof.kind === 'refused' && earlier !== undefined);
  if (proof.kind === 'refused' && !isUnknown) move.memory.noteDeclined(error.idempotencyKey);
  if (!isUnknown) return error;
  const { method, path, attempts, idempotencyKey, replayableUntil, retryBudgetExhausted } = error;
  const key = noteSending(move, earlier, { sentAt, proof, error });
  move.memory.noteInDoubt(idempotencyKey, key);
  const message =
    `It is not known whether the ${move.what} of order ${move.orderId} was executed. Do not send it again with a new key: ` +
    'call resolve() of this error, which reads the order, and repeats with the same key only if the order does not show it.';
  return new OutcomeUnknownError(
    message,
    {
      ...{ method, path, attempts, idempotencyKey, replayableUntil, retryBudgetExhausted, orderId: move.orderId },
      resolve: flightOf(move, idempotencyKey, key),
    },
    { cause: error },
  );
}

const flights = new WeakMap<KeyInDoubt, (options?: ResolveOptions) => Promise<Resolution>>();

/** One flight per key, whichever error it is resolved by. */
function flightOf<T extends Payment | Refund>(
  move: MoneyMove<T>,
  idempotencyKey: string,
  key: KeyInDoubt,
): (options?: ResolveOptions) => Promise<Resolution> {
  const known = flights.get(key);
  if (known) return known;
  const flight = singleFlight<ResolveOptions, Resolution>(
    (options) => findOut(move, idempotencyKey, key, options),
    (cause) => ({ outcome: 'unknown', cause }),
  );
  flights.set(key, flight);
  return flight;
}

/** When bytes left, by both clocks of this machine: where it slept since, they differ. */
export interface SentAt {
  readonly monotonicMs: number;
  readonly localMs: number;
}

export function sentNow(clock: Clock): SentAt {
  return { monotonicMs: monotonicNow(clock), localMs: clock.now() };
}

interface Sending {
  readonly sentAt: SentAt;
  readonly proof: Proof;
  readonly error: unknown;
}

/** Notes what a sending came to, for a key that is in doubt from now on. */
export function noteSending<T extends Payment | Refund>(
  { clock, limits }: MoneyMove<T>,
  earlier: KeyInDoubt | undefined,
  { sentAt: { monotonicMs: sentAtMs, localMs }, proof, error }: Sending,
): KeyInDoubt {
  const key: KeyInDoubt = earlier ?? {
    firstAtMs: sentAtMs,
    firstLocalMs: localMs,
    lastAtMs: sentAtMs,
    endedAtMs: null,
    inDoubt: 0,
    lateRefusal: null,
    baseline: null,
    failure: undefined,
  };
  key.failure = error;
  // An error of the service shows the end of its own sending; an earlier one may be executed until its horizon.
  const isAlone = earlier === undefined || sentAtMs - key.lastAtMs >= limits.horizonMs;
  key.lastAtMs = sentAtMs;
  key.endedAtMs = proof.kind === 'unknown' && proof.hasEnded && isAlone ? monotonicNow(clock) : null;
  if (proof.kind === 'refused') key.lateRefusal = proof.lateRefusal;
  else key.inDoubt += 1;
  return key;
}

/** Readings of a call that may send nothing. */
const MOST_IDLE_LOOKS = 3;

/**
 * Finds out what became of it: reads the order, and repeats the same key and bytes once, when the order does not show
 * it for the horizon (docs/payments.md).
 */
export async function findOut<T extends Payment | Refund>(
  move: MoneyMove<T>,
  idempotencyKey: string,
  key: KeyInDoubt,
  { replay = true, signal, deadline }: ResolveOptions = {},
): Promise<Resolution<T>> {
  const search = new Search(move, idempotencyKey, key);
  let limit: TimeLimit | undefined;
  try {
    limit = startTimeLimit(move.clock, { signal, deadline } as TimeLimitOptions, {
      ...{ method: 'POST', path: move.path, closing: move.closing },
    });
    return await search.run(limit, replay);
  } catch (cause) {
    return { outcome: 'unknown', ...search.shown, cause };
  } finally {
    limit?.end();
  }
}

/** One call of `resolve()`. */
class Search<T extends Payment | Refund> {
  readonly #move: MoneyMove<T>;
  readonly #idempotencyKey: string;
  readonly #key: KeyInDoubt;
  #watch: Watch = NOT_WATCHED;
  #order: Order | undefined;
  #seen: Seen<T> | undefined;

  constructor(move: MoneyMove<T>, idempotencyKey: string, key: KeyInDoubt) {
    this.#move = move;
    this.#idempotencyKey = idempotencyKey;
    this.#key = key;
  }

  get shown(): { order?: Order } {
    return this.#order ? { order: this.#order } : {};
  }

  async run(limit: TimeLimit, replay: boolean): Promise<Resolution<T>> {
    const { limits, hasFailed, memory, orderId } = this.#move;
    await this.#look(limit, 0);
    for (let repeats = 0; ; ) {
      const verdict = judge(this.#doubt(), this.#seen, this.#watch, limits);
      switch (verdict.kind) {
        case 'found':
          // It is no other key's from now on.
          memory.note(orderId, verdict.record.id, this.#idempotencyKey);
          return hasFailed(verdict.record) ? this.#notApplied() : this.#applied(verdict.record);
        case 'not_applied':
          return this.#notApplied();
        case 'unknown':
          return this.#unknown();
        case 'look':
          if (!replay && this.#watch.readings >= MOST_IDLE_LOOKS) return this.#unknown();
          await this.#look(limit, verdict.afterMs);
          break;
        case 'repeat': {
          if (!replay || repeats > 0) return this.#unknown();
          repeats += 1;
          const record = await this.#repeat(limit);
          if (record === 'not_executed') return this.#unknown();
          if (record !== 'unknown') {
            await this.#look(limit, 0);
            return this.#applied(record);
          }
        }
      }
    }
  }

  #doubt(): Doubt {
    const { clock } = this.#move;
    const { inDoubt, lastAtMs, endedAtMs, lateRefusal, firstAtMs, firstLocalMs } = this.#key;
    const nowMs = monotonicNow(clock);
    const local = { startedAtMs: firstLocalMs, startedAtLocalMs: firstLocalMs };
    const isOldByWall = !isReplayable(local, { nowMs: clock.now(), nowLocalMs: clock.now() });
    return {
      inDoubt,
      wasDeclined: this.#move.memory.wasDeclined(this.#idempotencyKey),
      ageMs: nowMs - lastAtMs,
      endedAgeMs: endedAtMs === null ? null : nowMs - endedAtMs,
      lateRefusal,
      isTooOld: this.#key.isTooOld === true || isOldByWall || nowMs - firstAtMs >= REPLAYABLE_MS,
      isClosed: false,
    };
  }

  async #look(limit: TimeLimit, afterMs: number): Promise<void> {
    const { clock, limits, readOrder, see } = this.#move;
    if (afterMs > 0) await sleep(clock, afterMs, limit.waits);
    const beganAtMs = monotonicNow(clock);
    const wasClear = clearInMs(this.#doubt(), limits) === 0;
    try {
      const { order, serverNowMs } = await readOrder(limit.forCall());
      this.#order = order;
      const sinceMs = monotonicNow(clock) - this.#key.firstAtMs;
      const startedAt = new Date(serverNowMs === undefined ? this.#key.firstLocalMs : serverNowMs - sinceMs);
      const skewMs = serverNowMs === undefined ? CLOCK_SKEW_MS : SERVICE_SKEW_MS;
      // A machine that slept, or whose clock was set, cannot tell how long ago it was by the service's clock.
      const differMs = Math.abs(clock.now() - this.#key.firstLocalMs - sinceMs);
      const isTimeKnown = serverNowMs !== undefined && differMs < SERVICE_SKEW_MS / 2;
      this.#seen = see(order, this.#idempotencyKey, { startedAt, skewMs, isTimeKnown, baseline: this.#key.baseline });
      this.#watch = watched(this.#watch, { beganAtMs, wasClear, hasFailed: false }, limits);
    } catch (error) {
      limit.signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      this.#watch = watched(this.#watch, { beganAtMs, wasClear, hasFailed: true }, limits);
    }
  }

  async #repeat(limit: TimeLimit): Promise<T | 'unknown' | 'not_executed'> {
    const { clock, repeat } = this.#move;
    let sentAt = sentNow(clock);
    const check = (): void => {
      if (this.#doubt().isTooOld) throw new NotSentError('key_too_old');
      sentAt = sentNow(clock);
    };
    const baseline = this.#order ? baselineOf(this.#order) : null;
    try {
      return await repeat(this.#idempotencyKey, limit.forCall(), check, baseline);
    } catch (error) {
      const proof = proofOf(error instanceof OutcomeUnknownError ? error.cause : error);
      if (proof.kind === 'not_executed') {
        this.#key.failure = error;
        return 'not_executed';
      }
      noteSending(this.#move, this.#key, { sentAt, proof, error });
      this.#key.baseline = baseline;
      this.#watch = NOT_WATCHED;
      this.#seen = undefined;
      return 'unknown';
    }
  }

  #applied(record: T): Resolution<T> {
    const order = this.#order;
    return order ? { outcome: 'applied', record, order } : { outcome: 'unknown' };
  }

  #notApplied(): Resolution<T> {
    const { lateRefusal, failure } = this.#key;
    const cause = lateRefusal === null ? {} : { cause: failure };
    return this.#order
      ? { outcome: 'not_applied', order: this.#order, ...cause }
      : { outcome: 'unknown', cause: failure };
  }

  #unknown(): Resolution<T> {
    return { outcome: 'unknown', ...this.shown, cause: this.#key.failure };
  }
}
