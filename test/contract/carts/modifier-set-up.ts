import { selectionsOf } from '../support/catalogue.js';
import type { Cart, MenuItem, ModifierGroup, Selection } from '../support/records.js';
import { unprocessable } from '../support/shapes.js';
import { createCart, menuOf, openLocation } from '../support/shop.js';
import { type Answer, openTarget, type Target } from '../support/target.js';

export const REFUSED = unprocessable('Modifier validation failed', /^modifier_selections/);

export async function open() {
  const target = openTarget();
  const location = await openLocation(target);
  const menu = await menuOf(target, location.id);
  const cart = await createCart(target, location.id);
  return { target, menu, cart };
}

export function add(
  target: Target,
  cart: Cart,
  item: MenuItem,
  selections: readonly Selection[],
  quantity = 1,
): Promise<Answer<Cart>> {
  return target.post<Cart>(`/carts/${cart.id}/items`, {
    menu_item_id: item.id,
    quantity,
    modifier_selections: selections,
  });
}

export const isRequired = (group: ModifierGroup): boolean => group.min_selections > 0;
export const isOptional = (group: ModifierGroup): boolean => group.min_selections === 0 && group.max_selections > 0;
export const allowsDuplicates = (group: ModifierGroup): boolean => group.allows_duplicates && group.max_selections >= 2;
/** Has more modifiers than may be chosen. */
export const canOverflow = (group: ModifierGroup): boolean =>
  !group.allows_duplicates &&
  group.modifiers.filter((modifier) => modifier.available !== false).length > group.max_selections;

/** All selections of a group that its menu allows, and one more. */
export function tooMany(group: ModifierGroup): Selection[] {
  return selectionsOf(group, group.max_selections + 1);
}
