import { z } from 'zod';
import { type Money, moneySchema } from './money.js';
import { once } from './once.js';
import { type Open, openEnum } from './open-enum.js';
import { record } from './record.js';

/** How a discount is computed (gap DISC-1). */
export type DiscountType = Open<'PERCENTAGE' | 'FIXED'>;

/** Where a discount comes from (gap DISC-1). */
export type DiscountSource = Open<'PROMO_CODE' | 'AUTOMATIC' | 'LOYALTY_REWARD' | 'MANUAL'>;

/** When a discount applies; before tax is the only value in use (gap DISC-1). */
export type DiscountScope = Open<'PRE_TAX'>;

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
  type: DiscountType;
  /** Decimal text: `"10.00"` is ten per cent for PERCENTAGE, 10.00 of the major unit for FIXED (gap DISC-2). */
  value: string;
  /** What the discount takes off the cart, or off one unit of a line (gap DISC-5). */
  amount: Money;
  source: DiscountSource;
  /** When the discount applies (gap DISC-1). */
  application_scope?: DiscountScope;
}

/** Schema of {@link DiscountLineItem}. */
export const discountLineItemSchema = once(() =>
  record<DiscountLineItem>({
    id: z.string().optional(),
    name: z.string(),
    type: openEnum<DiscountType>(),
    value: z.string(),
    amount: moneySchema(),
    source: openEnum<DiscountSource>(),
    application_scope: openEnum<DiscountScope>().optional(),
  }),
);
