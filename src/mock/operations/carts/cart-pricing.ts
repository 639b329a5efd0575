import type { Cart, CartItem, HandoffMode, PriceCalculation } from '../../../contract/index.js';
import { pricedLines, withCurrentPrices } from '../../rules/cart-lines.js';
import type { SubtotalLine } from '../../rules/discounts.js';
import { priceCart, subtotalLines } from '../../rules/pricing.js';
import type { CartRecord, LocationRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { appliedPromos, effectivePromo } from './cart-promos.js';

/** The location of a cart. Carts are created at locations that exist, and locations are never removed. */
export function locationOf(state: ServiceState, cart: Cart): LocationRecord {
  const record = state.locations.get(cart.location_id);
  if (!record) throw new Error(`The cart ${cart.id} is at a location that the service does not have.`);
  return record;
}

export interface PricingScope {
  /** @defaultValue the lines of the cart at the prices of the current menu */
  readonly items?: readonly CartItem[];
  /** @defaultValue the handoff of the cart */
  readonly handoff?: HandoffMode | null;
  /** Null for the prices of an anonymous customer. @defaultValue the member behind `customer_id` of the cart */
  readonly member?: null;
}

export interface PricedCart {
  readonly pricing: PriceCalculation;
  /** The priced lines as promo codes look at them. */
  readonly lines: readonly SubtotalLine[];
}

/** The prices of a cart at this moment, worked out once. Changes nothing. */
export function priceNow(state: ServiceState, record: CartRecord, scope: PricingScope = {}): PricedCart {
  const { cart } = record;
  const { location, menu, pricing } = locationOf(state, cart);
  const items = scope.items ?? withCurrentPrices(cart.items, menu, state.rules.readings);
  const handoff = scope.handoff === undefined ? cart.handoff_mode : scope.handoff;
  const member = scope.member === null ? null : (state.members.get(cart.customer_id ?? '') ?? null);
  const priced = pricedLines(items, menu);
  const lines = subtotalLines(priced, member);
  const calculation = priceCart({
    cartId: cart.id,
    lines: priced,
    mode: handoff?.mode ?? null,
    minimumOrder: (handoff && location.minimum_order_amounts?.[handoff.mode]?.amount) ?? null,
    pricing,
    member,
    promo: effectivePromo(state, record, lines),
    calculatedAt: timestampNow(state.clock),
    readings: state.rules.readings,
  });
  return { pricing: calculation, lines };
}

/** The lines of a cart, at current prices, as promo codes on it look at them. */
export function promoLines(state: ServiceState, { cart }: CartRecord): SubtotalLine[] {
  const { menu } = locationOf(state, cart);
  return subtotalLines(pricedLines(withCurrentPrices(cart.items, menu, state.rules.readings), menu), null);
}

/**
 * The prices that a cart shows: without member prices, which are applied at price calculation. So its subtotal is the sum
 * of its item totals for everybody (gap CART-3).
 */
export const cartPrices = (state: ServiceState, record: CartRecord, scope: Omit<PricingScope, 'member'>): PricedCart =>
  priceNow(state, record, { ...scope, member: null });

/** What a modification of a cart may change; all else follows from it. */
export type CartChange = Partial<Pick<Cart, 'customer_id' | 'items' | 'handoff_mode' | 'promo_codes'>>;

/**
 * Changes a cart and recomputes what depends on it: lines, promo codes, fees and totals (cart rule 3).
 * The cart becomes a new object, so that a response given before keeps its values.
 */
export function modifyCart(state: ServiceState, record: CartRecord, change: CartChange): Cart {
  const { menu } = locationOf(state, record.cart);
  record.cart = { ...record.cart, ...change };
  record.cart = { ...record.cart, items: withCurrentPrices(record.cart.items, menu, state.rules.readings) };
  const { pricing, lines } = cartPrices(state, record, { items: record.cart.items });
  record.pricing = pricing;
  record.cart = {
    ...record.cart,
    ...totalsOf(record.pricing),
    promo_codes: appliedPromos(state, record, lines),
    updated_at: timestampNow(state.clock),
  };
  return record.cart;
}

/** The part of a cart that a calculation decides. */
export function totalsOf(pricing: PriceCalculation) {
  const { age_verification_required, subtotal, total_tax, total_discount, fees, total_fees, total } = pricing;
  return { age_verification_required, subtotal, total_tax, total_discount, fees, total_fees, total };
}

/** A cart as it is read: totals of its last modification, promo codes as they stand now. */
export function readCart(state: ServiceState, record: CartRecord): Cart {
  return { ...record.cart, promo_codes: appliedPromos(state, record, promoLines(state, record)) };
}
