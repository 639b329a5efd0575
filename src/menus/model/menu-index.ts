import type { Menu, MenuItem } from '../../contract/index.js';
import { ConfigurationError } from '../../errors/local.js';
import { isPromiseLike, notAs } from '../../platform/kind-of.js';
import type { Profile } from '../../profile/profile.js';
import { givenOptions } from './given.js';
import { byId, isRecord, type MenuFieldNames, type MenuRecord, resolveFieldNames } from './menu-fields.js';
import { walkMenu } from './menu-nodes.js';
import { namesOfProfile } from './profile-names.js';
import { keepReadings } from './readings.js';

/** A menu, searchable by id. Made by `indexMenu`; it reads the menu once and never changes it. */
export interface MenuIndex {
  /** The menu that was read, untouched: the same object that was given to `indexMenu`. */
  readonly menu: Menu;
  /** Every item once, in the order of the menu. */
  readonly items: readonly IndexedItem[];
  /** The item with this id; of an item listed in several categories, its first place. */
  item(itemId: string): IndexedItem | undefined;
  /** The group with this id; of a group that several items share, its first place. */
  group(groupId: string): IndexedGroup | undefined;
  /** The modifier with this id; of a modifier that several groups share, its first place. */
  modifier(modifierId: string): IndexedModifier | undefined;
  /** Every path at which an item, a group or a modifier with this id stands. */
  paths(id: string): readonly string[];
}

/** The category of an item. */
export interface IndexedCategory {
  /** Id of the category; `undefined` when the menu has none. */
  readonly id: string | undefined;
  /** Name on the menu; empty when the menu has none. */
  readonly name: string;
}

/** One item of a menu, with its groups by id. */
export interface IndexedItem {
  /** Tells an item from groups and modifiers: always `'item'`. */
  readonly kind: 'item';
  /** Id of the item: `menu_item_id` of cart items. */
  readonly id: string;
  /** Name on the menu; its id when the menu has none. */
  readonly name: string;
  /** The item as the service sent it. */
  readonly raw: MenuItem;
  /** The category that lists it; of several, the first. */
  readonly category: IndexedCategory;
  /** Its modifier groups in the order of the menu. */
  readonly groups: readonly IndexedGroup[];
  /** The group with this id; `undefined` when the item has none. */
  group(groupId: string): IndexedGroup | undefined;
  /** Where it stands: `categories[2].items[0]`, with the names that this menu uses. */
  readonly path: string;
}

/** One modifier group in its place. A limit that the menu does not state is `undefined`, and constrains nothing. */
export interface IndexedGroup {
  /** Tells a group from items and modifiers: always `'group'`. */
  readonly kind: 'group';
  /** Id of the group: `modifier_group_id` of selections. */
  readonly id: string;
  /** Name on the menu; its id when the menu has none. */
  readonly name: string;
  /** How many must be chosen at least, quantities counted. */
  readonly minSelections: number | undefined;
  /** How many may be chosen at most, quantities counted. */
  readonly maxSelections: number | undefined;
  /** Whether one modifier may be chosen more than once. */
  readonly allowsDuplicates: boolean | undefined;
  /** The group as the service sent it, unknown fields included. */
  readonly raw: MenuRecord;
  /** 1 for the groups of an item, 2 and 3 for nested ones. */
  readonly level: number;
  /** Its modifiers in the order of the menu. */
  readonly modifiers: readonly IndexedModifier[];
  /** The modifier with this id; `undefined` when the group has none. */
  modifier(modifierId: string): IndexedModifier | undefined;
  /** What the group belongs to: an item, or the modifier that opens it. */
  readonly parent: IndexedItem | IndexedModifier;
  /** Where it stands: `categories[2].items[0].modifier_groups[1]`, with the names that this menu uses. */
  readonly path: string;
}

/** One modifier in its place. */
export interface IndexedModifier {
  /** Tells a modifier from items and groups: always `'modifier'`. */
  readonly kind: 'modifier';
  /** Id of the modifier: `modifier_id` of selections. */
  readonly id: string;
  /** Name on the menu; its id when the menu has none. */
  readonly name: string;
  /** What it adds per unit, in cents; `undefined` when the menu does not say. */
  readonly priceCents: number | undefined;
  /** Currency of the price; `undefined` when the price is a bare number, and then that of the item. */
  readonly priceCurrency: string | undefined;
  /** False only when the menu says so. */
  readonly available: boolean;
  /** True when the menu proposes it; false when it does not say. */
  readonly isDefault: boolean;
  /** The modifier as the service sent it, unknown fields included. */
  readonly raw: MenuRecord;
  /** Nested groups that choosing it opens, in the order of the menu; mostly empty. */
  readonly groups: readonly IndexedGroup[];
  /** The nested group with this id; `undefined` when there is none. */
  group(groupId: string): IndexedGroup | undefined;
  /** The group that it belongs to. */
  readonly parent: IndexedGroup;
  /** Where it stands: `categories[2].items[0].modifier_groups[1].modifiers[0]`, with the names that this menu uses. */
  readonly path: string;
}

/** How a menu is read. */
export interface IndexMenuOptions {
  /** Names of fields that the interface document leaves open, where the service uses others than expected. */
  fields?: Partial<MenuFieldNames> | undefined;
  /** What the service chose (`online-ordering.profile.json`), for a menu that was read without a client; `fields` wins. */
  profile?: Profile | undefined;
}

const indexes = new WeakMap<Menu, MenuIndex>();

/**
 * Makes a menu searchable: items, groups and modifiers by id in constant time, each with its path.
 *
 * Unknown fields are kept in `raw`, entries without an id are left out. The index of a menu object is built once and
 * remembered for as long as the object lives, so that passing the same `Menu` again costs nothing; a menu must therefore
 * not be changed after its first use. Indexes with `fields` or a `profile` of their own are not remembered.
 *
 * @throws {ConfigurationError} What was given is not a menu, or an option cannot be read.
 * @see Interface document, "MenuItem"; docs/interface-gaps.md, MENU-1 to MENU-5, MENU-10, MENU-15
 */
export function indexMenu(menu: Menu, options: IndexMenuOptions = {}): MenuIndex {
  if (!isRecord(menu) || isPromiseLike(menu)) {
    throw new ConfigurationError(notAs('The menu', menu, 'the result of client.menus.retrieve()'));
  }
  const { fields, profile } = givenOptions('indexMenu', options, '{ profile }');
  if (fields || profile) {
    const own = buildIndex(menu, resolveFieldNames({ ...namesOfProfile(profile), ...fields }));
    keepReadings(own.items, profile);
    return own;
  }
  const known = indexes.get(menu);
  if (known) return known;
  const index = buildIndex(menu, resolveFieldNames());
  indexes.set(menu, index);
  return index;
}

/** What every function of this module takes first. */
export type MenuOrIndex = Menu | MenuIndex;

/** The index itself, or the one of the menu. No menu has functions, and an index may come from another copy of this file. */
export function toIndex(menu: MenuOrIndex): MenuIndex {
  return isRecord(menu) && typeof menu.item === 'function' ? (menu as MenuIndex) : indexMenu(menu as Menu);
}

/** Anything in a menu that has an id and a place. */
export type IndexedNode = IndexedItem | IndexedGroup | IndexedModifier;

function buildIndex(menu: Menu, fields: MenuFieldNames): MenuIndex {
  const items = new Map<string, IndexedItem>();
  const groups = new Map<string, IndexedGroup>();
  const modifiers = new Map<string, IndexedModifier>();
  const nodes: IndexedNode[] = [];
  walkMenu(menu as unknown as MenuRecord, fields, (node) => {
    nodes.push(node);
    if (node.kind === 'item') setFirst(items, node);
    else if (node.kind === 'group') setFirst(groups, node);
    else setFirst(modifiers, node);
  });

  // Seldom asked for, and as large as all the rest.
  let places: Map<string, IndexedNode[]> | undefined;
  return {
    menu,
    items: [...items.values()],
    item: (id) => byId(items, id),
    group: (id) => byId(groups, id),
    modifier: (id) => byId(modifiers, id),
    paths: (id) => {
      places ??= placesById(nodes);
      return (byId(places, id) ?? []).map((node) => node.path);
    },
  };
}

function setFirst<Node extends IndexedNode>(known: Map<string, Node>, node: Node): void {
  if (!known.has(node.id)) known.set(node.id, node);
}

function placesById(nodes: readonly IndexedNode[]): Map<string, IndexedNode[]> {
  const places = new Map<string, IndexedNode[]>();
  for (const node of nodes) {
    const same = places.get(node.id);
    if (same) same.push(node);
    else places.set(node.id, [node]);
  }
  return places;
}
