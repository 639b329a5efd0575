import type { Money, Payment } from '../../../contract/index.js';
import type { APIError } from '../../../errors/api.js';
import { RequestValidationError } from '../../../errors/local.js';
import type { Tender } from '../tender-body.js';

/** A tender that took no money: refused by the service (422), or ended `FAILED`. */
export interface Decline {
  /** The order that was being paid. */
  readonly orderId: string;
  /** The tender as it was given. */
  readonly tender: Tender;
  /** What it was to pay. */
  readonly amount: Money;
  /** The key under which it was declined. */
  readonly idempotencyKey: string;
  /** How often this key was declined so far, this time included. */
  readonly attempt: number;
  /**
   * Whether `'retry'` can change anything. It cannot after five retries, when the key has become too old, or when the
   * service stored the failed payment under the key; give the tender itself back then, and it goes out with a key of
   * its own.
   */
  readonly retryable: boolean;
  /** The failed payment record, when the order shows one. */
  readonly payment: Payment | null;
  /** The refusal, when the response was one. */
  readonly error: APIError | null;
  /** What is paid so far, by all tenders. */
  readonly amountPaid: Money;
  /** What is still due, this tender's amount included. */
  readonly balanceDue: Money;
}

/**
 * How to go on after a decline.
 *
 * - `'retry'`: the same request again, with the same key, after a pause that doubles; five times at most.
 * - a tender: in place of the declined one, with a key of its own; twenty times for an order at most.
 * - `'stop'`: nothing more is sent; what was paid stays paid.
 * - `'cancel_order'`: the service voids or refunds what was paid.
 */
export type DeclineAnswer = 'retry' | 'stop' | 'cancel_order' | Tender;

/**
 * Asked after each decline. It must not settle or cancel the order itself: that would wait for its own end. `signal`
 * and `deadline` of the settlement end the wait for its answer.
 *
 * @see Interface document, "Payment rules" 4
 */
export type DeclineHandler = (decline: Decline) => DeclineAnswer | Promise<DeclineAnswer>;

/** How often one key is sent again after a decline. */
export const MOST_RETRIES = 5;
/** How many tenders may take the place of declined ones, for one order. */
export const MOST_REPLACEMENTS = 20;
const FIRST_PAUSE_MS = 1000;

/** Milliseconds before the n-th retry of a declined tender, counted from 1. */
export function retryPauseMs(retry: number): number {
  return FIRST_PAUSE_MS * 2 ** (retry - 1);
}

/** @throws {RequestValidationError} The handler answered something else. */
export function checkedAnswer(answer: unknown): DeclineAnswer {
  if (answer === 'retry' || answer === 'stop' || answer === 'cancel_order') return answer;
  if (typeof answer === 'object' && answer !== null) return answer as Tender;
  const shown = typeof answer === 'string' ? `'${answer}'` : typeof answer;
  const message = `it must answer 'retry', 'stop', 'cancel_order' or a tender, and answered ${shown}`;
  throw new RequestValidationError(`onDeclined: ${message}. Nothing more was sent.`, {
    problems: [{ field: 'onDeclined', message }],
  });
}
