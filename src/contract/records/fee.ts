import type { Money } from './money.js';
import type { Open } from './open-enum.js';

/** The known values of {@link FeeType}. */
export const FEE_TYPES = ['DELIVERY', 'SERVICE', 'BAG', 'SMALL_ORDER'] as const;

/** What a fee is for. `SMALL_ORDER` makes up what is missing to the location's minimum (gap FEE-1). */
export type FeeType = Open<(typeof FEE_TYPES)[number]>;

/**
 * One fee of a cart, a price calculation or an order.
 *
 * The interface document names fees and shows no fields of them (gap FEE-1).
 *
 * @see Interface document, "Other records"
 */
export interface Fee {
  /** What the fee is for. */
  type: FeeType;
  /** Text to show to the customer. */
  name?: string;
  /** What is added to the total; not taxed (gap FEE-3). */
  amount: Money;
}
