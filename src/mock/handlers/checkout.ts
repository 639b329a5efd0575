import type { CartItem, PriceCalculation } from '../../contract/index.js';
import type { Handler, Route } from '../kernel/route.js';
import { checkModifiable } from '../operations/carts/cart-access.js';
import { locationOf, priceNow } from '../operations/carts/cart-pricing.js';
import { promoStatus } from '../operations/carts/cart-promos.js';
import { placeOrder } from '../operations/orders/place-order.js';
import { ownedCart } from '../operations/owned-records.js';
import { tenderEnforcement } from '../operations/partners.js';
import { takesOrders } from '../operations/stores/change-location.js';
import { unprocessable } from '../refusals/refusal.js';
import { unavailability } from '../rules/cart-item.js';
import { withCurrentPrices } from '../rules/cart-lines.js';
import {
  type CheckoutLine,
  checkCheckoutModifiers,
  checkCheckoutReady,
  checkTotal,
  readCheckout,
} from '../rules/checkout.js';
import { closedForOrders } from '../rules/closed-for-orders.js';
import { checkServedMode } from '../rules/handoff.js';
import { findMenuItem } from '../rules/menu-items.js';
import { checkoutResult } from '../rules/new-order.js';
import { checkCommonTender } from '../rules/tenders.js';
import type { CartRecord, LocationRecord, ServiceState } from '../state/state.js';

const checkout: Handler = (request, state) => {
  const idempotencyKey = request.headers['idempotency-key'] ?? '';
  const record = ownedCart(state, request.partnerId, request.params.cart_id ?? '');
  // Idempotency rule 6 holds for as long as the cart exists, not only for the 24 hours of the cache.
  if (record.checkout?.idempotencyKey === idempotencyKey) return { status: 201, body: record.checkout.result };

  checkModifiable(record);
  const body = readCheckout(request.body);
  const place = locationOf(state, record.cart);
  if (!takesOrders(place)) throw closedForOrders(place.location);
  const items = withCurrentPrices(record.cart.items, place.menu, state.rules.readings);
  const lines = checkoutLines(items, place, state.clock.now());
  const handoff = checkCheckoutReady(lines, body.handoff_mode ?? record.cart.handoff_mode);
  checkServedMode(place.location, handoff, body.handoff_mode ? 'handoff_mode.' : '');
  checkCheckoutModifiers(lines, state.rules.readings);
  if (['checkout', 'cart'].includes(String(tenderEnforcement(state, record.partnerId)))) {
    checkCommonTender(
      lines.flatMap(({ item }) => item ?? []),
      'items',
    );
  }

  const buyable = items.filter((_, index) => lines[index]!.unavailability === null);
  const { pricing, lines: subtotals } = priceNow(state, record, { items: buyable, handoff });
  checkTotal({
    lines,
    expectedTotal: body.expected_total,
    before: lastKnownPrices(record, body.expected_total),
    now: pricing,
    promoExpired: record.cart.promo_codes.some(({ code }) => promoStatus(state, record.partnerId, code) === 'EXPIRED'),
  });

  checkMinimum(state, pricing);
  const order = placeOrder(state, record, { items, handoff, pricing, subtotals });
  record.checkout = { idempotencyKey, result: checkoutResult(order) };
  return { status: 201, body: record.checkout.result };
};

/** A fee for small orders is added instead, unless the service is set to refuse them (gap CART-18). */
function checkMinimum(state: ServiceState, { fees }: PriceCalculation): void {
  const shortfall = fees.find(({ type }) => type === 'SMALL_ORDER');
  if (!shortfall || state.behaviour.current.belowMinimum === 'fee') return;
  const detail = `The order is ${shortfall.amount.amount} cents below the minimum of its handoff mode.`;
  throw unprocessable('Below minimum order amount', detail, 'total');
}

function checkoutLines(items: readonly CartItem[], place: LocationRecord, nowMs: number): CheckoutLine[] {
  return items.map((line) => {
    const item = findMenuItem(place.menu, line.menu_item_id);
    const { timezone } = place.location;
    const reason = item
      ? unavailability({ item, stock: place.stock.get(item.id)?.status, timezone, nowMs })
      : `"${line.name}" is no longer on the menu.`;
    return { item, selections: line.modifier_selections, unavailability: reason };
  });
}

/** The prices that the partner expects again: those with the expected total, else those that it saw last. */
function lastKnownPrices(record: CartRecord, expectedTotal: number | undefined): PriceCalculation {
  const seen = [record.pricing, record.lastCalculation].filter((pricing) => pricing !== undefined);
  return seen.find((pricing) => pricing.total.amount === expectedTotal) ?? record.lastCalculation ?? record.pricing;
}

export const routes: readonly Route[] = [
  { method: 'POST', path: '/carts/{cart_id}/checkout', handler: checkout, idempotency: 'required', scope: 'partner' },
];
