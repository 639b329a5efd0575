import { ConfigurationError } from '../../errors/local.js';
import { notAs } from '../../platform/kind-of.js';
import { unknownOption } from '../../platform/unknown-option.js';

/**
 * The names under which a menu may carry what the interface document describes but does not name.
 *
 * The first name that an object has wins. What the document does name (`min_selections`, `available`, …) is not here:
 * it has one name only.
 *
 * @see docs/interface-gaps.md, MENU-10
 */
export interface MenuFieldNames {
  /** Categories of a menu. */
  categories: readonly string[];
  /** Items of a category. */
  items: readonly string[];
  /** Modifier groups of an item. */
  itemGroups: readonly string[];
  /** Modifiers of a group. */
  modifiers: readonly string[];
  /** Nested modifier groups of a modifier. */
  nestedGroups: readonly string[];
  /** Id of an item, of a group, and of a modifier. */
  itemId: readonly string[];
  /** Id of a modifier group. */
  groupId: readonly string[];
  /** Id of a modifier. */
  modifierId: readonly string[];
  /** Name of an item, a group, a modifier. */
  name: readonly string[];
  /** What a modifier adds per unit: `Money`, or integer cents in the currency of the item. */
  modifierPrice: readonly string[];
  /** Whether a modifier can be chosen; absent means that it can. */
  modifierAvailable: readonly string[];
  /** Whether a modifier is chosen unless the customer says otherwise. */
  modifierDefault: readonly string[];
}

// gap MENU-3, MENU-4, MENU-5, MENU-10
export const defaultFieldNames: MenuFieldNames = {
  categories: ['categories'],
  items: ['items', 'menu_items'],
  itemGroups: ['modifier_groups'],
  modifiers: ['modifiers', 'options'],
  nestedGroups: ['modifier_groups', 'nested_modifier_groups', 'nested_groups'],
  itemId: ['id', 'menu_item_id', 'item_id'],
  groupId: ['id', 'modifier_group_id', 'group_id'],
  modifierId: ['id', 'modifier_id'],
  name: ['name', 'display_name'],
  modifierPrice: ['price', 'price_adjustment', 'additional_price', 'base_price'],
  modifierAvailable: ['available', 'is_available'],
  modifierDefault: ['is_default', 'default'],
};

/** A group or modifier as the service sent it, whatever its fields are called. */
export type MenuRecord = Readonly<Record<string, unknown>>;

/**
 * The entry of an id. Ids are UUIDs, which the service takes in either case and writes in lower case; an id that is written
 * exactly so always wins.
 */
export function byId<Entry>(entries: ReadonlyMap<string, Entry>, id: string): Entry | undefined {
  return entries.get(id) ?? (typeof id === 'string' ? entries.get(id.toLowerCase()) : undefined);
}

/** Whether two ids are one, whatever their case. */
export function sameId(one: string, other: string): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one === other || one.toLowerCase() === other.toLowerCase();
}

/** One value of a record, and the name under which it was found. */
export interface FoundField {
  readonly name: string;
  readonly value: unknown;
}

/** The value under the first of the names that the record has; an own `undefined` counts as absent. */
export function findField(record: MenuRecord, names: readonly string[]): FoundField | undefined {
  for (const name of names) {
    const value = record[name];
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

export function isRecord(value: unknown): value is MenuRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readText(record: MenuRecord, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

export function readFlag(record: MenuRecord, names: readonly string[]): boolean | undefined {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'boolean') return value;
  }
  return undefined;
}

/** A limit that can be relied on: an integer of at least 0. Anything else is unknown, and then constrains nothing. */
export function readCount(record: MenuRecord, name: string): number | undefined {
  const value = record[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The default names with those of the partner in place of some. */
export function resolveFieldNames(own: Partial<MenuFieldNames> = {}): MenuFieldNames {
  if (!isRecord(own)) throw new ConfigurationError(notAs('The option "fields"', own, "{ items: ['items'] }"));
  const unknown = unknownOption(own, Object.keys(defaultFieldNames));
  if (unknown) throw new ConfigurationError(`In "fields": ${unknown.message}`);
  const given = Object.entries(own).filter(([, names]) => names !== undefined);
  for (const [field, names] of given) checkNames(field, names);
  return { ...defaultFieldNames, ...Object.fromEntries(given) };
}

function checkNames(field: string, names: unknown): void {
  if (Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')) return;
  throw new ConfigurationError(`The names of "${field}" are no list of texts; give a list such as ["${field}"].`);
}
