import { z } from 'zod';
import type { PriceCalculation, PriceLineItem } from '../records/price-calculation.js';
import { discountLineItemSchema } from './discount.js';
import { feeSchema } from './fee.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { record } from './record.js';
import { id, timestamp } from './scalars.js';

/** Schema of {@link PriceLineItem}. */
export const priceLineItemSchema = once(() =>
  record<PriceLineItem>({
    cart_item_id: id(),
    menu_item_id: id(),
    name: z.string(),
    quantity: z.int(),
    base_price: moneySchema(),
    modifier_total: moneySchema(),
    discounts: z.array(discountLineItemSchema()).optional(),
    item_subtotal: moneySchema(),
    item_tax: moneySchema(),
    item_total: moneySchema(),
  }),
);

/** Schema of {@link PriceCalculation}. */
export const priceCalculationSchema = once(() =>
  record<PriceCalculation>({
    cart_id: id(),
    currency: z.string(),
    line_items: z.array(priceLineItemSchema()),
    discounts: z.array(discountLineItemSchema()),
    fees: z.array(feeSchema()),
    subtotal: moneySchema(),
    total_tax: moneySchema(),
    total_fees: moneySchema(),
    total_discount: moneySchema(),
    taxable_amount: moneySchema(),
    total: moneySchema(),
    age_verification_required: z.boolean(),
    calculated_at: timestamp(),
    member_pricing_applied: z.boolean(),
  }),
);
