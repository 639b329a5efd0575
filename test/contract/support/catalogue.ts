import type { Menu, MenuItem, Modifier, ModifierGroup, Selection } from './records.js';

// Finds what a row needs by reading the menu: no id, name or price of a sample store is known here.

export const itemsOf = (menu: Menu): MenuItem[] => menu.categories.flatMap((category) => category.items);
export const groupsOf = (item: MenuItem): ModifierGroup[] => item.modifier_groups ?? [];
export const nestedGroupsOf = (modifier: Modifier): ModifierGroup[] => modifier.modifier_groups ?? [];

/** Sold at any hour, to anybody, by any tender, in any quantity. */
export function isUnrestricted(item: MenuItem): boolean {
  return (
    item.available &&
    !item.age_verification_required &&
    item.max_allowed_quantity === null &&
    item.daily_sales_start_time === null &&
    item.daily_sales_end_time === null &&
    item.tender_restriction_level !== 'RESTRICTED' &&
    !item.non_discountable
  );
}

export const isPlain = (item: MenuItem): boolean => isUnrestricted(item) && groupsOf(item).length === 0;
export const isOnSaleAllDay = (item: MenuItem): boolean =>
  item.available && item.daily_sales_start_time === null && item.daily_sales_end_time === null;
export const isAgeRestricted = (item: MenuItem): boolean => isOnSaleAllDay(item) && item.age_verification_required;
export const isLimited = (item: MenuItem): boolean => isOnSaleAllDay(item) && item.max_allowed_quantity !== null;
export const hasWindow = (item: MenuItem): boolean =>
  item.available && item.daily_sales_start_time !== null && item.daily_sales_end_time !== null;

const usable = (modifier: Modifier): boolean => modifier.available !== false;

/** The fewest selections that satisfy every group, nested ones included. */
export function leastSelections(groups: readonly ModifierGroup[]): Selection[] {
  return groups.flatMap((group) => selectionsOf(group, group.min_selections));
}

/** `count` selections of a group, each with the fewest nested ones. */
export function selectionsOf(group: ModifierGroup, count: number): Selection[] {
  if (count === 0) return [];
  const modifiers = group.modifiers.filter(usable);
  if (modifiers.length >= count) return modifiers.slice(0, count).map((modifier) => selectionOf(group, modifier));
  return [selectionOf(group, modifiers[0]!, count)];
}

export function selectionOf(group: ModifierGroup, modifier: Modifier, quantity = 1): Selection {
  return {
    modifier_group_id: group.id,
    modifier_id: modifier.id,
    quantity,
    nested_selections: leastSelections(nestedGroupsOf(modifier)),
  };
}

/** Selections of the least kind, but with `chosen` in place of what they hold for its group. */
export function selectionsWith(item: MenuItem, group: ModifierGroup, chosen: readonly Selection[]): Selection[] {
  return [...leastSelections(groupsOf(item).filter((other) => other.id !== group.id)), ...chosen];
}

/** An item and one of its groups. */
export interface Found {
  readonly item: MenuItem;
  readonly group: ModifierGroup;
}

export function findGroup(menu: Menu, matches: (group: ModifierGroup) => boolean): Found | undefined {
  for (const item of itemsOf(menu).filter(isUnrestricted)) {
    const group = groupsOf(item).find(matches);
    if (group) return { item, group };
  }
  return undefined;
}

/** A modifier with nested groups, and one of them. */
export interface FoundNested extends Found {
  readonly modifier: Modifier;
  readonly nested: ModifierGroup;
}

export function findNested(menu: Menu, matches: (nested: ModifierGroup) => boolean): FoundNested | undefined {
  for (const item of itemsOf(menu).filter(isUnrestricted)) {
    for (const group of groupsOf(item)) {
      for (const modifier of group.modifiers.filter(usable)) {
        const nested = nestedGroupsOf(modifier).find(matches);
        if (nested) return { item, group, modifier, nested };
      }
    }
  }
  return undefined;
}

/** A path through three levels of groups. */
export interface Deepest extends FoundNested {
  readonly nestedModifier: Modifier;
  readonly third: ModifierGroup;
}

export function findThreeLevels(menu: Menu): Deepest | undefined {
  for (const item of itemsOf(menu).filter(isUnrestricted)) {
    for (const group of groupsOf(item)) {
      for (const modifier of group.modifiers.filter(usable)) {
        for (const nested of nestedGroupsOf(modifier)) {
          for (const nestedModifier of nested.modifiers.filter(usable)) {
            const third = nestedGroupsOf(nestedModifier).find((last) => last.modifiers.some(usable));
            if (third) return { item, group, modifier, nested, nestedModifier, third };
          }
        }
      }
    }
  }
  return undefined;
}

/** A selection for each of the three levels of `path`, the rest as few as possible. */
export function threeLevelSelections(path: Deepest): Selection[] {
  const last = path.third.modifiers.find(usable)!;
  const third = { ...selectionOf(path.third, last), nested_selections: [] };
  const others = (groups: readonly ModifierGroup[], group: ModifierGroup): Selection[] =>
    leastSelections(groups.filter((other) => other.id !== group.id));
  const fill = (group: ModifierGroup, used: Modifier): Selection[] =>
    group.modifiers
      .filter((modifier) => usable(modifier) && modifier.id !== used.id)
      .slice(0, Math.max(0, group.min_selections - 1))
      .map((modifier) => selectionOf(group, modifier));
  const second: Selection = {
    ...selectionOf(path.nested, path.nestedModifier),
    nested_selections: [...others(nestedGroupsOf(path.nestedModifier), path.third), third, ...fill(path.third, last)],
  };
  const first: Selection = {
    ...selectionOf(path.group, path.modifier),
    nested_selections: [
      ...others(nestedGroupsOf(path.modifier), path.nested),
      second,
      ...fill(path.nested, path.nestedModifier),
    ],
  };
  return selectionsWith(path.item, path.group, [first, ...fill(path.group, path.modifier)]);
}

/** The cents that selections add to one unit: a nested price counts once for each of the modifier that holds it (gap MENU-7). */
export function selectionCents(groups: readonly ModifierGroup[], selections: readonly Selection[]): number {
  return selections.reduce((total, selection) => {
    const group = groups.find((candidate) => candidate.id === selection.modifier_group_id)!;
    const modifier = group.modifiers.find((candidate) => candidate.id === selection.modifier_id)!;
    const nested = selectionCents(nestedGroupsOf(modifier), selection.nested_selections);
    return total + (modifier.price.amount + nested) * selection.quantity;
  }, 0);
}

export function depthOf(groups: readonly ModifierGroup[]): number {
  if (groups.length === 0) return 0;
  return (
    1 + Math.max(0, ...groups.flatMap((group) => group.modifiers.map((modifier) => depthOf(nestedGroupsOf(modifier)))))
  );
}
