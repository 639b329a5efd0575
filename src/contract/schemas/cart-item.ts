import { z } from 'zod';
import type { CartItem, CartItemRequest } from '../records/cart-item.js';
import { annotate } from './annotation.js';
import { modifierSelectionRequestSchema, modifierSelectionSchema } from './modifier-selection.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { record } from './record.js';
import { areShortInstructions, INSTRUCTIONS_CHARACTERS } from './rules.js';
import { explain, id, units, uuid } from './scalars.js';

/** Schema of {@link CartItem}. */
export const cartItemSchema = once(() =>
  record<CartItem>({
    id: id(),
    menu_item_id: id(),
    name: z.string(),
    quantity: z.int(),
    base_price: moneySchema(),
    modifier_total: moneySchema(),
    item_total: moneySchema(),
    special_instructions: z.string().nullable(),
    modifier_selections: z.array(modifierSelectionSchema()),
    age_verification_required: z.boolean(),
    minimum_age: z.int().nullable(),
  }),
);

/** Schema of {@link CartItemRequest}. */
export const cartItemRequestSchema = once(() =>
  record<CartItemRequest>(
    {
      menu_item_id: uuid('the `id` of an item of the menu'),
      quantity: units(),
      modifier_selections: z.array(modifierSelectionRequestSchema(), {
        error: explain('an array of modifier selections, empty when there are none'),
      }),
      special_instructions: instructions().nullish(),
    },
    { error: explain('a cart item: an object with `menu_item_id`, `quantity` and `modifier_selections`') },
  ),
);

function instructions() {
  const error = explain(`text of at most ${INSTRUCTIONS_CHARACTERS} characters, or null`);
  return annotate(z.string({ error }).refine(areShortInstructions, { error }), { maxLength: INSTRUCTIONS_CHARACTERS });
}
