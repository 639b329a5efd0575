import { APIError, UnprocessableEntityError } from '../../errors/api.js';
import { CallError } from '../../errors/call.js';
import { ConfigurationError, RequestValidationError } from '../../errors/local.js';
import type { LateRefusal } from './journal/record.js';

/**
 * The protocol for a payment or refund of unknown outcome: what a response proves, what a reading of the order proves,
 * and when the same key may leave again. Pure: whoever sends and reads (`settle`, a payment or refund sent alone)
 * brings the facts, and does what comes back.
 */

/** How long the service may go on executing, and how long its readings may lag (gap PAY-11). */
export interface Limits {
  readonly horizonMs: number;
  readonly lagMs: number;
}

/** What one sending proves. */
export type Proof =
  /** The service did not execute it, or it never left. */
  | { readonly kind: 'not_executed' }
  /** The service refused it: final, if no earlier sending of the key may have been executed. */
  | { readonly kind: 'refused'; readonly lateRefusal: LateRefusal }
  /** `hasEnded`: the service's own error shows that this sending is executed no longer. */
  | { readonly kind: 'unknown'; readonly hasEnded: boolean };

/** Refusals of a first sending that executed nothing (reliability rules). */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 409, 422]);
/** Whatever was sent before, these say that this sending was not executed. */
const NOT_EXECUTED: ReadonlySet<number> = new Set([401, 429]);

/** The request was not given to the network, since it was too late for it. */
export class NotSentError extends Error {
  readonly reason: 'lease' | 'key_too_old';

  constructor(reason: 'lease' | 'key_too_old') {
    super('The request was not sent.');
    this.reason = reason;
  }
}

/** An error of this package says what it knows of the write; any other error proves nothing. */
export function proofOf(error: unknown): Proof {
  if (error instanceof NotSentError || error instanceof RequestValidationError || error instanceof ConfigurationError) {
    return { kind: 'not_executed' };
  }
  if (!(error instanceof CallError)) return { kind: 'unknown', hasEnded: false };
  if (error.outcome === 'not_sent') return { kind: 'not_executed' };
  // A success without a body: it was executed, and a reading shows it sooner or later.
  if (error.outcome === 'applied') return { kind: 'unknown', hasEnded: true };
  if (!(error instanceof APIError)) return { kind: 'unknown', hasEnded: false };
  if (NOT_EXECUTED.has(error.status)) return { kind: 'not_executed' };
  // The service keeps a response for this key, and not for these bytes: it was executed in some form.
  if (error.scenario === 'idempotency_key_reused') return { kind: 'unknown', hasEnded: false };
  if (REFUSALS.has(error.status)) return { kind: 'refused', lateRefusal: isConsequence(error) ? 'sign' : 'plain' };
  // A page of a gateway has neither code nor request id, and shows nothing of the service behind it.
  const hasEnded = error.status === 500 && error.code !== null && error.requestId !== null;
  return { kind: 'unknown', hasEnded };
}

const CONSEQUENCES = /insufficient|balance|exceed|duplicate|already|limit/i;

/** Whether a refusal may be the consequence of an earlier sending: a state conflict, a used balance, a duplicate. */
function isConsequence(error: APIError): boolean {
  if (error.status === 409) return true;
  if (!(error instanceof UnprocessableEntityError)) return false;
  if (error.field === 'amount' || error.scenario === 'refund_exceeds_balance') return true;
  return [error.serviceMessage, error.detail].some((text) => CONSEQUENCES.test(text ?? ''));
}

/** A sign that a request was executed, though no record shows it. */
export type Sign = 'sum_rose' | 'new_record';

/** What one successful reading of the order shows of it. */
export interface Seen<T> {
  /** A record that matches, and moved money or still may. */
  readonly record: T | undefined;
  /** A record that matches and ended without money, when there is no other. */
  readonly failed: T | undefined;
  /** Whether the record carries the key. */
  readonly isOwn: boolean;
  readonly signs: readonly Sign[];
  /** False when the order shows too little to tell that it is not there. */
  readonly isListed: boolean;
}

/** What is known of a key whose outcome is not. Ages are proven: the least for waits, the greatest for the key. */
export interface Doubt {
  /** Sendings of this key that may have been executed. */
  readonly inDoubt: number;
  /** Whether an earlier sending was declined: its FAILED record may come into sight now. */
  readonly wasDeclined: boolean;
  /** Milliseconds since its last sending, at least. */
  readonly ageMs: number;
  /** Milliseconds since the service's own error to its last sending, at least; `null` when there was none. */
  readonly endedAgeMs: number | null;
  readonly lateRefusal: LateRefusal | null;
  /** Whether the key is older than it may be sent again. */
  readonly isTooOld: boolean;
  /** Whether the order takes no payment or refund any more. */
  readonly isClosed: boolean;
}

/** How a run has watched one key since its last sending. */
export interface Watch {
  /** Readings so far, failed ones too. */
  readonly readings: number;
  /** Readings that failed in a row. */
  readonly failed: number;
  /** Successful readings that began after the horizon, some seconds apart. */
  readonly quiet: number;
  /** When the last quiet one began, on the monotonic clock. */
  readonly quietAtMs: number;
}

export const NOT_WATCHED: Watch = { readings: 0, failed: 0, quiet: 0, quietAtMs: 0 };
/** Readings after the horizon that must show nothing before a key leaves again. */
const QUIET_READINGS = 2;
/** Milliseconds between them. */
const QUIET_GAP_MS = 3000;
const FIRST_LOOK_MS = 500;
const LAST_LOOK_MS = 16_000;
/** Readings that may fail in a row after the horizon before the outcome is left unknown. */
const MOST_FAILED_READINGS = 5;

/** What to do about a key in doubt. */
export type Verdict<T> =
  | { readonly kind: 'found'; readonly record: T }
  /** Read the order in so many milliseconds. */
  | { readonly kind: 'look'; readonly afterMs: number }
  /** The same key and bytes may leave again. */
  | { readonly kind: 'repeat' }
  /** It was executed by no sending. */
  | { readonly kind: 'not_applied' }
  | { readonly kind: 'unknown'; readonly why: WhyUnknown };

/** Why an outcome cannot be decided now. */
export type WhyUnknown = Sign | 'late_refusal' | 'not_listed' | 'unreadable' | 'too_old';

/** Milliseconds until the sending can be neither executed nor unseen any more (rules 4 and 6). */
export function clearInMs(
  { ageMs, endedAgeMs }: Pick<Doubt, 'ageMs' | 'endedAgeMs'>,
  { horizonMs, lagMs }: Limits,
): number {
  const untilHorizonMs = Math.max(horizonMs, lagMs) - ageMs;
  if (endedAgeMs === null) return Math.max(0, untilHorizonMs);
  return Math.max(0, Math.min(untilHorizonMs, lagMs - endedAgeMs));
}

/** Counts a reading; `beganAtMs` is monotonic, `wasClear` says whether the horizon had passed when it began. */
export function watched(
  { readings, failed, quiet, quietAtMs }: Watch,
  reading: { readonly beganAtMs: number; readonly wasClear: boolean; readonly hasFailed: boolean },
  { lagMs }: Limits,
): Watch {
  const { beganAtMs, wasClear, hasFailed } = reading;
  const next = { readings: readings + 1, failed: hasFailed ? failed + 1 : 0, quiet, quietAtMs };
  if (hasFailed || !wasClear) return next;
  if (quiet > 0 && beganAtMs - quietAtMs < quietGapMs(lagMs)) return next;
  return { ...next, quiet: quiet + 1, quietAtMs: beganAtMs };
}

/** A service that reads what it wrote needs no time between two readings. */
function quietGapMs(lagMs: number): number {
  return Math.min(QUIET_GAP_MS, lagMs);
}

/** Decides over a key in doubt by what the last successful reading shows; `undefined`: there was none since. */
export function judge<T>(doubt: Doubt, seen: Seen<T> | undefined, watch: Watch, limits: Limits): Verdict<T> {
  if (seen?.record !== undefined) return { kind: 'found', record: seen.record };
  // A failed record is that of the only sending if it carries the key; else another sending may still be executed.
  const isOfThis = seen?.isOwn === true && doubt.inDoubt <= 1 && !doubt.wasDeclined;
  if (seen?.failed !== undefined && isOfThis) return { kind: 'found', record: seen.failed };

  const waitMs = clearInMs(doubt, limits);
  if (waitMs > 0) return { kind: 'look', afterMs: Math.min(lookDelayMs(watch.readings), waitMs) };
  if (watch.quiet < QUIET_READINGS || seen === undefined) {
    if (watch.failed >= MOST_FAILED_READINGS) return { kind: 'unknown', why: 'unreadable' };
    const afterMs = watch.failed > 0 ? lookDelayMs(watch.failed) : watch.quiet > 0 ? quietGapMs(limits.lagMs) : 0;
    return { kind: 'look', afterMs };
  }

  const [sign] = seen.signs;
  if (sign !== undefined) return { kind: 'unknown', why: sign };
  if (doubt.lateRefusal === 'sign') return { kind: 'unknown', why: 'late_refusal' };
  if (seen.failed !== undefined && !mayBeQueued(doubt, seen.isOwn, limits))
    return { kind: 'found', record: seen.failed };
  if (!seen.isListed) return { kind: 'unknown', why: 'not_listed' };
  if (doubt.lateRefusal === 'plain' || doubt.isClosed) return { kind: 'not_applied' };
  return doubt.isTooOld ? { kind: 'unknown', why: 'too_old' } : { kind: 'repeat' };
}

/**
 * A service that serialises requests with one key has no horizon: those that wait there are executed after one that
 * failed. Only the response to a later sending, which comes after all of them, shows their end.
 */
function mayBeQueued({ inDoubt, lateRefusal }: Doubt, isOwn: boolean, { horizonMs }: Limits): boolean {
  return horizonMs === 0 && (inDoubt > 1 || !isOwn) && lateRefusal === null;
}

/** Half a second, doubling to sixteen: no polling option of a caller changes it. */
function lookDelayMs(readings: number): number {
  return Math.min(LAST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(readings, 30));
}
