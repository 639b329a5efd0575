import type { Money, Order, Payment, PaymentMethod, Refund } from '../contract/index.js';
import { brand, OnlineOrderingError } from './base.js';
import { CallError, type CallFacts } from './call.js';

/** What became of a payment or refund whose response was lost. */
export type Resolution<T extends Payment | Refund = Payment | Refund> =
  /** It was executed; the record is the service's. */
  | {
      /** Money has moved; do not do it again. */
      readonly outcome: 'applied';
      /** The payment or refund as the order shows it, or as the repeated request got it. */
      readonly record: T;
      /** The order as it is now. */
      readonly order: Order;
    }
  /** It was not executed, and the service refused its repetition. A new payment needs a new key. */
  | {
      /** No money has moved. */
      readonly outcome: 'not_applied';
      /** The order as it is now. */
      readonly order: Order;
      /** The refusal of the repeated request. */
      readonly cause?: unknown;
    }
  /** It cannot be decided now; call `resolve()` again later, or look at the order with a person. */
  | {
      /** Money may have moved. */
      readonly outcome: 'unknown';
      /** The order as it is now; absent when it could not be read. */
      readonly order?: Order;
      /** What kept it from being decided. */
      readonly cause?: unknown;
    };

/** How `resolve()` finds out what became of a payment or refund. */
export interface ResolveOptions {
  /**
   * Whether the same key and bytes may go out once more when the order does not show the payment. `false` only reads.
   * @defaultValue true
   */
  replay?: boolean | undefined;
  /** Ends it; the outcome is then `'unknown'`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it; after them the outcome is `'unknown'`. */
  deadline?: number | undefined;
}

/**
 * A payment or refund was sent, and no response says whether it was executed.
 *
 * Never pay again with a new key: call `resolve()`, which reads the order first, and repeats with the same key only if
 * the order does not show it. `cause` says how the response was lost.
 *
 * @see Interface document, "Payment rules" and "Idempotency rules" 3
 */
export class OutcomeUnknownError extends CallError {
  /** The order that was to be paid or refunded. */
  readonly orderId: string;
  /** From `settle` and `resume`: what was charged, what is left, and which key belongs to which tender. */
  readonly settlement: SettlementFacts | undefined;
  readonly #resolve: (options?: ResolveOptions) => Promise<Resolution>;

  constructor(
    message: string,
    facts: CallFacts & {
      orderId: string;
      settlement?: SettlementFacts | undefined;
      resolve: (options?: ResolveOptions) => Promise<Resolution>;
    },
    options?: { cause?: unknown },
  ) {
    super(message, { ...facts, outcome: 'unknown' }, options);
    this.orderId = facts.orderId;
    this.settlement = facts.settlement;
    this.#resolve = facts.resolve;
  }

  /**
   * Finds out what became of it. Safe to call as often as wanted. Never throws: where it cannot be told, or `signal` or
   * `deadline` ended it, `outcome` is `'unknown'`.
   *
   * @see Interface document, "Payment rules"; docs/payments.md
   */
  resolve(options?: ResolveOptions): Promise<Resolution> {
    return this.#resolve(options);
  }
}
brand(OutcomeUnknownError, 'OutcomeUnknownError');

/**
 * Payments of an order, its journal, and what was asked do not fit together. No further request was sent. The message
 * says how to go on.
 */
export class PaymentStateError extends OnlineOrderingError {
  /** The order whose payments do not fit. */
  readonly orderId: string;
  /** What does not fit, for programs: `'tender_differs'`, `'amount_exceeds_balance'`, `'order_cancelled'`, … */
  readonly reason: PaymentStateReason;
  /** What was charged, what is left, and which key belongs to which tender; `undefined` when nothing was sent. */
  readonly settlement: SettlementFacts | undefined;

  constructor(
    message: string,
    facts: { orderId: string; reason: PaymentStateReason; settlement?: SettlementFacts | undefined },
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.orderId = facts.orderId;
    this.reason = facts.reason;
    this.settlement = facts.settlement;
  }
}
brand(PaymentStateError, 'PaymentStateError');

/**
 * `settle` or `resume` ended early, after something was sent: an abort, a deadline, a rate limit, a service or a journal
 * that cannot be reached, or a handler that threw. `cause` is that error, `settlement` shows how each tender stands, and
 * the same call goes on.
 */
export class SettlementInterruptedError extends OnlineOrderingError {
  /** The order that was being paid. */
  readonly orderId: string;
  /** What was charged, what is left, and which key belongs to which tender. */
  readonly settlement: SettlementFacts;

  constructor(message: string, facts: { orderId: string; settlement: SettlementFacts }, options: { cause: unknown }) {
    super(message, options);
    this.orderId = facts.orderId;
    this.settlement = facts.settlement;
  }
}
brand(SettlementInterruptedError, 'SettlementInterruptedError');

/** What does not fit between an order, its journal, and what was asked. */
export type PaymentStateReason =
  | 'tender_differs'
  | 'tender_missing'
  | 'body_differs'
  | 'amount_exceeds_balance'
  | 'amounts_unreadable'
  | 'amount_paid_differs'
  | 'currency_differs'
  | 'cash_for_delivery'
  | 'order_cancelled'
  | 'order_closed'
  | 'journal_unreadable'
  | 'journal_unavailable'
  | 'journal_of_another_order'
  | 'lock_lost'
  | 'not_undecided'
  | 'still_decidable'
  | 'too_many_replacements'
  | (string & {});

/** How far one tender of a settlement is. `UNKNOWN`: it may have been charged, and no response says so for sure. */
export type TenderStatus = 'COMPLETED' | 'FAILED' | 'PROCESSING' | 'UNKNOWN' | 'UNSENT';

/** One tender of a settlement, without its instrument. */
export interface TenderFacts {
  /** The tender type that was asked for: `CREDIT_CARD`, `GIFT_CARD`, … (interface document, "Payment methods"). */
  readonly payment_method: PaymentMethod;
  /** What was, or is to be, charged; `'remaining'` as long as that is not fixed. */
  readonly amount: Money | 'remaining';
  /** How far it is. Only `COMPLETED` has moved money for sure; with `UNKNOWN` it may have. */
  readonly status: TenderStatus;
  /** The key of its request. */
  readonly idempotencyKey: string;
  /** `id` of its payment record, or `null`. */
  readonly paymentId: string | null;
  /** The key of the declined tender that this one stands in for, or `null`. */
  readonly replaces: string | null;
}

/** What is known of the payments of an order when `settle` ends early. */
export interface SettlementFacts {
  /** Every tender that the journal knows of this order. */
  readonly tenders: readonly TenderFacts[];
  /** What these tenders have charged. */
  readonly charged: Money;
  /** What is still due, as last read; `null` when the order could not be read. */
  readonly balanceDue: Money | null;
}
