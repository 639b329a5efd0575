import type { Order, Payment, Refund } from '../../contract/index.js';
import { AuthenticationError, RateLimitError } from '../../errors/api.js';
import type { WriteOptions } from '../../http/call-options.js';
import type { CallResult, RequestSpec } from '../../http/execute.js';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from '../../http/steps/backoff.js';
import type { CarefulWork, CarriedOn, HeldName } from '../../operations/named-work.js';
import { monotonicNow, sleep } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { Caller } from '../caller.js';
import { isTransient } from '../is-transient.js';
import type { NamedLimits } from '../named-call.js';
import { startTimeLimit, type TimeLimit, type TimeLimitOptions } from '../time-limit.js';
import { baselineOf } from './amounts.js';
import { type Baseline, type Instant, journalId, type LateRefusal } from './journal/record.js';
import {
  findOut,
  type KeyInDoubt,
  type LookedFor,
  type MoneyMove,
  noteSending,
  type SentAt,
  sentNow,
} from './lost-move.js';
import { NotSentError, proofOf } from './lost-response.js';
import { CLOCK_SKEW_MS, SERVICE_SKEW_MS } from './matching.js';
import { ServiceTime } from './service-time.js';

/** What stands under the name of a payment or refund before each sending: what settle's journal has of an entry. */
export interface MoneyNote {
  readonly firstSentAt: Instant;
  readonly lastSentAt: Instant;
  /** When an error in the service's own envelope showed that the last sending is executed no longer. */
  readonly endedAt: Instant | null;
  /** Sendings that may have been executed, the one that follows this note included. */
  readonly inDoubt: number;
  readonly lateRefusal: LateRefusal | null;
  /** The order just before the last sending. */
  readonly baseline: Baseline | null;
}

/** A payment or refund that is to be made under the name in its options. */
export interface NamedMoney<T extends Payment | Refund> {
  readonly spec: RequestSpec;
  readonly options: WriteOptions;
  readonly random: Random;
  readonly moveOf: (options: WriteOptions) => MoneyMove<T>;
  /** Sends once; `check` is called where the bytes leave. */
  readonly send: (options: WriteOptions, check: () => void) => Promise<CallResult<T>>;
}

/**
 * A payment or refund under a name, apart from `settle` (gap OPS-4). Its rules are those of every lost payment (docs/payments.md): the note with the
 * baseline precedes each sending; a key in doubt is looked for until the horizon has passed, and leaves again only when
 * the order does not show it.
 */
export async function runNamedMoney<T extends Payment | Refund>(
  caller: Caller,
  { spec, options, random, moveOf, send }: NamedMoney<T>,
): Promise<CallResult<T>> {
  const careful = ({ others, ...limits }: NamedLimits): CarefulWork<T> =>
    carefulMoney({
      ...{ ...limits, random, move: moveOf(others) },
      // Every attempt is a step of its own.
      send: (idempotencyKey, limit, check) => send({ ...others, ...limit, idempotencyKey, maxRetries: 0 }, check),
    });
  return caller.runNamed(caller.namedWork<T>({ spec, options, careful, send }));
}

interface MoneyDeps<T extends Payment | Refund> extends Omit<NamedLimits, 'others'> {
  readonly move: MoneyMove<T>;
  readonly random: Random;
  /** One network attempt. */
  readonly send: (key: string, limit: TimeLimitOptions, check: () => void) => Promise<CallResult<T>>;
}

function carefulMoney<T extends Payment | Refund>(deps: MoneyDeps<T>): CarefulWork<T> {
  const { clock, orderId, path, closing } = deps.move;
  return {
    group: `order:${journalId(orderId)}`,
    async carryOn(held) {
      const deadline = Number.isFinite(deps.deadlineAt)
        ? { deadline: Math.max(1, deps.deadlineAt - monotonicNow(clock)) }
        : {};
      const limit = startTimeLimit(clock, { signal: held.signal, ...deadline }, { method: 'POST', path, closing });
      try {
        return await new NamedMove(deps, held, limit).run();
      } finally {
        limit.end();
      }
    },
  };
}

/** Sendings in a row that came too late after their note: a store, or a machine, that is far too slow. */
const MOST_LATE = 10;

/** One call under the name. */
class NamedMove<T extends Payment | Refund> {
  readonly #deps: MoneyDeps<T>;
  readonly #held: HeldName;
  readonly #limit: TimeLimit;
  readonly #time: ServiceTime;
  /** What stands under the name now. */
  #note: MoneyNote | undefined;
  /** When bytes left last, on the monotonic clock. */
  #sentAt: SentAt = { monotonicMs: 0, localMs: 0 };

  constructor(deps: MoneyDeps<T>, held: HeldName, limit: TimeLimit) {
    const { clock, memory, orderId } = deps.move;
    this.#deps = deps;
    this.#held = held;
    this.#limit = limit;
    this.#time = new ServiceTime(clock);
    this.#note = held.note as MoneyNote | undefined;
    // What others of the order have made is none of this one's, in whichever process they were made.
    for (const [id, key] of Object.entries(held.made)) if (key !== held.key) memory.note(orderId, id, key);
  }

  run(): Promise<CarriedOn<T>> {
    return this.#note === undefined ? this.#sendFirst() : this.#findOut(this.#note);
  }

  async #sendFirst(): Promise<CarriedOn<T>> {
    const { move } = this.#deps;
    let order: Order;
    try {
      const reading = await move.readOrder(this.#limit.forCall());
      this.#time.hear(reading.serverNowMs);
      order = reading.order;
    } catch (cause) {
      // What the caller ended ends as every call of his does.
      if (this.#limit.signal.aborted) return { outcome: 'not_applied', error: cause };
      return { outcome: 'not_sent', reason: 'order_unreadable', cause };
    }
    if (move.isTooMuch?.(order)) return { outcome: 'not_sent', reason: 'amount_exceeds_balance' };
    try {
      return await this.#applied(await this.#send(baselineOf(order), this.#limit.forCall()));
    } catch (error) {
      const proof = proofOf(error);
      if (proof.kind !== 'unknown') return { outcome: 'not_applied', error };
      const doubt = noteSending(move, undefined, { sentAt: this.#sentAt, proof, error });
      await this.#writeDown(doubt);
      return { outcome: 'unknown', cause: error };
    }
  }

  /** The key was sent before, perhaps by a process that is gone. */
  async #findOut(before: MoneyNote): Promise<CarriedOn<T>> {
    const { move } = this.#deps;
    const { key } = this.#held;
    try {
      // For the time of the service: no other clock tells how long ago it was.
      this.#time.hear((await move.readOrder(this.#limit.forCall())).serverNowMs);
    } catch (cause) {
      if (this.#limit.signal.aborted || !isTransient(cause)) return { outcome: 'unknown', cause };
    }
    const doubt = this.#doubtOf(before);
    let repeated: CallResult<T> | undefined;
    const careful: MoneyMove<T> = {
      ...move,
      see: (order, ownKey, { baseline }) => move.see(order, ownKey, { ...lookedFor(before), baseline }),
      repeat: async (_key, options, check, baseline) => {
        repeated = await this.#send(baseline, options, check);
        return repeated.data;
      },
    };
    const resolution = await findOut(careful, key, doubt, this.#limit.forCall());
    switch (resolution.outcome) {
      case 'applied': {
        const { record: data } = resolution;
        const found = { data, status: 200, headers: {}, requestId: null, attempts: 0, idempotencyKey: key };
        return this.#applied(repeated ?? found);
      }
      case 'not_applied':
        return { outcome: 'not_applied', error: resolution.cause };
      case 'unknown':
        if (this.#note !== before) await this.#writeDown(doubt);
        return { outcome: 'unknown', cause: resolution.cause };
    }
  }

  async #applied(result: CallResult<T>): Promise<CarriedOn<T>> {
    if (typeof result.data?.id === 'string') await this.#held.claim(result.data.id);
    return { outcome: 'applied', result };
  }

  /**
   * The note, then one attempt. Waits lie between two attempts, under renewals of the lease, and never between a note and
   * its sending.
   */
  async #send(
    baseline: Baseline | null,
    options: TimeLimitOptions,
    checkAge: () => void = () => {},
  ): Promise<CallResult<T>> {
    const { clock } = this.#deps.move;
    const before = this.#note;
    for (let times = 0, late = 0; ; ) {
      const now = this.#time.now();
      const firstSentAt = before?.firstSentAt ?? now;
      const inDoubt = (before?.inDoubt ?? 0) + 1;
      await this.#write({ firstSentAt, lastSentAt: now, endedAt: null, inDoubt, lateRefusal: null, baseline });
      this.#sentAt = sentNow(clock);
      const check = (): void => {
        if (!this.#held.mayStillSend()) throw new NotSentError('lease');
        checkAge();
        this.#sentAt = sentNow(clock);
      };
      try {
        return await this.#deps.send(this.#held.key, { ...options, ...this.#limit.forCall() }, check);
      } catch (error) {
        if (proofOf(error).kind !== 'not_executed') throw error;
        const isLate = sentTooLate(error) && !this.#limit.signal.aborted;
        if (isLate && late < MOST_LATE) {
          late += 1;
          continue;
        }
        if (await this.#mayTryAgain(error, times)) {
          times += 1;
          continue;
        }
        // This sending was not executed: the one before it is as it was.
        if (before) await this.#write(before);
        throw error;
      }
    }
  }

  /** Waits as long as the refusal asks for; false where it is final, or where that takes too long. */
  async #mayTryAgain(error: unknown, times: number): Promise<boolean> {
    const { maxRetries, maxWait, random, move } = this.#deps;
    if (this.#limit.waits.aborted || times >= maxRetries) return false;
    // The token was replaced meanwhile.
    if (error instanceof AuthenticationError) return times === 0;
    if (!isTransient(error)) return false;
    const asked = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
    const leastMs = asked === undefined ? backoffMs(times, random()) : waitAfter429Ms(asked, times);
    const waitMs = asked === undefined ? leastMs : leastMs + jitterAfter429Ms(random(), maxWait - leastMs);
    if (waitMs > maxWait || waitMs >= this.#limit.leftMs()) return false;
    await sleep(move.clock, waitMs, this.#limit.waits).catch(() => {});
    return !this.#limit.waits.aborted;
  }

  async #write(note: MoneyNote): Promise<void> {
    await this.#held.write(note);
    this.#note = note;
  }

  /** What the last sending came to. Without it the next call supposes the worst. */
  async #writeDown(doubt: KeyInDoubt): Promise<void> {
    const { clock, memory } = this.#deps.move;
    const note = this.#note;
    if (!note) return;
    const { inDoubt, lateRefusal, endedAtMs } = doubt;
    const { serviceMs, localMs } = this.#time.now();
    const agoMs = endedAtMs === null ? 0 : monotonicNow(clock) - endedAtMs;
    const endedAt = endedAtMs === null ? null : { serviceMs: serviceMs && serviceMs - agoMs, localMs: localMs - agoMs };
    memory.noteInDoubt(this.#held.key, { ...doubt, firstLocalMs: note.firstSentAt.localMs });
    await this.#write({ ...note, endedAt, inDoubt, lateRefusal }).catch(() => {});
  }

  /** Ages that are proven: the least since the last sending, the greatest since the first. */
  #doubtOf({ firstSentAt, lastSentAt, endedAt, inDoubt, lateRefusal, baseline }: MoneyNote): KeyInDoubt {
    const { clock, memory } = this.#deps.move;
    const nowMs = monotonicNow(clock);
    const own = memory.inDoubt(this.#held.key);
    const isOwn =
      own?.inDoubt === inDoubt && own.lateRefusal === lateRefusal && own.firstLocalMs === firstSentAt.localMs;
    // Another process may have sent it a moment after it wrote the time down.
    const leastAgeMs = Math.max(0, this.#time.leastAgeMs(lastSentAt) - this.#held.mayLeaveMs);
    const lastAtMs = isOwn ? Math.min(own.lastAtMs, nowMs - leastAgeMs) : nowMs - leastAgeMs;
    const endedByServiceMs = endedAt && nowMs - this.#time.leastAgeMs(endedAt);
    return {
      firstAtMs: Math.min(lastAtMs, nowMs - this.#greatestAgeMs(firstSentAt)),
      firstLocalMs: firstSentAt.localMs,
      lastAtMs,
      endedAtMs: isOwn ? own.endedAtMs : endedByServiceMs,
      isTooOld: !this.#held.isFresh || this.#time.isTooOld(firstSentAt),
      ...{ inDoubt, lateRefusal, baseline, failure: undefined },
    };
  }

  #greatestAgeMs({ serviceMs, localMs }: Instant): number {
    const now = this.#time.now();
    const byServiceMs = serviceMs === null || now.serviceMs === null ? 0 : now.serviceMs - serviceMs;
    return Math.max(0, byServiceMs, now.localMs - localMs);
  }
}

/** Which records can be of the key: those since its first sending, by the service's clock where that is known. */
function lookedFor({ firstSentAt: { serviceMs, localMs } }: MoneyNote): Omit<LookedFor, 'baseline'> {
  const isTimeKnown = serviceMs !== null;
  return {
    startedAt: new Date(serviceMs ?? localMs),
    skewMs: isTimeKnown ? SERVICE_SKEW_MS : CLOCK_SKEW_MS,
    isTimeKnown,
  };
}

function sentTooLate(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NotSentError && cause.reason === 'lease';
}
