import { z } from 'zod';
import { DISCOUNT_SCOPES, DISCOUNT_SOURCES, DISCOUNT_TYPES, type DiscountLineItem } from '../records/discount.js';
import { annotate } from './annotation.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';

/** Schema of {@link DiscountLineItem}. */
export const discountLineItemSchema = once(() =>
  record<DiscountLineItem>({
    id: z.string().optional(),
    name: z.string(),
    type: openEnum(DISCOUNT_TYPES),
    value: annotate(z.string(), { format: 'decimal' }),
    amount: moneySchema(),
    source: openEnum(DISCOUNT_SOURCES),
    application_scope: openEnum(DISCOUNT_SCOPES).optional(),
  }),
);
