import { z } from 'zod';
import {
  CART_STATUSES,
  type Cart,
  type CreateCartRequest,
  type CreatedCart,
  type UpdateCartRequest,
} from '../records/cart.js';
import { cartItemSchema } from './cart-item.js';
import { feeSchema } from './fee.js';
import { handoffModeSchema } from './handoff.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { appliedPromoCodeSchema } from './promo-code.js';
import { type Fields, record } from './record.js';
import { explain, id, timestamp, uuid } from './scalars.js';

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
