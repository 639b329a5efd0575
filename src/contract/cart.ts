import { z } from 'zod';
import { type CartItem, cartItemSchema } from './cart-item.js';
import { type Fee, feeSchema } from './fee.js';
import { type HandoffMode, handoffModeSchema } from './handoff.js';
import { type Money, moneySchema } from './money.js';
import { once } from './once.js';
import { type Open, openEnum } from './open-enum.js';
import { type AppliedPromoCode, appliedPromoCodeSchema } from './promo-code.js';
import { type Fields, record } from './record.js';
import { explain, id, timestamp, uuid } from './scalars.js';

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
  total_tax: Money;
  /** Discounts of the cart only; those of items are in the item totals already. */
  total_discount: Money;
  /** Fees as of the last modification; a price calculation gives the authoritative ones. */
  fees: Fee[];
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

/** Schema of {@link Cart}. */
export const cartSchema = once(() => record<Cart>(cartFields()));

/** Schema of a cart just opened: public examples leave out what is empty in it (gap BODY-4). */
export const createdCartSchema = once((): z.ZodType<CreatedCart> => {
  const { customer_id, promo_codes, fees, total_fees, ...fields } = cartFields();
  return record<CreatedCart>({
    ...fields,
    customer_id: z.optional(customer_id),
    promo_codes: z.optional(promo_codes),
    fees: z.optional(fees),
    total_fees: z.optional(total_fees),
  });
});

type EmptyAtFirst = 'customer_id' | 'promo_codes' | 'fees' | 'total_fees';
type CreatedCart = Omit<Cart, EmptyAtFirst> & Partial<Pick<Cart, EmptyAtFirst>>;

function cartFields(): Fields<Cart> {
  return {
    id: id(),
    location_id: id(),
    customer_id: z.string().nullable(),
    status: openEnum(CART_STATUSES),
    items: z.array(cartItemSchema()),
    handoff_mode: handoffModeSchema().nullable(),
    age_verification_required: z.boolean(),
    promo_codes: z.array(appliedPromoCodeSchema()),
    subtotal: moneySchema(),
    total_tax: moneySchema(),
    total_discount: moneySchema(),
    fees: z.array(feeSchema()),
    total_fees: moneySchema(),
    total: moneySchema(),
    created_at: timestamp(),
    updated_at: timestamp(),
  };
}

/** Schema of {@link CreateCartRequest}. */
export const createCartRequestSchema = once(() =>
  record<CreateCartRequest>(
    { location_id: uuid('the `id` of a location'), customer_id: customerId().nullish() },
    { error: explain('an object with `location_id`') },
  ),
);

/** Schema of {@link UpdateCartRequest}. */
export const updateCartRequestSchema = once(() =>
  record<UpdateCartRequest>(
    { customer_id: customerId().nullable() },
    { error: explain('an object with `customer_id`: your id of the customer, or null for anonymous prices') },
  ),
);

// gap BODY-2: empty text is no id.
function customerId() {
  const error = explain(
    'your id of the customer: 1 to 255 letters, digits, hyphens and underscores, or null for anonymous prices',
  );
  return z.string({ error }).regex(/^[A-Za-z0-9_-]{1,255}$/, { error });
}
