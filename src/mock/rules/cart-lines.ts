import type { CartItem, Menu, MenuItem } from '../../contract/index.js';
import type { RuleReadings } from '../state/readings.js';
import { usd } from './amounts.js';
import type { CartItemBody } from './cart-item.js';
import { findMenuItem } from './menu-items.js';
import { knowsAllModifiers, modifierCents } from './modifiers.js';
import type { PricedLine } from './pricing.js';

interface NewLine {
  readonly item: MenuItem;
  readonly body: CartItemBody;
  readonly readings: RuleReadings;
}

/** The line that an item request becomes. */
export function newCartItem(id: string, { item, body, readings }: NewLine): CartItem {
  const modifierTotal = modifierCents(item, body.modifier_selections, readings);
  return {
    id,
    menu_item_id: item.id,
    name: item.name,
    quantity: body.quantity,
    base_price: item.base_price,
    modifier_total: usd(modifierTotal),
    item_total: usd((item.base_price.amount + modifierTotal) * body.quantity),
    special_instructions: body.special_instructions,
    modifier_selections: body.modifier_selections,
    age_verification_required: item.age_verification_required,
    minimum_age: item.minimum_age,
  };
}

/** The lines at the prices of the current menu. What the menu has no longer keeps the price it had. */
export function withCurrentPrices(items: readonly CartItem[], menu: Menu, readings: RuleReadings): CartItem[] {
  return items.map((line) => {
    const item = findMenuItem(menu, line.menu_item_id);
    if (!item) return line;
    const current = newCartItem(line.id, { item, body: line, readings });
    if (knowsAllModifiers(item.modifier_groups ?? [], line.modifier_selections)) return current;
    const itemTotal = (item.base_price.amount + line.modifier_total.amount) * line.quantity;
    return { ...current, modifier_total: line.modifier_total, item_total: usd(itemTotal) };
  });
}

/** The lines as prices need them. */
export function pricedLines(items: readonly CartItem[], menu: Menu): PricedLine[] {
  return items.map((line) => ({
    cartItemId: line.id,
    menuItemId: line.menu_item_id,
    name: line.name,
    quantity: line.quantity,
    basePrice: line.base_price.amount,
    modifierTotal: line.modifier_total.amount,
    nonDiscountable: findMenuItem(menu, line.menu_item_id)?.non_discountable ?? false,
    ageVerificationRequired: line.age_verification_required,
  }));
}
