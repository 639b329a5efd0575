import type { Money, Payment } from '../../../contract/index.js';
import type { UnprocessableEntityError } from '../../../errors/api.js';
import type { Tender } from '../tender-body.js';

/** A tender that took no money: refused by the service (422), or ended `FAILED`. */
export interface Decline {
  readonly orderId: string;
  /** The tender as it was given. */
  readonly tender: Tender;
  /** What it was to pay. */
  readonly amount: Money;
  readonly idempotencyKey: string;
  /** How often this key was declined so far, this time included. */
  readonly attempt: number;
  /**
   * Whether `'retry'` can change anything. It cannot when the key has become too old, or when the service stored the
   * failed payment under the key; give the tender itself back then, and it goes out with a key of its own.
   */
  readonly retryable: boolean;
  /** The failed payment record, when the order shows one. */
  readonly payment: Payment | null;
  /** The refusal, when the service answered with one. */
  readonly error: UnprocessableEntityError | null;
  /** What is paid so far, by all tenders. */
  readonly amountPaid: Money;
  /** What is still due, this tender's amount included. */
  readonly balanceDue: Money;
}

/**
 * How to go on after a decline.
 *
 * - `'retry'`: the same request again, with the same key.
 * - a tender: in place of the declined one, with a key of its own.
 * - `'stop'`: nothing more is sent; what was paid stays paid.
 * - `'cancel_order'`: the service voids or refunds what was paid.
 */
export type DeclineAnswer = 'retry' | 'stop' | 'cancel_order' | Tender;

/**
 * Asked after each decline. It must not settle or cancel the order itself: that would wait for its own end.
 *
 * @see Interface document, "Payment rules" 4
 */
export type DeclineHandler = (decline: Decline) => DeclineAnswer | Promise<DeclineAnswer>;
