import type { Money } from './money.js';
import type { Open } from './open-enum.js';

/** Every way to pay that a request may name, in the order of the interface document. */
export const TENDER_TYPES = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CASH',
  'GIFT_CARD',
  'LOYALTY_POINTS',
  'DIGITAL_WALLET',
  'EBT',
] as const;

/** A way to pay, in a request. Responses may name tenders to come: there it is {@link PaymentMethod}. */
export type TenderType = (typeof TENDER_TYPES)[number];

/**
 * A way to pay, in a response.
 *
 * @see Interface document, "MenuItem"
 */
export type PaymentMethod = Open<TenderType>;

/** The known values of {@link PaymentRecordStatus}. */
export const PAYMENT_RECORD_STATUSES = [
  'PENDING',
  'AUTHORIZED',
  'CAPTURED',
  'COMPLETED',
  'FAILED',
  'VOIDED',
  'REFUNDED',
] as const;

/**
 * State of one payment. `COMPLETED` and `FAILED` allow the next tender; `VOIDED` and `REFUNDED` follow a cancel
 * (gap PAY-5).
 *
 * @see Interface document, "Payment record status"
 */
export type PaymentRecordStatus = Open<(typeof PAYMENT_RECORD_STATUSES)[number]>;

/**
 * One payment of an order.
 *
 * The interface document shows its status only; the other fields are those of gap PAY-3.
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export interface Payment {
  /** UUID. */
  id: string;
  /** UUID of the order. */
  order_id?: string;
  /** The tender. */
  payment_method: PaymentMethod;
  /** What this tender pays. */
  amount: Money;
  /** `COMPLETED` and `FAILED` allow the next tender. */
  status: PaymentRecordStatus;
  /** What went back to this tender so far. */
  amount_refunded?: Money;
  /** Why the payment failed; null when it did not. */
  failure_reason?: string | null;
  /** The key of the request that made the payment, where the service returns it (gap PAY-4). */
  idempotency_key?: string | null;
  /** ISO 8601 date-time in UTC. */
  created_at?: string;
  /** ISO 8601 date-time in UTC. */
  updated_at?: string;
}

/**
 * The body of one payment; `payment_method` says which one. A split payment is one request per tender.
 *
 * The interface document shows no fields; these are those of gap PAY-1. Fields beyond them are sent as they are.
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export type PaymentRequest =
  | TokenPaymentRequest
  | GiftCardPaymentRequest
  | LoyaltyPointsPaymentRequest
  | CashPaymentRequest;

/** A payment by card, wallet or EBT, with the token of your payment provider. Never send a card number. */
export interface TokenPaymentRequest {
  /** Tells the tender. */
  payment_method: 'CREDIT_CARD' | 'DEBIT_CARD' | 'DIGITAL_WALLET' | 'EBT';
  /** Whole cents. */
  amount: number;
  /** Token that stands for the card or the wallet. */
  payment_token?: string | undefined;
}

/** A payment by gift card. */
export interface GiftCardPaymentRequest {
  /** Tells the tender. */
  payment_method: 'GIFT_CARD';
  /** Whole cents. */
  amount: number;
  /** Number of the gift card. Never log it. */
  gift_card_number?: string | undefined;
  /** PIN of the gift card. Never log it. */
  gift_card_pin?: string | undefined;
}

/** A payment with the points of a loyalty account. */
export interface LoyaltyPointsPaymentRequest {
  /** Tells the tender. */
  payment_method: 'LOYALTY_POINTS';
  /** Whole cents, not points. */
  amount: number;
  /** Id of the customer's account. */
  loyalty_account_id?: string | undefined;
}

/** A payment at the counter; not for deliveries. */
export interface CashPaymentRequest {
  /** Tells the tender. */
  payment_method: 'CASH';
  /** Whole cents. */
  amount: number;
}
