import type { Money } from './money.js';
import type { Open } from './open-enum.js';

/** The known values of {@link PromoCodeStatus}. */
export const PROMO_CODE_STATUSES = ['ACTIVE', 'EXPIRED', 'REDEEMED'] as const;

/** State of an applied code: `EXPIRED` ran out after it was applied, `REDEEMED` was used up by a checkout. */
export type PromoCodeStatus = Open<(typeof PROMO_CODE_STATUSES)[number]>;

/** The known values of {@link PromoRejectionReason}. */
export const PROMO_REJECTION_REASONS = [
  'INVALID_CODE',
  'EXPIRED',
  'ALREADY_USED',
  'MINIMUM_NOT_MET',
  'NOT_APPLICABLE',
  'ALREADY_APPLIED',
] as const;

/**
 * Why a promo code does not apply to a cart.
 *
 * @see Interface document, "Carts", rule 5
 */
export type PromoRejectionReason = Open<(typeof PROMO_REJECTION_REASONS)[number]>;

/** What a code would take off: an estimate, the price calculation gives the real amount. */
export interface DiscountPreview {
  /** What the code is expected to take off. */
  estimated_discount: Money;
  /** Text to show to the customer, for example `25% off your order (up to $10)`. */
  description: string;
  /** Ids of the cart items it applies to; empty means the whole cart. Only in the response of a validation. */
  applicable_items?: string[];
}

/**
 * A promo code on a cart; at most one is active (gap PROMO-2).
 *
 * @see Interface document, "Other records"
 */
export interface AppliedPromoCode {
  /** In upper case, whatever case was sent. */
  code: string;
  /** Whether the code still counts. */
  status: PromoCodeStatus;
  /** Present while the code is `ACTIVE`. */
  discount_preview?: DiscountPreview | null;
  /** ISO 8601 date-time in UTC. */
  applied_at: string;
}

/** The promo codes of a cart, on one page (gap PROMO-3). */
export interface AppliedPromoCodeList {
  /** At most one code is active. */
  data: AppliedPromoCode[];
}

/**
 * What a code would do to a cart, without applying it. A refused code is a result too, and no error (gap PROMO-4).
 *
 * @see Interface document, "Carts"
 */
export interface PromoCodeValidation {
  /** In upper case, whatever case was sent. */
  code: string;
  /** True when the code applies to the cart. */
  valid: boolean;
  /** What it would take off; null or absent when it does not apply. */
  discount_preview?: DiscountPreview | null;
  /** Why it does not apply; null or absent when it does. */
  rejection_reason?: PromoRejectionReason | null;
  /** The reason in words; null or absent when the code applies. */
  rejection_message?: string | null;
}

/** The body that applies a promo code (gap PROMO-1). */
export interface ApplyPromoCodeRequest {
  /** In any case. */
  code: string;
}
