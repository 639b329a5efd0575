import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { PaymentMethod } from './payment.js';

/** The known values of {@link RefundReason}. */
export const REFUND_REASONS = ['CUSTOMER_REQUEST'] as const;

/** Why money goes back; one value is public, any text is sent as it is (gap REF-2). */
export type RefundReason = Open<(typeof REFUND_REASONS)[number]>;

/** The known values of {@link RefundStatus}. */
export const REFUND_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const;

/** State of a refund (gap REF-4). */
export type RefundStatus = Open<(typeof REFUND_STATUSES)[number]>;

/**
 * Money that went back to the customer, in full or in part.
 *
 * The interface document shows no fields; these are those of gap REF-4.
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export interface Refund {
  /** UUID. */
  id: string;
  /** UUID of the order. */
  order_id?: string;
  /** What went back. */
  amount: Money;
  /** How far the refund is. */
  status?: RefundStatus;
  /** As given in the request; null or absent when none was. */
  reason?: RefundReason | null;
  /** The lines that were named in the request; for information only. */
  line_items?: RefundLineItem[];
  /** Which payment got how much; cash comes last. */
  distributions?: RefundDistribution[];
  /** ISO 8601 date-time in UTC. */
  created_at?: string;
}

/** The share of a refund that went to one payment (gap REF-4). */
export interface RefundDistribution {
  /** UUID of the payment. */
  payment_id: string;
  /** The tender that got it. */
  payment_method: PaymentMethod;
  /** What this tender got. */
  amount: Money;
}

/** A line of the order that a refund is about; for information only, the refund's `amount` decides (gap REF-3). */
export interface RefundLineItem {
  /** `id` of the order's line. */
  order_item_id: string;
  /** Units, a positive whole number. */
  quantity: number;
  /** Whole cents of this line. */
  amount?: number | undefined;
}

/**
 * The body of a refund. Several partial refunds are allowed until the balance is refunded.
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export interface RefundRequest {
  /** Whole cents, at most `amount_paid` less `amount_refunded` of the order (gap REF-1). */
  amount: number;
  /** Why; optional (gap REF-2). */
  reason?: RefundReason | undefined;
  /** For information only; `amount` decides. */
  line_items?: RefundLineItem[] | undefined;
}
