import { z } from 'zod';
import { annotate } from './annotation.js';
import {
  type ModifierSelection,
  type ModifierSelectionRequest,
  modifierSelectionRequestSchema,
  modifierSelectionSchema,
} from './modifier-selection.js';
import { type Money, moneySchema } from './money.js';
import { once } from './once.js';
import { record } from './record.js';
import { explain, id, units, uuid } from './scalars.js';

/**
 * One line of a cart.
 *
 * @see Interface document, "CartItem"
 */
export interface CartItem {
  /** UUID of the line; the `item_id` of `client.carts.items.replace` and `.remove`. */
  id: string;
  /** UUID of the menu item. */
  menu_item_id: string;
  /** Name of the menu item. */
  name: string;
  /** Units, at least 1. */
  quantity: number;
  /** Price of one unit without modifiers. */
  base_price: Money;
  /** Price of the chosen modifiers for one unit. */
  modifier_total: Money;
  /** (base_price + modifier_total) * quantity. */
  item_total: Money;
  /** Free text for the kitchen, at most 200 characters; null when there is none. */
  special_instructions: string | null;
  /** The chosen modifiers; empty when there are none. */
  modifier_selections: ModifierSelection[];
  /** True when the buyer's age is checked at handoff. Never blocks the order. */
  age_verification_required: boolean;
  /** Years; null when the item has no age limit. */
  minimum_age: number | null;
}

/**
 * The body that adds an item to a cart, or replaces one completely.
 *
 * @see Interface document, "CartItemRequest"
 */
export interface CartItemRequest {
  /** UUID of the menu item. */
  menu_item_id: string;
  /** Units: a positive whole number. The item's `max_allowed_quantity` limits its sum over the whole cart. */
  quantity: number;
  /** The chosen modifiers; an empty array when there are none. */
  modifier_selections: ModifierSelectionRequest[];
  /** Free text for the kitchen, at most 200 characters. */
  special_instructions?: string | null | undefined;
}

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

/** Most characters of `special_instructions` ("Limits"). */
const INSTRUCTIONS_CHARACTERS = 200;

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
  // gap BODY-1: an emoji of two UTF-16 units is one character, so that nothing is refused that the service may take.
  const fits = (text: string) => text.length <= INSTRUCTIONS_CHARACTERS || [...text].length <= INSTRUCTIONS_CHARACTERS;
  return annotate(z.string({ error }).refine(fits, { error }), { maxLength: INSTRUCTIONS_CHARACTERS });
}
