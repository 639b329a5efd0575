import type { CartItemRequest, Location, Menu, MenuItem } from 'online-ordering-sdk';
import { chooseModifiers, modifierLevels } from './choose-modifiers.js';

/** The first location that takes orders. */
export function chooseLocation(locations: readonly Location[]): Location {
  const open = locations.find((location) => location.online_ordering_enabled);
  if (!open) throw new Error('None of the locations in scope takes online orders.');
  return open;
}

/** A sandwich, a coffee and something small, or what comes closest to them on this menu. */
export function chooseItems(menu: Menu, inStock: ReadonlySet<string>): CartItemRequest[] {
  const items = menu.categories.flatMap((category) => category.items).filter((item) => isSimpleToBuy(item, inStock));
  const byDepth = [...items].sort((a, b) => modifierLevels(b) - modifierLevels(a));
  const sandwich = byDepth.find(named(/\bsub\b|sandwich|hoagie|wrap/i)) ?? byDepth[0];
  if (!sandwich) throw new Error(`The menu of location ${menu.location_id} has nothing that can be bought now.`);
  const others = byDepth.filter((item) => item !== sandwich);
  const coffee = others.find(named(/latte|cappuccino|coffee/i));
  const plain = others.filter((item) => item !== coffee && modifierLevels(item) === 0);
  const small = plain.find(named(/cookie|chips|bar\b|water/i)) ?? plain[0];

  return [
    { ...request(sandwich, 5), special_instructions: 'Cut in half, please' },
    ...(coffee ? [request(coffee, 1)] : []),
    ...(small ? [request(small, 0, small.max_allowed_quantity === 1 ? 1 : 2)] : []),
  ];
}

function request(item: MenuItem, extras: number, quantity = 1): CartItemRequest {
  return { menu_item_id: item.id, quantity, modifier_selections: chooseModifiers(item, extras) };
}

/** Sold all day, to anybody, by any tender. */
function isSimpleToBuy(item: MenuItem, inStock: ReadonlySet<string>): boolean {
  const isSoldAllDay = item.daily_sales_start_time === null && item.daily_sales_end_time === null;
  return (
    item.available &&
    inStock.has(item.id) &&
    isSoldAllDay &&
    !item.age_verification_required &&
    item.tender_restriction_level !== 'RESTRICTED'
  );
}

const named =
  (pattern: RegExp) =>
  ({ name }: MenuItem): boolean =>
    pattern.test(name);
