import type { CartItemRequest, ModifierSelection } from '../../contract/index.js';
import { derivedId } from '../seed/derived-id.js';
import { menuId } from './build-menu.js';
import { type GroupRow, keyOf } from './menu-rows.js';
import { itemRow, type SampleItem, sampleItems } from './menu-table.js';

/** Name of a sample location. */
export type SampleLocation = 'downtown' | 'harbor' | 'closed';

/** Ids of the sample data by name, and cart items that are ready to be sent. */
export interface SampleIds {
  /**
   * `downtown` serves all four modes; `harbor` does not deliver, and accepts KIOSK orders once they are paid; `closed` has
   * online ordering switched off.
   */
  readonly locations: Readonly<Record<SampleLocation, string>>;
  /** Menu items, the same at every location. */
  readonly items: Readonly<Record<SampleItem, string>>;
  /** A body for `carts.items.add` for each item: one unit, its required modifiers chosen, nothing else. */
  readonly cartItems: Readonly<Record<SampleItem | 'turkeySubCombo', CartItemRequest>>;
  /** UUID of a modifier group by its path: `group('turkeySub.bread')`. Throws for a path that is not on the menu. */
  group(path: string): string;
  /** UUID of a modifier by its path: `modifier('turkeySub.bread.italianHerb')`. Throws as `group` does. */
  modifier(path: string): string;
  /** A selection by its path, with selections nested in it: `select('latte.syrups.vanilla', { quantity: 2 })`. */
  select(path: string, options?: SelectOptions): ModifierSelection;
}

/** How often a modifier is chosen, and what is chosen below it. */
export interface SelectOptions {
  /** @defaultValue 1 */
  readonly quantity?: number | undefined;
  /** Selections for the groups of the chosen modifier. */
  readonly nested?: readonly ModifierSelection[] | undefined;
}

export function locationId(seed: number, location: SampleLocation): string {
  return derivedId(seed, 'location', location);
}

export function createSampleIds(seed: number): SampleIds {
  const known = new Set(sampleItems.flatMap((item) => groupPaths(item, itemRow(item).groups)));
  const idOf = (path: string): string => {
    if (known.has(path)) return menuId(seed, path);
    throw new TypeError(
      `The sample menu has no "${path}". A path names an item, a group, a modifier and so on: "turkeySub.bread.white".`,
    );
  };
  const select = (path: string, { quantity = 1, nested = [] }: SelectOptions = {}): ModifierSelection => ({
    modifier_group_id: idOf(path.slice(0, path.lastIndexOf('.'))),
    modifier_id: idOf(path),
    quantity,
    nested_selections: [...nested],
  });
  const request = (item: SampleItem, selections: ModifierSelection[]): CartItemRequest => ({
    menu_item_id: menuId(seed, item),
    quantity: 1,
    modifier_selections: selections,
    special_instructions: null,
  });
  const usual = (item: SampleItem) => request(item, requiredSelections(item, itemRow(item).groups, select));

  return {
    locations: {
      downtown: locationId(seed, 'downtown'),
      harbor: locationId(seed, 'harbor'),
      closed: locationId(seed, 'closed'),
    },
    items: byItem((item) => menuId(seed, item)),
    cartItems: { ...byItem(usual), turkeySubCombo: request('turkeySub', turkeySubCombo(select)) },
    group: idOf,
    modifier: idOf,
    select,
  };
}

type Select = SampleIds['select'];

/** A sandwich as people order it, with selections on all three levels. */
function turkeySubCombo(select: Select): ModifierSelection[] {
  const bread = 'turkeySub.bread.jalapenoCheddar';
  const combo = 'turkeySub.combo.makeItACombo';
  return [
    select('turkeySub.size.12Inch'),
    select(bread, {
      nested: [select(`${bread}.toasting.toasted`, { nested: [select(`${bread}.toasting.toasted.toastLevel.light`)] })],
    }),
    select('turkeySub.cheese.pepperJack'),
    select('turkeySub.vegetables.lettuce'),
    select('turkeySub.vegetables.tomato'),
    select('turkeySub.sauces.chipotle', { quantity: 2 }),
    select(combo, {
      nested: [
        select(`${combo}.side.cookie`),
        select(`${combo}.drink.fountainDrink`, { nested: [select(`${combo}.drink.fountainDrink.ice.lightIce`)] }),
      ],
    }),
  ];
}

/** The first choices of each required group, at every level. */
function requiredSelections(parent: string, groups: readonly GroupRow[] = [], select: Select): ModifierSelection[] {
  return groups.flatMap((group) =>
    group.modifiers.slice(0, group.min).map((modifier) => {
      const path = `${parent}.${keyOf(group.name)}.${keyOf(modifier.name)}`;
      return select(path, { nested: requiredSelections(path, modifier.groups, select) });
    }),
  );
}

function groupPaths(parent: string, groups: readonly GroupRow[] = []): string[] {
  return groups.flatMap((group) => {
    const path = `${parent}.${keyOf(group.name)}`;
    const below = group.modifiers.flatMap((modifier) => {
      const modifierPath = `${path}.${keyOf(modifier.name)}`;
      return [modifierPath, ...groupPaths(modifierPath, modifier.groups)];
    });
    return [path, ...below];
  });
}

function byItem<T>(make: (item: SampleItem) => T): Record<SampleItem, T> {
  return Object.fromEntries(sampleItems.map((item) => [item, make(item)])) as Record<SampleItem, T>;
}
