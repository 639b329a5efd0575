import type { CartItem } from './cart-item.js';
import type { Fee } from './fee.js';
import type { HandoffMode } from './handoff.js';
import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { AppliedPromoCode } from './promo-code.js';

/** The known values of {@link CartStatus}. */
export const CART_STATUSES = ['ACTIVE', 'CHECKED_OUT', 'ABANDONED'] as const;

/**
 * State of a cart. Only an `ACTIVE` cart can be changed; the other two are final.
 *
 * @see Interface document, "Cart status"
 */
export type CartStatus = Open<(typeof CART_STATUSES)[number]>;

/**
 * A cart with its totals as of its last modification. The service computes all of them.
 *
 * @see Interface document, "Cart"
 */
export interface Cart {
  /** UUID. */
  id: string;
  /** UUID of the location. */
  location_id: string;
  /** Your id of the customer, at most 255 letters, digits, hyphens and underscores; null means anonymous prices. */
  customer_id: string | null;
  /** Only an `ACTIVE` cart can be changed. */
  status: CartStatus;
  /** Empty in a new cart. */
  items: CartItem[];
  /** How the customer gets the order; null until it is set. */
  handoff_mode: HandoffMode | null;
  /** True when an item needs it. For information only: it blocks nothing. */
  age_verification_required: boolean;
  /** Codes on the cart, at most one. */
  promo_codes: AppliedPromoCode[];
  /** Sum of the item totals, before tax and discounts of the cart. */
  subtotal: Money;
  /** Tax on all lines. */
  total_tax: Money;
  /** Discounts of the cart only; those of items are in the item totals already. */
  total_discount: Money;
  /** Fees as of the last modification; a price calculation gives the authoritative ones. */
  fees: Fee[];
  /** Sum of the fees. */
  total_fees: Money;
  /** subtotal + total_tax + total_fees - total_discount. */
  total: Money;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
  /** ISO 8601 date-time in UTC. */
  updated_at: string;
}

/**
 * The body that opens a cart.
 *
 * @see Interface document, "Carts"
 */
export interface CreateCartRequest {
  /** UUID of an active location with `online_ordering_enabled: true`. */
  location_id: string;
  /** Your id of the customer, at most 255 letters, digits, hyphens and underscores, for prices of members. */
  customer_id?: string | null | undefined;
}

/**
 * The body that changes the customer of an active cart. Calculate again afterwards.
 *
 * @see Interface document, "Carts"
 */
export interface UpdateCartRequest {
  /** At most 255 letters, digits, hyphens and underscores; null goes back to anonymous prices. */
  customer_id: string | null;
}

type EmptyAtFirst = 'customer_id' | 'promo_codes' | 'fees' | 'total_fees';

/** A cart as the response to its creation shows it: fields that are empty at first may be left out. */
export type CreatedCart = Omit<Cart, EmptyAtFirst> & Partial<Pick<Cart, EmptyAtFirst>>;
