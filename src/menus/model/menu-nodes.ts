import type { MenuItem } from '../../contract/index.js';
import {
  byId,
  type FoundField,
  findField,
  isRecord,
  type MenuFieldNames,
  type MenuRecord,
  readCount,
  readFlag,
  readText,
} from './menu-fields.js';
import type { IndexedGroup, IndexedItem, IndexedModifier, IndexedNode } from './menu-index.js';

/** A cyclic object would be walked for ever; no menu of the service is nested this deep. */
const DEEPEST_WALK = 8;

/** Where an entry stands in the object that holds it: the name of the list, and the number in it. */
interface Place {
  readonly list: string;
  readonly at: number;
}

/** Visits every item, group and modifier of a menu, from the top down, in the order of the menu. */
export function walkMenu(menu: MenuRecord, fields: MenuFieldNames, found: (node: IndexedNode) => void): void {
  new MenuWalk(fields, found).menu(menu);
}

class MenuWalk {
  constructor(
    private readonly fields: MenuFieldNames,
    private readonly found: (node: IndexedNode) => void,
  ) {}

  menu(menu: MenuRecord): void {
    eachRecord(findField(menu, this.fields.categories), (category, place) => {
      const own = { id: readText(category, ['id']), name: readText(category, this.fields.name) ?? '' };
      const categoryPath = pathOf(place);
      eachRecord(findField(category, this.fields.items), (item, placeInCategory) => {
        this.item(item, own, `${categoryPath}.${pathOf(placeInCategory)}`);
      });
    });
  }

  private item(raw: MenuRecord, category: IndexedItem['category'], path: string): void {
    const id = readText(raw, this.fields.itemId);
    if (id === undefined) return;
    const name = readText(raw, this.fields.name) ?? id;
    const item = new ItemNode(id, name, raw as unknown as MenuItem, category, path);
    this.found(item);
    item.groups = this.groups(raw, this.fields.itemGroups, item);
  }

  private groups(raw: MenuRecord, names: readonly string[], parent: ItemNode | ModifierNode): GroupNode[] {
    const level = parent.kind === 'item' ? 1 : parent.parent.level + 1;
    const groups: GroupNode[] = [];
    if (level > DEEPEST_WALK) return groups;
    eachRecord(findField(raw, names), (record, place) => {
      const id = readText(record, this.fields.groupId);
      if (id === undefined) return;
      const name = readText(record, this.fields.name) ?? id;
      const group = new GroupNode(id, name, record, { parent, level, place });
      this.found(group);
      group.modifiers = this.modifiers(record, group);
      groups.push(group);
    });
    return groups;
  }

  private modifiers(raw: MenuRecord, parent: GroupNode): ModifierNode[] {
    const modifiers: ModifierNode[] = [];
    eachRecord(findField(raw, this.fields.modifiers), (record, place) => {
      const id = readText(record, this.fields.modifierId);
      if (id === undefined) return;
      const name = readText(record, this.fields.name) ?? id;
      const modifier = new ModifierNode(id, name, record, { parent, place });
      modifier.setPrice(findField(record, this.fields.modifierPrice)?.value);
      modifier.available = readFlag(record, this.fields.modifierAvailable) ?? true;
      modifier.isDefault = readFlag(record, this.fields.modifierDefault) ?? false;
      this.found(modifier);
      modifier.groups = this.groups(record, this.fields.nestedGroups, modifier);
      modifiers.push(modifier);
    });
    return modifiers;
  }
}

/** Visits each record of a list with its place; anything else in the list, or in place of one, is passed over. */
function eachRecord(field: FoundField | undefined, visit: (record: MenuRecord, place: Place) => void): void {
  if (!field || !Array.isArray(field.value)) return;
  const list: readonly unknown[] = field.value;
  for (let at = 0; at < list.length; at += 1) {
    const entry = list[at];
    if (isRecord(entry)) visit(entry, { list: field.name, at });
  }
}

function pathOf({ list, at }: Place): string {
  return `${list}[${at}]`;
}

class ItemNode implements IndexedItem {
  readonly kind = 'item';
  groups: readonly GroupNode[] = [];
  #groupsById: Map<string, GroupNode> | undefined;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly raw: MenuItem,
    readonly category: IndexedItem['category'],
    readonly path: string,
  ) {}

  group(groupId: string): IndexedGroup | undefined {
    this.#groupsById ??= firstById(this.groups);
    return byId(this.#groupsById, groupId);
  }
}

class GroupNode implements IndexedGroup {
  readonly kind = 'group';
  readonly parent: ItemNode | ModifierNode;
  readonly level: number;
  readonly minSelections: number | undefined;
  readonly maxSelections: number | undefined;
  readonly allowsDuplicates: boolean | undefined;
  modifiers: readonly ModifierNode[] = [];
  readonly #place: Place;
  #modifiersById: Map<string, ModifierNode> | undefined;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly raw: MenuRecord,
    { parent, level, place }: { parent: ItemNode | ModifierNode; level: number; place: Place },
  ) {
    this.parent = parent;
    this.level = level;
    this.minSelections = readCount(raw, 'min_selections');
    this.maxSelections = readCount(raw, 'max_selections');
    this.allowsDuplicates = readFlag(raw, ['allows_duplicates']);
    this.#place = place;
  }

  modifier(modifierId: string): IndexedModifier | undefined {
    this.#modifiersById ??= firstById(this.modifiers);
    return byId(this.#modifiersById, modifierId);
  }

  // Composed on demand: a menu has thousands of places, and few are ever asked for.
  get path(): string {
    return `${this.parent.path}.${pathOf(this.#place)}`;
  }
}

class ModifierNode implements IndexedModifier {
  readonly kind = 'modifier';
  readonly parent: GroupNode;
  priceCents: number | undefined;
  priceCurrency: string | undefined;
  available = true;
  isDefault = false;
  groups: readonly GroupNode[] = [];
  readonly #place: Place;
  #groupsById: Map<string, GroupNode> | undefined;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly raw: MenuRecord,
    { parent, place }: { parent: GroupNode; place: Place },
  ) {
    this.parent = parent;
    this.#place = place;
  }

  setPrice(price: unknown): void {
    if (isRecord(price) && Number.isSafeInteger(price.amount)) {
      this.priceCents = price.amount as number;
      this.priceCurrency = typeof price.currency === 'string' ? price.currency : undefined;
    } else if (Number.isSafeInteger(price)) this.priceCents = price as number;
  }

  group(groupId: string): IndexedGroup | undefined {
    this.#groupsById ??= firstById(this.groups);
    return byId(this.#groupsById, groupId);
  }

  get path(): string {
    return `${this.parent.path}.${pathOf(this.#place)}`;
  }
}

function firstById<Entry extends { readonly id: string }>(entries: readonly Entry[]): Map<string, Entry> {
  const map = new Map<string, Entry>();
  for (const entry of entries) if (!map.has(entry.id)) map.set(entry.id, entry);
  return map;
}
