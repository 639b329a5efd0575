/** Orders and payments as a service sends them that follows the interface document to the letter. */
import { cartItem, totals } from './carts.js';
import { CART_ID, LOCATION_ID, ORDER_ID, PAYMENT_ID } from './ids.js';
import { CREATED_AT, usd } from './values.js';

export const checkoutResult = {
  order_id: ORDER_ID,
  cart_id: CART_ID,
  status: 'PENDING',
  handoff_mode: 'PICKUP',
  ...totals,
  age_verification_required: false,
  age_verification_notice: null,
  created_at: CREATED_AT,
};

export const payment = {
  id: PAYMENT_ID,
  order_id: ORDER_ID,
  payment_method: 'CREDIT_CARD',
  amount: usd(1902),
  status: 'COMPLETED',
  created_at: CREATED_AT,
};

export const cardPayment = { payment_method: 'CREDIT_CARD', amount: 1902, payment_token: 'tok_visa' } as const;

export const orderSummary = {
  id: ORDER_ID,
  location_id: LOCATION_ID,
  customer_id: 'CUST-12345',
  status: 'CONFIRMED',
  payment_status: 'PAID',
  fulfillment_status: 'PENDING',
  total: usd(1902),
  created_at: CREATED_AT,
};

export const order = {
  ...orderSummary,
  ...totals,
  handoff: { mode: 'PICKUP', pickup_time: null },
  items: [{ ...cartItem, discounts: [], item_subtotal: usd(1798), item_tax: usd(134) }],
  payments: [payment],
  balance_due: usd(0),
  amount_paid: usd(1902),
  amount_refunded: usd(0),
};

export const refund = {
  id: PAYMENT_ID,
  order_id: ORDER_ID,
  amount: usd(500),
  status: 'COMPLETED',
  created_at: CREATED_AT,
};
