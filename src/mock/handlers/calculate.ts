import type { Handler, Route } from '../kernel/route.js';
import { readableCart } from '../operations/carts/cart-access.js';
import { priceNow } from '../operations/carts/cart-pricing.js';
import { unprocessable } from '../refusals/refusal.js';
import { timestampNow } from '../time/timestamp.js';

/** The prices of this moment. The cart and its totals stay as they are. */
const calculate: Handler = (request, state) => {
  const record = readableCart(request, state);
  if (record.cart.items.length === 0) {
    throw unprocessable('Cart is empty', 'Add at least one item before the prices are calculated.');
  }
  // What was bought keeps the price it was bought at.
  if (record.cart.status === 'CHECKED_OUT') {
    return { status: 200, body: { ...record.pricing, calculated_at: timestampNow(state.clock) } };
  }
  record.lastCalculation = priceNow(state, record).pricing;
  return { status: 200, body: record.lastCalculation };
};

export const routes: readonly Route[] = [
  { method: 'POST', path: '/carts/{cart_id}/calculate', handler: calculate, idempotency: 'none', scope: 'partner' },
];
