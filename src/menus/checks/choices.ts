import type { ModifierSelectionRequest, Money } from '../../contract/index.js';
import { givenSelections } from '../model/given.js';
import { sameId } from '../model/menu-fields.js';
import {
  type IndexedGroup,
  type IndexedItem,
  type IndexedModifier,
  type MenuOrIndex,
  toIndex,
} from '../model/menu-index.js';
import { counterOf, countOf, DEEPEST_LEVEL } from './check-selections.js';

/** One modifier group, what is chosen in it, and what may still be. */
export interface GroupChoice {
  /** Id of the group: `modifier_group_id` of the selections in it. */
  readonly groupId: string;
  /** Name on the menu, for a heading. */
  readonly name: string;
  /** Path of the array that holds its selections: `modifier_selections`, `modifier_selections[0].nested_selections`. */
  readonly field: string;
  /** What is chosen, quantities included. */
  readonly chosen: number;
  /** How many must still be chosen; 0 when the group is satisfied. */
  readonly stillRequired: number;
  /** How many more may be chosen; `null` without a limit. */
  readonly stillAllowed: number | null;
  /** Every modifier of the group in the order of the menu, those that cannot be chosen too. */
  readonly modifiers: readonly ModifierChoice[];
}

/** One modifier of a group. */
export interface ModifierChoice {
  /** Id of the modifier: `modifier_id` of its selections. */
  readonly modifierId: string;
  /** Name on the menu. */
  readonly name: string;
  /** What it adds per unit; `null` when the menu does not say. */
  readonly price: Money | null;
  /** False when the menu says that it cannot be chosen now. */
  readonly available: boolean;
  /** True when the menu proposes it. */
  readonly isDefault: boolean;
  /** How often it is chosen. */
  readonly chosen: number;
  /** How often it may be chosen in addition; 0 when it may not, `null` without a limit. */
  readonly stillAllowed: number | null;
  /** Nested groups of each selection of this modifier, and before it is chosen those that choosing it would open. */
  readonly nested: readonly NestedChoice[];
}

/** What a chosen modifier asks in its turn, or would ask. */
export interface NestedChoice {
  /** Path of the selection: `modifier_selections[0]`; `null` while the modifier is not chosen. */
  readonly selection: string | null;
  /** The nested groups in the order of the menu, each with what is chosen below this selection. */
  readonly groups: readonly GroupChoice[];
}

/**
 * Lists what may still be picked for an item, group by group and level by level: what a user interface shows next.
 *
 * @param itemId - Id of the item on the menu.
 * @param selections - What is picked so far, as it will be sent; an empty list at the start.
 * @returns The groups of the item in the order of the menu, or `null` when the menu has no such item.
 * @throws {RequestValidationError} The selections are no list of objects; `field` says where.
 * @throws {ConfigurationError} What was given for the menu is none.
 * @see Interface document, "ModifierSelection"
 */
export function choices(
  menu: MenuOrIndex,
  itemId: string,
  selections: readonly ModifierSelectionRequest[] = [],
): GroupChoice[] | null {
  const item = toIndex(menu).item(itemId);
  if (!item) return null;
  const currency = item.raw.base_price?.currency ?? 'USD';
  return groupChoices({
    holder: item,
    selections: givenSelections(selections, 'modifier_selections'),
    field: 'modifier_selections',
    level: 1,
    currency,
    count: counterOf(item),
  });
}

interface Level {
  readonly holder: IndexedItem | IndexedModifier;
  readonly selections: readonly ModifierSelectionRequest[];
  readonly field: string;
  readonly level: number;
  readonly currency: string;
  readonly count: ReturnType<typeof counterOf>;
}

function groupChoices(at: Level): GroupChoice[] {
  if (at.level > DEEPEST_LEVEL) return [];
  return at.holder.groups.map((group) => groupChoice(at, group));
}

function groupChoice(at: Level, group: IndexedGroup): GroupChoice {
  const chosen = at.count(at.selections.filter((selection) => sameId(selection.modifier_group_id, group.id)));
  const stillAllowed = group.maxSelections === undefined ? null : Math.max(0, group.maxSelections - chosen);
  return {
    groupId: group.id,
    name: group.name,
    field: at.field,
    chosen,
    stillRequired: Math.max(0, (group.minSelections ?? 0) - chosen),
    stillAllowed,
    modifiers: group.modifiers.map((modifier) => modifierChoice(at, modifier, stillAllowed)),
  };
}

function modifierChoice(at: Level, modifier: IndexedModifier, leftInGroup: number | null): ModifierChoice {
  const own = at.selections.flatMap((selection, place) =>
    sameId(selection.modifier_group_id, modifier.parent.id) && sameId(selection.modifier_id, modifier.id)
      ? [{ selection, path: `${at.field}[${place}]` }]
      : [],
  );
  const chosen = countOf(own.map(({ selection }) => selection));
  return {
    modifierId: modifier.id,
    name: modifier.name,
    price: priceOfModifier(modifier, at.currency),
    available: modifier.available,
    isDefault: modifier.isDefault,
    chosen,
    stillAllowed: stillAllowedOf(modifier, chosen, leftInGroup),
    nested: modifier.groups.length === 0 ? [] : nestedChoices(at, modifier, own),
  };
}

function stillAllowedOf(modifier: IndexedModifier, chosen: number, leftInGroup: number | null): number | null {
  if (!modifier.available) return 0;
  if (modifier.parent.allowsDuplicates !== false) return leftInGroup;
  return chosen > 0 ? 0 : Math.min(1, leftInGroup ?? 1);
}

function nestedChoices(
  at: Level,
  modifier: IndexedModifier,
  own: readonly { selection: ModifierSelectionRequest; path: string }[],
): NestedChoice[] {
  const below = { holder: modifier, level: at.level + 1, currency: at.currency, count: at.count };
  if (below.level > DEEPEST_LEVEL) return [];
  if (own.length === 0) {
    const field = `${at.field}[${at.selections.length}].nested_selections`;
    return [{ selection: null, groups: groupChoices({ ...below, selections: [], field }) }];
  }
  return own.map(({ selection, path }) => ({
    selection: path,
    groups: groupChoices({
      ...below,
      selections: selection.nested_selections ?? [],
      field: `${path}.nested_selections`,
    }),
  }));
}

function priceOfModifier(modifier: IndexedModifier, currency: string): Money | null {
  if (modifier.priceCents === undefined) return null;
  return { amount: modifier.priceCents, currency: modifier.priceCurrency ?? currency };
}
