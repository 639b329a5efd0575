import type {
  Cart,
  CartItem,
  CheckoutResult,
  HandoffMode,
  HandoffModeName,
  Order,
  OrderLineItem,
  PriceCalculation,
} from '../../contract/index.js';
import { usd } from './amounts.js';

export interface NewOrder {
  readonly orderId: string;
  /** The cart as it was checked out: current prices, effective handoff, redeemed promo codes. */
  readonly cart: Cart;
  readonly handoff: HandoffMode;
  readonly pricing: PriceCalculation;
  readonly prepTimeMinutes: number;
  readonly nowMs: number;
}

/** The order that a checkout makes of a cart (gap ORD-3): nothing paid, everything due. */
export function newOrder({ orderId, cart, handoff, pricing, nowMs, ...store }: NewOrder): Order {
  const createdAt = new Date(nowMs).toISOString();
  return {
    id: orderId,
    cart_id: cart.id,
    location_id: cart.location_id,
    customer_id: cart.customer_id,
    status: 'PENDING',
    payment_status: 'UNPAID',
    fulfillment_status: 'PENDING',
    handoff_mode: handoff.mode,
    handoff,
    items: orderLines(cart, pricing),
    discounts: pricing.discounts,
    fees: pricing.fees,
    promo_codes: cart.promo_codes,
    payments: [],
    refunds: [],
    subtotal: pricing.subtotal,
    total_tax: pricing.total_tax,
    total_fees: pricing.total_fees,
    total_discount: pricing.total_discount,
    total: pricing.total,
    balance_due: pricing.total,
    amount_paid: usd(0),
    amount_refunded: usd(0),
    age_verification_required: pricing.age_verification_required,
    age_verification_notice: ageVerificationNotice(cart.items, handoff.mode),
    cancellation_reason: null,
    estimated_ready_at: estimatedReadyAt(handoff, store.prepTimeMinutes, nowMs),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

/** The response of the checkout. */
export function checkoutResult(order: Order): CheckoutResult {
  return {
    order_id: order.id,
    cart_id: order.cart_id!,
    status: order.status,
    handoff_mode: order.handoff.mode,
    subtotal: order.subtotal,
    total_tax: order.total_tax,
    total_discount: order.total_discount,
    total: order.total,
    age_verification_required: order.age_verification_required ?? false,
    age_verification_notice: order.age_verification_notice ?? null,
    created_at: order.created_at,
  };
}

/** Creation plus the preparation time, or the pick-up time when that is later (gap ORD-11). */
function estimatedReadyAt(handoff: HandoffMode, prepTimeMinutes: number, nowMs: number): string {
  const prepared = nowMs + prepTimeMinutes * 60_000;
  const wanted = 'pickup_time' in handoff && handoff.pickup_time ? Date.parse(handoff.pickup_time) : 0;
  return new Date(Math.max(prepared, wanted)).toISOString();
}

/** Cart items with the lines of the calculation: `item_total` is subtotal and tax here (gap ORD-4). */
function orderLines(cart: Cart, pricing: PriceCalculation): OrderLineItem[] {
  const priced = new Map(pricing.line_items.map((line) => [line.cart_item_id, line]));
  return cart.items.map((item) => {
    const { discounts = [], item_subtotal, item_tax, item_total } = priced.get(item.id)!;
    return { ...item, discounts, item_subtotal, item_tax, item_total };
  });
}

type AgeRestriction = Pick<CartItem, 'age_verification_required' | 'minimum_age'>;

/** The notice of an order with age-restricted items; null for all others. Such items are never blocked (cart rule 2). */
function ageVerificationNotice(items: readonly AgeRestriction[], mode: HandoffModeName): string | null {
  const restricted = items.filter((item) => item.age_verification_required);
  if (restricted.length === 0) return null;
  const minimumAge = Math.max(...restricted.map((item) => item.minimum_age ?? 0));
  const age = minimumAge > 0 ? ` and must be at least ${minimumAge} years old` : '';
  const occasion = mode === 'DELIVERY' ? 'at delivery' : 'at pickup';
  return `This order contains age-restricted items. The customer shows a photo ID ${occasion}${age}.`;
}
