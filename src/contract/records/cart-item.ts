import type { ModifierSelection, ModifierSelectionRequest } from './modifier-selection.js';
import type { Money } from './money.js';

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
