import type { Money } from './money.js';
import type { Open } from './open-enum.js';

/** The known values of {@link DiscountType}. */
export const DISCOUNT_TYPES = ['PERCENTAGE', 'FIXED'] as const;

/** How a discount is computed (gap DISC-1). */
export type DiscountType = Open<(typeof DISCOUNT_TYPES)[number]>;

/** The known values of {@link DiscountSource}. */
export const DISCOUNT_SOURCES = ['PROMO_CODE', 'AUTOMATIC', 'LOYALTY_REWARD', 'MANUAL'] as const;

/** Where a discount comes from (gap DISC-1). */
export type DiscountSource = Open<(typeof DISCOUNT_SOURCES)[number]>;

/** The known values of {@link DiscountScope}. */
export const DISCOUNT_SCOPES = ['PRE_TAX'] as const;

/** When a discount applies; before tax is the only value in use (gap DISC-1). */
export type DiscountScope = Open<(typeof DISCOUNT_SCOPES)[number]>;

/**
 * One discount, of a line or of the whole cart.
 *
 * @see Interface document, "PriceCalculation"
 */
export interface DiscountLineItem {
  /** Opaque, made by the service for reconciliation (gap DISC-1). */
  id?: string;
  /** Text to show to the customer. */
  name: string;
  /** How the discount is computed. */
  type: DiscountType;
  /** Decimal text: `"10.00"` is ten per cent for PERCENTAGE, 10.00 of the major unit for FIXED (gap DISC-2). */
  value: string;
  /** What the discount takes off the cart, or off one unit of a line (gap DISC-5). */
  amount: Money;
  /** Where the discount comes from. */
  source: DiscountSource;
  /** When the discount applies (gap DISC-1). */
  application_scope?: DiscountScope;
}
