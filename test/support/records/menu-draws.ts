import fc from 'fast-check';
import type {
  CartItemRequest,
  Menu,
  MenuItem,
  Modifier,
  ModifierGroup,
  ModifierSelection,
} from '../../../src/contract/index.js';

/**
 * Draws menus and cart items, valid and not. Ids come from small pools, so that groups and modifiers with one id stand in
 * several places with other limits, and a wrong id is often one that exists elsewhere.
 */
export type Draw = fc.GeneratorValue;

const uuid = (kind: string, number: number): string =>
  `${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`;
const pool = (kind: string, size: number): string[] => Array.from({ length: size }, (_, number) => uuid(kind, number));

const itemIds = pool('1', 3);
const groupIds = pool('2', 5);
const modifierIds = pool('3', 5);
export const unknownId = uuid('9', 9);

const integer = (draw: Draw, min: number, max: number): number => draw(fc.integer, { min, max });
const chance = (draw: Draw, percent: number): boolean => integer(draw, 1, 100) <= percent;
const oneOf = <Value>(draw: Draw, values: readonly Value[]): Value => values[integer(draw, 0, values.length - 1)]!;
const someOf = (draw: Draw, values: readonly string[], most: number, least = 0): string[] =>
  draw(fc.subarray<string>, [...values], { minLength: least, maxLength: most });

/** `HH:MM`, on the quarter of the hour. */
function timeOfDay(draw: Draw): string {
  return `${String(integer(draw, 0, 23)).padStart(2, '0')}:${oneOf(draw, ['00', '15', '30', '45'])}`;
}

function drawGroup(draw: Draw, id: string, level: number): ModifierGroup {
  const allows_duplicates = chance(draw, 40);
  const min_selections = oneOf(draw, [0, 0, 0, 1, 1, 2]);
  const max_selections = min_selections + oneOf(draw, [0, 1, 1, 2, 3]);
  const modifiers = someOf(draw, modifierIds, 4, 1).map((modifierId) => drawModifier(draw, modifierId, level));
  return { id, name: `Group ${id.slice(-2)}`, min_selections, max_selections, allows_duplicates, modifiers };
}

function drawModifier(draw: Draw, id: string, level: number): Modifier {
  const nested = level < 4 && chance(draw, 40) ? someOf(draw, groupIds, 2) : [];
  return {
    id,
    name: `Modifier ${id.slice(-2)}`,
    price: { amount: integer(draw, 0, 300), currency: 'USD' },
    ...(chance(draw, 8) && { available: false }),
    modifier_groups: nested.map((groupId) => drawGroup(draw, groupId, level + 1)),
  };
}

function drawItem(draw: Draw, id: string): MenuItem {
  const windowed = chance(draw, 12);
  return {
    id,
    name: `Item ${id.slice(-2)}`,
    description: '',
    base_price: { amount: integer(draw, 50, 2000), currency: 'USD' },
    available: chance(draw, 96),
    age_verification_required: false,
    minimum_age: null,
    max_allowed_quantity: oneOf(draw, [null, null, 1, 2, 4]),
    tender_restriction_level: oneOf(draw, [null, 'NONE', 'RESTRICTED', 'RESTRICTED']),
    allowed_tenders: oneOf(draw, [null, ['CASH'], ['EBT'], ['CREDIT_CARD', 'FUTURE']]),
    non_discountable: false,
    daily_sales_start_time: windowed && chance(draw, 80) ? timeOfDay(draw) : null,
    daily_sales_end_time: windowed && chance(draw, 80) ? timeOfDay(draw) : null,
    modifier_groups: someOf(draw, groupIds, 3, 1).map((groupId) => drawGroup(draw, groupId, 1)),
  };
}

export function drawItems(draw: Draw): MenuItem[] {
  return itemIds.slice(0, integer(draw, 1, 3)).map((id) => drawItem(draw, id));
}

/** The menu with these items and nothing else. */
export function menuWith(menu: Menu, items: MenuItem[]): Menu {
  return { ...menu, categories: [{ id: uuid('5', 1), name: 'Drawn', sort_order: 1, items }] };
}

/** A cart item that is valid as far as the menu allows it. */
export function drawValidItem(draw: Draw, items: readonly MenuItem[]): CartItemRequest {
  const item = oneOf(draw, items);
  return {
    menu_item_id: item.id,
    quantity: oneOf(draw, [1, 1, 1, 2, 3]),
    modifier_selections: drawSelections(draw, item.modifier_groups ?? [], 1),
  };
}

function drawSelections(draw: Draw, groups: readonly ModifierGroup[], level: number): ModifierSelection[] {
  if (level > 3) return [];
  return groups.flatMap((group) => {
    const offered = group.modifiers.filter(({ available }) => available !== false);
    const count = integer(draw, group.min_selections, group.max_selections);
    if (offered.length === 0) return [];
    if (!group.allows_duplicates)
      return offered.slice(0, count).map((modifier) => select(draw, group, modifier, [1, level]));
    const modifier = oneOf(draw, offered);
    return count === 0 ? [] : [select(draw, group, modifier, [count, level])];
  });
}

function select(
  draw: Draw,
  group: ModifierGroup,
  modifier: Modifier,
  [quantity, level]: [number, number],
): ModifierSelection {
  const nested_selections = drawSelections(draw, modifier.modifier_groups ?? [], level + 1);
  return { modifier_group_id: group.id, modifier_id: modifier.id, quantity, nested_selections };
}

/** The same item with one slip, of the kinds that partners make. */
export function withSlip(draw: Draw, item: CartItemRequest, items: readonly MenuItem[]): CartItemRequest {
  const slipped = structuredClone(item);
  const groups = items.find(({ id }) => id === item.menu_item_id)?.modifier_groups ?? [];
  const lists = listsOf(slipped.modifier_selections as ModifierSelection[]);
  const list = oneOf(draw, lists);
  const selection = list.length > 0 ? oneOf(draw, list) : undefined;
  const kind = oneOf(draw, [
    'quantity',
    'item',
    'add',
    'add',
    'more',
    'more',
    'remove',
    'repeat',
    'count',
    'group',
    'modifier',
    'nest',
    'deep',
  ]);
  if (kind === 'quantity') slipped.quantity = oneOf(draw, [0, -1, 4, 5, 9]);
  else if (kind === 'item') slipped.menu_item_id = oneOf(draw, [unknownId, ...itemIds]);
  else if (kind === 'more') lists[0]!.push(...someSelection(draw, groups));
  else if (kind === 'add' || !selection) list.push(anySelection(draw));
  else if (kind === 'remove') list.splice(list.indexOf(selection), 1);
  else if (kind === 'repeat') list.push(structuredClone(selection));
  else if (kind === 'count') selection.quantity = oneOf(draw, [0, 2, 3, 6]);
  else if (kind === 'group') selection.modifier_group_id = oneOf(draw, [unknownId, ...groupIds]);
  else if (kind === 'modifier') selection.modifier_id = oneOf(draw, [unknownId, ...modifierIds]);
  else if (kind === 'nest') selection.nested_selections.push(anySelection(draw));
  else deepest(selection).nested_selections.push(anySelection(draw));
  return slipped;
}

/** Every list of selections, the outermost first. */
function listsOf(selections: ModifierSelection[]): ModifierSelection[][] {
  return [selections, ...selections.flatMap(({ nested_selections }) => listsOf(nested_selections))];
}

function deepest(selection: ModifierSelection): ModifierSelection {
  const [first] = selection.nested_selections;
  return first ? deepest(first) : selection;
}

/** One more selection that the groups offer, with the required ones below it. */
function someSelection(draw: Draw, groups: readonly ModifierGroup[]): ModifierSelection[] {
  if (groups.length === 0) return [];
  const group = oneOf(draw, groups);
  return [select(draw, group, oneOf(draw, group.modifiers), [oneOf(draw, [1, 1, 2]), 1])];
}

function anySelection(draw: Draw): ModifierSelection {
  return {
    modifier_group_id: oneOf(draw, groupIds),
    modifier_id: oneOf(draw, modifierIds),
    quantity: oneOf(draw, [1, 1, 2]),
    nested_selections: [],
  };
}
