import { z } from 'zod';
import { HANDOFF_MODES } from '../records/handoff.js';
import {
  type CancelRequest,
  FULFILLMENT_STATUSES,
  ORDER_STATUSES,
  type Order,
  type OrderLineItem,
  type OrderSummary,
  PAYMENT_STATUSES,
} from '../records/order.js';
import type { Payment } from '../records/payment.js';
import { discountLineItemSchema } from './discount.js';
import { feeSchema } from './fee.js';
import { handoffModeSchema } from './handoff.js';
import { modifierSelectionSchema } from './modifier-selection.js';
import { moneyOrCentsSchema, moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { paymentSchema } from './payment.js';
import { appliedPromoCodeSchema } from './promo-code.js';
import { type Fields, record } from './record.js';
import { refundSchema } from './refund.js';
import { explain, id, timestamp } from './scalars.js';

/** Schema of {@link OrderSummary}. */
export const orderSummarySchema = once(() => record<OrderSummary>(summaryShape()));

function summaryShape(): Fields<OrderSummary> {
  return {
    id: id(),
    cart_id: id().optional(),
    location_id: id(),
    customer_id: z.string().nullish(),
    status: openEnum(ORDER_STATUSES),
    payment_status: openEnum(PAYMENT_STATUSES),
    fulfillment_status: openEnum(FULFILLMENT_STATUSES),
    handoff_mode: openEnum(HANDOFF_MODES).optional(),
    subtotal: moneySchema().optional(),
    total_tax: moneySchema().optional(),
    total_fees: moneySchema().optional(),
    total_discount: moneySchema().optional(),
    total: moneySchema(),
    balance_due: moneyOrCentsSchema().optional(),
    amount_paid: moneyOrCentsSchema().optional(),
    amount_refunded: moneyOrCentsSchema().optional(),
    age_verification_required: z.boolean().optional(),
    age_verification_notice: z.string().nullish(),
    cancellation_reason: z.string().nullish(),
    estimated_ready_at: timestamp().nullish(),
    created_at: timestamp(),
    updated_at: timestamp().optional(),
  };
}

/** Schema of {@link OrderLineItem}. */
export const orderLineItemSchema = once(() =>
  record<OrderLineItem>({
    id: id(),
    menu_item_id: id(),
    name: z.string(),
    quantity: z.int(),
    base_price: moneySchema(),
    modifier_total: moneySchema(),
    discounts: z.array(discountLineItemSchema()).optional(),
    item_subtotal: moneySchema().optional(),
    item_tax: moneySchema().optional(),
    item_total: moneySchema(),
    special_instructions: z.string().nullish(),
    modifier_selections: z.array(modifierSelectionSchema()).optional(),
    age_verification_required: z.boolean().optional(),
    minimum_age: z.int().nullish(),
  }),
);

/** Schema of {@link Order}. */
export const orderSchema = once(() =>
  record<Order>({
    ...summaryShape(),
    customer_id: z.string().nullable(),
    handoff: handoffModeSchema(),
    items: z.array(orderLineItemSchema()),
    discounts: z.array(discountLineItemSchema()).optional(),
    fees: z.array(feeSchema()).optional(),
    promo_codes: z.array(appliedPromoCodeSchema()).optional(),
    payments: z.array(paymentSchema()),
    refunds: z.array(refundSchema()).optional(),
    subtotal: moneySchema(),
    total_tax: moneySchema(),
    total_discount: moneySchema(),
    balance_due: moneyOrCentsSchema(),
    amount_paid: moneyOrCentsSchema(),
    amount_refunded: moneyOrCentsSchema(),
  }),
);

/** Schema of the response to a payment: the payment, or the order in its place (gap PAY-2). */
export const paymentResponseSchema = once((): z.ZodType<Payment | Order> => z.union([paymentSchema(), orderSchema()]));

/** Schema of {@link CancelRequest}. */
export const cancelRequestSchema = once(() =>
  record<CancelRequest>(
    { reason: z.string({ error: explain('text or null: why the order is cancelled') }).nullish() },
    { error: explain('an object with `reason`, or no body at all') },
  ),
);
