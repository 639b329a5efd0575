import type { CartItemRequest, Location, Menu, MenuItem } from 'online-ordering-sdk';
import { type Availability, checkItem } from 'online-ordering-sdk/menus';
import { chooseModifiers, modifierLevels } from './choose-modifiers.js';

/** The first location that takes orders. */
export function chooseLocation(locations: readonly Location[]): Location {
  const open = locations.find((location) => location.online_ordering_enabled);
  if (!open) throw new Error('None of the locations in scope takes online orders.');
  return open;
}

export interface Shelf {
  readonly menu: Menu;
  readonly stock: Availability;
  readonly location: Location;
}

/** A sandwich, a coffee and something small, or what comes closest to them at this store, now. */
export function chooseItems(shelf: Shelf): CartItemRequest[] {
  const items = shelf.menu.categories.flatMap((category) => category.items).filter(isForAnybody);
  const byDepth = items.sort((a, b) => modifierLevels(b) - modifierLevels(a));
  const sold = (item: MenuItem): boolean => canBeBought(shelf, request(item, EXTRAS));
  const find = (pattern: RegExp, among: readonly MenuItem[]): MenuItem | undefined =>
    among.find((item) => pattern.test(item.name) && sold(item)) ?? among.find(sold);

  const sandwich = find(/\bsub\b|sandwich|hoagie|wrap/i, byDepth);
  if (!sandwich) throw new Error(`${shelf.location.name} has nothing that can be bought now.`);
  const others = byDepth.filter((item) => item !== sandwich);
  const coffee = find(/latte|cappuccino|coffee/i, others);
  const plain = others.filter((item) => item !== coffee && modifierLevels(item) === 0);
  const small = find(/cookie|chips|bar\b|water/i, plain);

  return [
    { ...request(sandwich, EXTRAS), special_instructions: 'Cut in half, please' },
    ...(coffee ? [request(coffee, 1)] : []),
    ...(small ? [request(small, 0, small.max_allowed_quantity === 1 ? 1 : 2)] : []),
  ];
}

/** Optional groups of a sandwich from which something is chosen. */
const EXTRAS = 5;

function request(item: MenuItem, extras: number, quantity = 1): CartItemRequest {
  return { menu_item_id: item.id, quantity, modifier_selections: chooseModifiers(item, extras) };
}

/** In stock, within its sale hours, with selections that it takes: what the service would say, known before it is asked. */
function canBeBought({ menu, stock, location }: Shelf, item: CartItemRequest): boolean {
  const problems = checkItem(menu, item, { at: Date.now(), timezone: location.timezone, availability: stock });
  return problems.length === 0;
}

/** Without an age limit, and for any tender. */
function isForAnybody(item: MenuItem): boolean {
  return !item.age_verification_required && item.tender_restriction_level !== 'RESTRICTED';
}
