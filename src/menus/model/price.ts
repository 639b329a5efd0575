import type { CartItem, ModifierSelectionRequest, Money } from '../../contract/index.js';
import { type CartItemDraft, isPositiveInteger, quantityOf } from './cart-lines.js';
import { givenItem, givenSelections } from './given.js';
import { isRecord } from './menu-fields.js';
import { type IndexedItem, type IndexedModifier, type MenuOrIndex, toIndex } from './menu-index.js';
import { type MenuReadings, readingsOf } from './readings.js';

/** What a cart item will cost before discounts and tax, with the fields and the meaning of a cart response. */
export type PriceEstimate = Pick<CartItem, 'base_price' | 'modifier_total' | 'item_total'>;

/**
 * Estimates the price of a cart item from the menu: base price plus modifiers, times the quantity.
 *
 * `base_price` and `modifier_total` are for one unit. Prices of members, discounts, tax and fees are known to the service
 * alone (`client.carts.calculate`).
 *
 * @returns `null` when the menu does not have all the prices: an unknown item or modifier, a modifier without a price, two
 * currencies, a quantity below 1.
 * @throws {RequestValidationError} The item is no object, or its selections are no list of objects; `field` says where.
 * @throws {ConfigurationError} What was given for the menu is none.
 * @see Interface document, "CartItem"; docs/interface-gaps.md, MENU-7
 */
export function priceOf(menu: MenuOrIndex, item: CartItemDraft): PriceEstimate | null {
  const indexed = toIndex(menu).item(givenItem(item).menu_item_id);
  const selections = givenSelections(item.modifier_selections, 'modifier_selections');
  const base = indexed && moneyOf(indexed.raw.base_price);
  if (!indexed || !base || !isPositiveInteger(item.quantity)) return null;
  const perUnit = selectionsCents(indexed, selections, { currency: base.currency, ...readingsOf(indexed) });
  if (perUnit === null) return null;
  const { currency } = base;
  return {
    base_price: { amount: base.amount, currency },
    modifier_total: { amount: perUnit, currency },
    item_total: { amount: (base.amount + perUnit) * item.quantity, currency },
  };
}

function moneyOf(value: unknown): Money | null {
  if (!isRecord(value) || !Number.isSafeInteger(value.amount) || typeof value.currency !== 'string') return null;
  return { amount: value.amount as number, currency: value.currency };
}

/** Cents that the selections add to one unit; `null` when a price is not known. */
function selectionsCents(
  holder: IndexedItem | IndexedModifier,
  selections: readonly ModifierSelectionRequest[],
  how: { readonly currency: string } & MenuReadings,
): number | null {
  let sum = 0;
  for (const selection of selections) {
    const modifier = holder.group(selection.modifier_group_id)?.modifier(selection.modifier_id);
    const own = modifier && priceCents(modifier, how.currency);
    const nested = modifier && selectionsCents(modifier, selection.nested_selections ?? [], how);
    const quantity = quantityOf(selection);
    if (own == null || nested == null || !isPositiveInteger(quantity)) return null;
    sum += own * quantity + nested * (how.multipliesNested ? quantity : 1);
  }
  return sum;
}

function priceCents(modifier: IndexedModifier, currency: string): number | null {
  if (modifier.priceCents === undefined || (modifier.priceCurrency ?? currency) !== currency) return null;
  return modifier.priceCents;
}
