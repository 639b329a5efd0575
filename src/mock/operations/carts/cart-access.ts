import { conflict, notFound } from '../../refusals/refusal.js';
import type { CartRecord, ServiceState } from '../../state/state.js';
import { ownedCart } from '../owned-records.js';

/** What of a request names its cart. */
export interface CartRequest {
  readonly partnerId: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The cart of the path, for reading: an abandoned one is not found (gap CART-2). */
export function readableCart(request: CartRequest, state: ServiceState): CartRecord {
  const record = ownedCart(state, request.partnerId, request.params.cart_id ?? '');
  if (record.cart.status === 'ABANDONED') throw notFound('Cart');
  return record;
}

/** The cart of the path, for modification or checkout: an ACTIVE one. */
export function modifiableCart(request: CartRequest, state: ServiceState): CartRecord {
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
