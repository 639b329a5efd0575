import type { Cart, CartItem, HandoffMode, Order, PriceCalculation } from '../../../contract/index.js';
import { monotonicNow } from '../../../platform/clock.js';
import type { SubtotalLine } from '../../rules/discounts.js';
import { newOrder } from '../../rules/new-order.js';
import { forgetOldest } from '../../state/keep.js';
import { OrderVersions } from '../../state/order-versions.js';
import type { CartRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { cartPrices, locationOf, totalsOf } from '../carts/cart-pricing.js';
import { effectivePromo, promoStatus } from '../carts/cart-promos.js';
import { changeOrder } from './order-changes.js';

interface Purchase {
  readonly items: CartItem[];
  readonly handoff: HandoffMode;
  readonly pricing: PriceCalculation;
  /** The lines as promo codes look at them. */
  readonly subtotals: readonly SubtotalLine[];
}

/** Makes an order of a cart, which is CHECKED_OUT from here on, and emits the event. */
export function placeOrder(
  state: ServiceState,
  record: CartRecord,
  { items, handoff, pricing, subtotals }: Purchase,
): Order {
  const { partnerId } = record;
  const place = locationOf(state, record.cart);
  const orderId = state.nextId();
  const shown = pricing.member_pricing_applied ? cartPrices(state, record, { items, handoff }).pricing : pricing;
  const promoCodes = redeemPromos(state, record, orderId, subtotals);
  const cart: Cart = {
    ...record.cart,
    ...totalsOf(shown),
    status: 'CHECKED_OUT',
    items,
    handoff_mode: handoff,
    promo_codes: promoCodes,
    updated_at: timestampNow(state.clock),
  };
  const order = newOrder({
    orderId,
    cart,
    handoff,
    pricing,
    prepTimeMinutes: place.location.default_prep_time_minutes ?? 0,
    nowMs: state.clock.now(),
  });

  record.cart = cart;
  record.pricing = pricing;
  // From here on cart and order go their own ways.
  state.orders.set(orderId, {
    partnerId,
    sequence: state.nextOrderNumber(),
    order: structuredClone(order),
    underWay: new Map(),
    versions: new OrderVersions(monotonicNow(state.clock)),
    keys: new Map(),
    begunKeys: new Set(),
    executing: 0,
  });
  forgetOldOrders(state);
  state.emit(partnerId, 'order.created', {
    order_id: orderId,
    location_id: order.location_id,
    status: order.status,
    handoff_mode: handoff.mode,
    total: order.total,
    created_at: order.created_at,
  });
  // What costs nothing is paid for (gap ORD-13).
  if (order.total.amount === 0) changeOrder(state, state.orders.get(orderId)!, () => {});
  return order;
}

/** Checkout locks the code that counted: it becomes REDEEMED on the cart, and a single-use one is used up. */
function redeemPromos(
  state: ServiceState,
  record: CartRecord,
  orderId: string,
  lines: readonly SubtotalLine[],
): Cart['promo_codes'] {
  const promo = effectivePromo(state, record, lines);
  promo?.usedByOrders.add(orderId);
  return record.cart.promo_codes.map((applied) => {
    const { code, applied_at } = applied;
    const status = promo ? 'REDEEMED' : promoStatus(state, record.partnerId, code);
    return { code, status, applied_at };
  });
}

/** Forgets the oldest orders beyond what the service keeps, with everything that stands under their ids. */
function forgetOldOrders(state: ServiceState): void {
  for (const { order } of forgetOldest(state.orders, state.keep.orders)) {
    state.ledger.delete(order.id);
    for (const { id } of order.payments) state.payments.instrumentOf.delete(id);
  }
}
