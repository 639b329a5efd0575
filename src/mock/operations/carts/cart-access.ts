import type { MockRequest } from '../../kernel/message.js';
import { conflict, notFound } from '../../kernel/refusals.js';
import { ownedCart } from '../../kernel/scope.js';
import type { CartRecord, ServiceState } from '../../state/state.js';

/** The cart of the path, for reading: an abandoned one is not found (gap CART-2). */
export function readableCart(request: MockRequest, state: ServiceState): CartRecord {
  const record = ownedCart(state, request.partnerId, request.params.cart_id ?? '');
  if (record.cart.status === 'ABANDONED') throw notFound('Cart');
  return record;
}

/** The cart of the path, for modification or checkout: an ACTIVE one. */
export function modifiableCart(request: MockRequest, state: ServiceState): CartRecord {
  const record = ownedCart(state, request.partnerId, request.params.cart_id ?? '');
  checkModifiable(record);
  return record;
}

/** 409 unless the cart is ACTIVE. */
export function checkModifiable(record: CartRecord): void {
  const { status } = record.cart;
  if (status === 'ACTIVE') return;
  throw conflict(
    'Cart has already been checked out',
    `The cart is ${status} and takes no more changes. Create a new one.`,
  );
}
