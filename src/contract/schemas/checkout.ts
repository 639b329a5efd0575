import { z } from 'zod';
import type { CheckoutRequest, CheckoutResult } from '../records/checkout.js';
import { HANDOFF_MODES } from '../records/handoff.js';
import { ORDER_STATUSES } from '../records/order.js';
import { handoffModeRequestSchema } from './handoff.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { cents, explain, id, timestamp } from './scalars.js';

/** Schema of {@link CheckoutRequest}. */
export const checkoutRequestSchema = once(() =>
  record<CheckoutRequest>(
    {
      handoff_mode: handoffModeRequestSchema().optional(),
      expected_total: cents('`total.amount` of the price calculation').optional(),
    },
    { error: explain('an object with `handoff_mode`, `expected_total` or both, or no body at all') },
  ),
);

/** Schema of {@link CheckoutResult}. */
export const checkoutResultSchema = once(() =>
  record<CheckoutResult>({
    order_id: id(),
    cart_id: id(),
    status: openEnum(ORDER_STATUSES),
    handoff_mode: openEnum(HANDOFF_MODES),
    subtotal: moneySchema(),
    total_tax: moneySchema(),
    total_discount: moneySchema(),
    total: moneySchema(),
    age_verification_required: z.boolean(),
    age_verification_notice: z.string().nullable(),
    created_at: timestamp(),
  }),
);
