import type { InventoryStatus, MenuItem, Money } from '../../contract/index.js';
import { givenOptions, givenParts } from '../model/given.js';
import { isRecord } from '../model/menu-fields.js';
import { type IndexedItem, type MenuIndex, type MenuOrIndex, toIndex } from '../model/menu-index.js';
import type { Availability } from '../stock/availability.js';
import { changedFields, type FieldChanges, sameValue } from './diff-fields.js';
import { diffGroups, type ModifierChange } from './diff-modifiers.js';

/** A value before and after. */
export interface ValueChange<Value> {
  /** The value on the earlier menu. */
  readonly before: Value;
  /** The value on the later menu. */
  readonly after: Value;
}

/** What differs between two menus of a location. */
export interface MenuDiff {
  /** True when nothing differs: no item, no field, no category. */
  readonly isEmpty: boolean;
  /** Items of the later menu alone, in its order. */
  readonly added: readonly MenuItem[];
  /** Items of the earlier menu alone, in its order. */
  readonly removed: readonly MenuItem[];
  /** Items that are in both and differ, in the order of the later menu. */
  readonly changed: readonly ItemChange[];
  /** True when categories came, went, were renamed or changed their order. */
  readonly categoriesChanged: boolean;
}

/** What differs in one item; a property is there only when it differs. */
export interface ItemChange {
  /** Id of the item, the same on both menus. */
  readonly itemId: string;
  /** Name on the later menu. */
  readonly name: string;
  /** The base price. */
  readonly price?: ValueChange<Money | null>;
  /** Whether it can be ordered: by the menu, and by the stock where that was given. */
  readonly availability?: ValueChange<boolean>;
  /** What the inventory says, where that was given; `null` when it did not return the item. */
  readonly stock?: ValueChange<InventoryStatus | null>;
  /** Hours of the day in which it is sold. */
  readonly saleHours?: ValueChange<DailySales>;
  /** Groups and modifiers that came, went or changed, at every level. */
  readonly modifiers?: readonly ModifierChange[];
  /** Name of the category. */
  readonly category?: ValueChange<string>;
  /** Every other field that differs, unknown ones too: limits, tenders, ages, texts. */
  readonly fields?: FieldChanges;
}

/** Hours of the day in which an item is sold, local to its store; both `null`: all day. */
export interface DailySales {
  /** `daily_sales_start_time` of the item, `HH:MM`. */
  readonly start: string | null;
  /** `daily_sales_end_time` of the item, `HH:MM`. */
  readonly end: string | null;
}

/** What is compared beside the two menus. */
export interface DiffMenusOptions {
  /** The availability of both times, from `availability()`, so that changes of stock count too. */
  stock?: ValueChange<Availability> | undefined;
}

/** Fields of an item that have a property of their own in `ItemChange`. */
const NAMED_FIELDS = ['id', 'base_price', 'available', 'daily_sales_start_time', 'daily_sales_end_time'];

const STOCK = '{ before, after }, each from availability()';

/**
 * Compares two menus of a location: items added and removed, and of the others what changed in price, availability, sale
 * hours, modifiers and all other fields. Items are matched by id; their order does not matter.
 *
 * @throws {ConfigurationError} What was given for a menu or for the stock is none.
 * @see Interface document, "Menus"
 */
export function diffMenus(before: MenuOrIndex, after: MenuOrIndex, options: DiffMenusOptions = {}): MenuDiff {
  const [old, now] = [toIndex(before), toIndex(after)];
  const { stock } = givenOptions('diffMenus', options, '{ stock: { before, after } }');
  if (stock) givenParts('The option "stock"', stock, [['before.item', 'after.item'], STOCK]);
  const added = now.items.filter(({ id }) => !old.item(id)).map(({ raw }) => raw);
  const removed = old.items.filter(({ id }) => !now.item(id)).map(({ raw }) => raw);
  const changed = now.items.flatMap((item) => {
    const previous = old.item(item.id);
    const change = previous && diffItem(previous, item, stock);
    return change ? [change] : [];
  });
  const categoriesChanged = !sameValue(categoriesOf(old), categoriesOf(now));
  const isEmpty = added.length + removed.length + changed.length === 0 && !categoriesChanged;
  return { isEmpty, added, removed, changed, categoriesChanged };
}

function diffItem(before: IndexedItem, after: IndexedItem, stock?: ValueChange<Availability>): ItemChange | undefined {
  const stockOf = (availability: Availability | undefined) => availability?.item(after.id);
  const wasAvailable = stockOf(stock?.before)?.available ?? before.raw.available !== false;
  const isAvailable = stockOf(stock?.after)?.available ?? after.raw.available !== false;
  const modifiers = diffGroups(before.groups, after.groups);
  const fields = changedFields(
    { raw: before.raw, inside: before.groups },
    { raw: after.raw, inside: after.groups },
    NAMED_FIELDS,
  );
  const changes: Omit<ItemChange, 'itemId' | 'name'> = {
    ...whenChanged('price', before.raw.base_price ?? null, after.raw.base_price ?? null),
    ...whenChanged('availability', wasAvailable, isAvailable),
    ...(stock && whenChanged('stock', stockOf(stock.before)?.status ?? null, stockOf(stock.after)?.status ?? null)),
    ...whenChanged('saleHours', hoursOf(before.raw), hoursOf(after.raw)),
    ...whenChanged('category', before.category.name, after.category.name),
    ...(modifiers.length > 0 && { modifiers }),
    ...(Object.keys(fields).length > 0 && { fields }),
  };
  return Object.keys(changes).length > 0 ? { itemId: after.id, name: after.name, ...changes } : undefined;
}

function whenChanged<Name extends string, Value>(name: Name, before: Value, after: Value) {
  return sameValue(before, after) ? {} : ({ [name]: { before, after } } as Record<Name, ValueChange<Value>>);
}

function hoursOf(item: MenuItem): DailySales {
  return { start: item.daily_sales_start_time ?? null, end: item.daily_sales_end_time ?? null };
}

/** Categories in their order with their own fields; the lists of items in them are compared elsewhere. */
function categoriesOf({ menu }: MenuIndex): unknown {
  const categories: unknown = menu.categories;
  if (!Array.isArray(categories)) return [];
  return categories
    .filter(isRecord)
    .map((category) => Object.fromEntries(Object.entries(category).filter(([, value]) => !Array.isArray(value))));
}
