import type { HandoffMode, HandoffModeName } from './handoff.js';
import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { OrderStatus } from './order.js';

/**
 * The optional body of a checkout.
 *
 * @see Interface document, "Carts", rule 6
 */
export interface CheckoutRequest {
  /** Replaces the handoff of the cart completely. Needed when the cart has none. */
  handoff_mode?: HandoffMode | undefined;
  /** Whole cents: `total.amount` of the price calculation. When it is no longer the total, the response is 409. */
  expected_total?: number | undefined;
}

/**
 * What a checkout returns: the order was created and awaits payment.
 *
 * @see Interface document, "Checkout result"
 */
export interface CheckoutResult {
  /** UUID of the new order. */
  order_id: string;
  /** UUID of the cart. */
  cart_id: string;
  /** `PENDING` on creation. */
  status: OrderStatus;
  /** Name of the effective mode; the order has its details as `handoff`. */
  handoff_mode: Open<HandoffModeName>;
  /** Sum of the lines, before tax, fees and discounts of the whole. */
  subtotal: Money;
  /** Tax on all lines. */
  total_tax: Money;
  /** Discounts of the whole; those of lines are in the lines already. */
  total_discount: Money;
  /** What is to be paid, fees included. */
  total: Money;
  /** True when an item has an age limit. For information only. */
  age_verification_required: boolean;
  /** Says that photo ID is checked at pickup or delivery; null when no item has an age limit. */
  age_verification_notice: string | null;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
}

/** The known values of {@link ChangeReason}. */
export const CHANGE_REASONS = [
  'PROMO_EXPIRED',
  'DISCOUNT_CHANGED',
  'FEE_CHANGED',
  'ITEM_PRICE_CHANGED',
  'ITEM_UNAVAILABLE',
] as const;

/**
 * Why the total is no longer the expected one.
 *
 * @see Interface document, "Carts", rule 6
 */
export type ChangeReason = Open<(typeof CHANGE_REASONS)[number]>;
