import type { Order, Payment, Refund } from '../contract/index.js';
import { brand, OnlineOrderingError } from './base.js';
import { CallError, type CallFacts } from './call.js';

/** What became of a payment or refund whose answer was lost. */
export type Resolution<Record extends Payment | Refund = Payment | Refund> =
  /** It was executed; the record is the service's. */
  | { readonly outcome: 'applied'; readonly record: Record; readonly order: Order }
  /** It was not executed, and the service refused its repetition. A new payment needs a new key. */
  | { readonly outcome: 'not_applied'; readonly order: Order; readonly cause?: unknown }
  /** It cannot be decided now; call `resolve()` again later, or look at the order with a person. */
  | { readonly outcome: 'unknown'; readonly order?: Order; readonly cause?: unknown };

export interface ResolveOptions {
  /**
   * Whether the same key and bytes may go out once more when the order does not show the payment. `false` only reads.
   * @defaultValue true
   */
  replay?: boolean;
  signal?: AbortSignal;
  /** Milliseconds for the whole of it. */
  deadline?: number;
}

/**
 * A payment or refund was sent, and no answer tells whether it was executed.
 *
 * Never pay again with a new key: call `resolve()`, which reads the order first, and repeats with the same key only if
 * the order does not show it. `cause` tells how the answer was lost.
 *
 * @see Interface document, "Payment rules" and "Idempotency rules" 3
 */
export class OutcomeUnknownError extends CallError {
  readonly orderId: string;
  readonly #resolve: (options?: ResolveOptions) => Promise<Resolution>;

  constructor(
    message: string,
    facts: CallFacts & { orderId: string; resolve: (options?: ResolveOptions) => Promise<Resolution> },
    options?: { cause?: unknown },
  ) {
    super(message, { ...facts, outcome: 'unknown' }, options);
    this.orderId = facts.orderId;
    this.#resolve = facts.resolve;
  }

  /** Finds out what became of it. Safe to call as often as wanted. */
  resolve(options?: ResolveOptions): Promise<Resolution> {
    return this.#resolve(options);
  }
}
brand(OutcomeUnknownError, 'OutcomeUnknownError');

/** Payments of an order, its journal, and what was asked do not fit together. Nothing was sent. The message says how to go on. */
export class PaymentStateError extends OnlineOrderingError {
  readonly orderId: string;
  /** What does not fit, for programs: `'tender_differs'`, `'amount_exceeds_balance'`, `'order_cancelled'`, … */
  readonly reason: string;

  constructor(message: string, facts: { orderId: string; reason: string }, options?: { cause?: unknown }) {
    super(message, options);
    this.orderId = facts.orderId;
    this.reason = facts.reason;
  }
}
brand(PaymentStateError, 'PaymentStateError');
