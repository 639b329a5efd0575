import type { Cart, PriceCalculation } from '../../contract/index.js';
import type { Handler, Route } from '../kernel/route.js';
import { modifiableCart, readableCart } from '../operations/carts/cart-access.js';
import { modifyCart, readCart } from '../operations/carts/cart-pricing.js';
import { locationInScope } from '../operations/owned-records.js';
import { takesOrders } from '../operations/stores/change-location.js';
import { readBody, requireUuid } from '../refusals/read-fields.js';
import { usd } from '../rules/amounts.js';
import { closedForOrders } from '../rules/closed-for-orders.js';
import { readCustomerId, readOptionalCustomerId } from '../rules/customer-id.js';
import { forgetOldest } from '../state/keep.js';
import { timestampNow } from '../time/timestamp.js';

const create: Handler = (request, state) => {
  const body = readBody(request.body);
  const locationId = requireUuid(body, 'location_id');
  const customerId = readOptionalCustomerId(body);
  const place = locationInScope(state, request.partnerId, locationId);
  const { location } = place;
  if (!takesOrders(place)) throw closedForOrders(location);

  const cart = emptyCart(state.nextId(), location.id, customerId, timestampNow(state.clock));
  state.carts.set(cart.id, { partnerId: request.partnerId, cart, pricing: emptyPricing(cart) });
  forgetOldest(state.carts, state.keep.carts);
  return { status: 201, body: cart };
};

const retrieve: Handler = (request, state) => ({ status: 200, body: readCart(state, readableCart(request, state)) });

const update: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const customerId = readCustomerId(readBody(request.body));
  return { status: 200, body: modifyCart(state, record, { customer_id: customerId }) };
};

/** A soft delete: the data stay, the cart takes no more changes. 204 without a body (gap CART-1). */
const abandon: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  record.cart = { ...record.cart, status: 'ABANDONED', updated_at: timestampNow(state.clock) };
  return { status: 204 };
};

function emptyCart(id: string, locationId: string, customerId: string | null, createdAt: string): Cart {
  return {
    id,
    location_id: locationId,
    customer_id: customerId,
    status: 'ACTIVE',
    items: [],
    handoff_mode: null,
    age_verification_required: false,
    promo_codes: [],
    subtotal: usd(0),
    total_tax: usd(0),
    total_discount: usd(0),
    fees: [],
    total_fees: usd(0),
    total: usd(0),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function emptyPricing(cart: Cart): PriceCalculation {
  const { subtotal, total_tax, total_discount, fees, total_fees, total } = cart;
  return {
    cart_id: cart.id,
    currency: total.currency,
    line_items: [],
    discounts: [],
    fees,
    subtotal,
    total_tax,
    total_fees,
    total_discount,
    taxable_amount: usd(0),
    total,
    age_verification_required: false,
    calculated_at: cart.created_at,
    member_pricing_applied: false,
  };
}

export const routes: readonly Route[] = [
  { method: 'POST', path: '/carts', handler: create, idempotency: 'required', scope: 'partner' },
  { method: 'GET', path: '/carts/{cart_id}', handler: retrieve, idempotency: 'none', scope: 'partner' },
  { method: 'PATCH', path: '/carts/{cart_id}', handler: update, idempotency: 'optional', scope: 'partner' },
  {
    method: 'DELETE',
    path: '/carts/{cart_id}',
    handler: abandon,
    idempotency: 'required',
    scope: 'partner',
  },
];
