import { z } from 'zod';
import { TENDER_TYPES } from '../records/payment.js';
import {
  REFUND_REASONS,
  REFUND_STATUSES,
  type Refund,
  type RefundDistribution,
  type RefundLineItem,
  type RefundRequest,
} from '../records/refund.js';
import { moneyOrCentsSchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { cents, explain, id, timestamp, units } from './scalars.js';

/** Schema of {@link RefundDistribution}. */
export const refundDistributionSchema = once(() =>
  record<RefundDistribution>({
    payment_id: id(),
    payment_method: openEnum(TENDER_TYPES),
    amount: moneyOrCentsSchema(),
  }),
);

/** Schema of {@link RefundLineItem} in a response. */
export const refundLineItemSchema = once(() =>
  record<RefundLineItem>({ order_item_id: id(), quantity: z.int(), amount: z.int().optional() }),
);

/** Schema of {@link Refund}. */
export const refundSchema = once(() =>
  record<Refund>({
    id: id(),
    order_id: id().optional(),
    amount: moneyOrCentsSchema(),
    status: openEnum(REFUND_STATUSES).optional(),
    reason: openEnum(REFUND_REASONS).nullish(),
    line_items: z.array(refundLineItemSchema()).optional(),
    distributions: z.array(refundDistributionSchema()).optional(),
    created_at: timestamp().optional(),
  }),
);

/** Schema of {@link RefundRequest}. */
export const refundRequestSchema = once(() =>
  record<RefundRequest>(
    {
      amount: cents('what goes back to the customer'),
      reason: openEnum(REFUND_REASONS).optional(),
      line_items: z
        .array(refundedLine(), { error: explain('an array of lines of the order; leave it out when there are none') })
        .optional(),
    },
    { error: explain('a refund: an object with `amount`') },
  ),
);

function refundedLine() {
  const error = explain('the `id` of a line of the order');
  return record<RefundLineItem>(
    {
      order_item_id: z.string({ error }).min(1, { error }),
      quantity: units(),
      amount: cents('what goes back for this line').optional(),
    },
    { error: explain('a line of the order: an object with `order_item_id` and `quantity`') },
  );
}
