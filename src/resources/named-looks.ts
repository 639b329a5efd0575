import type { Cart, CheckoutResult, Order } from '../contract/index.js';
import { APIError } from '../errors/api.js';
import type { OperationResolution } from '../errors/operation.js';
import type { Caller } from './caller.js';
import type { Look } from './named-call.js';

/** Pages of the list of orders that are searched for the order of a cart. */
const MOST_PAGES = 10;
/** The clocks of this process and of the service may differ. */
const SKEW_MS = 2 * 60 * 60 * 1000;

/** A cancelled order shows that it was cancelled. */
export function lookAtCancelled(caller: Caller, orderId: string): Look<Order> {
  return async () => {
    const order = await caller.call('GET /orders/{order_id}', { pathParams: { order_id: orderId } });
    return order.status === 'CANCELLED' ? { outcome: 'applied', data: order } : { outcome: 'not_applied' };
  };
}

/** An abandoned cart is not found any more (gap CART-2). */
export function lookAtAbandoned(caller: Caller, cartId: string): Look<undefined> {
  return async () => {
    const cart = await cartOf(caller, cartId);
    if (cart === undefined || cart.status === 'ABANDONED') return { outcome: 'applied', data: undefined };
    return { outcome: 'not_applied' };
  };
}

/** A cart that is checked out has an order: it is searched among those created since. */
export function lookAtCheckedOut(caller: Caller, cartId: string): Look<CheckoutResult> {
  return async ({ firstSentAtMs }) => {
    const cart = await cartOf(caller, cartId);
    if (cart?.status === 'ACTIVE') return { outcome: 'not_applied' };
    if (cart?.status !== 'CHECKED_OUT') return undefined;
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { data, pagination } = await caller.call('GET /orders', {
        query: {
          location_id: cart.location_id,
          date_from: new Date(firstSentAtMs - SKEW_MS).toISOString(),
          limit: 100,
          ...(cursor === undefined ? {} : { cursor }),
        },
      });
      const found = data.find((order) => order.cart_id === cartId);
      if (found) return checkoutOf(caller, found.id, cart);
      if (!pagination.has_more || pagination.next_cursor == null) return undefined;
      cursor = pagination.next_cursor;
    }
    return undefined;
  };
}

/** As the response of the checkout shows it, as far as the order shows it. */
async function checkoutOf(caller: Caller, orderId: string, cart: Cart): Promise<OperationResolution<CheckoutResult>> {
  const order = await caller.call('GET /orders/{order_id}', { pathParams: { order_id: orderId } });
  const { id, status, subtotal, total_tax, total_discount, total, created_at } = order;
  const data: CheckoutResult = {
    order_id: id,
    cart_id: cart.id,
    status,
    handoff_mode: order.handoff_mode ?? order.handoff?.mode ?? cart.handoff_mode?.mode ?? '',
    subtotal,
    total_tax,
    total_discount,
    total,
    age_verification_required: order.age_verification_required ?? cart.age_verification_required,
    age_verification_notice: order.age_verification_notice ?? null,
    created_at,
  };
  return { outcome: 'applied', data };
}

async function cartOf(caller: Caller, cartId: string): Promise<Cart | undefined> {
  try {
    return await caller.call('GET /carts/{cart_id}', { pathParams: { cart_id: cartId } });
  } catch (error) {
    if (error instanceof APIError && error.status === 404) return undefined;
    throw error;
  }
}
