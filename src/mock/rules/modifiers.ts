import type { MenuItem, ModifierGroup } from '../../contract/index.js';
import type { Refusal } from '../refusals/refusal.js';
import { unprocessable } from '../refusals/refusal.js';
import type { RuleReadings } from '../state/readings.js';

/** One chosen modifier, as the cart keeps it: nothing left out. */
export interface Selection {
  modifier_group_id: string;
  modifier_id: string;
  quantity: number;
  nested_selections: Selection[];
}

const DEEPEST_LEVEL = 3;

/** Holds the selections of an item to its groups, at every level. Throws "Modifier validation failed" with the path. */
export function checkModifiers(
  item: Pick<MenuItem, 'modifier_groups'>,
  selections: readonly Selection[],
  readings: RuleReadings = {},
): void {
  const count = readings['MENU-6'] === 'selections' ? selectionsIn : quantitiesIn;
  checkLevel({ groups: item.modifier_groups ?? [], selections, path: 'modifier_selections', level: 1, count });
}

/** Cents that the selections add to one unit; a nested price counts as often as its holder (gap MENU-7). */
export function modifierCents(
  item: Pick<MenuItem, 'modifier_groups'>,
  selections: readonly Selection[],
  readings: RuleReadings = {},
): number {
  return centsOfLevel(item.modifier_groups ?? [], selections, readings['MENU-7'] !== 'once');
}

/** Whether the menu still has every modifier that was chosen, so that the selections can be priced. */
export function knowsAllModifiers(groups: readonly ModifierGroup[], selections: readonly Selection[]): boolean {
  return selections.every((selection) => {
    const modifier = findModifier(groups, selection);
    return modifier !== undefined && knowsAllModifiers(modifier.modifier_groups ?? [], selection.nested_selections);
  });
}

interface Level {
  readonly groups: readonly ModifierGroup[];
  readonly selections: readonly Selection[];
  readonly path: string;
  readonly level: number;
  readonly count: Count;
}

/** How many selections there are, as limits of a group count them. */
type Count = (selections: readonly Selection[]) => number;

function checkLevel({ groups, selections, path, level, count }: Level): void {
  if (level > DEEPEST_LEVEL) {
    if (selections.length > 0) throw refused(`${path}[0]`, `Selections nest at most ${DEEPEST_LEVEL} levels deep.`);
    return;
  }
  selections.forEach((selection, index) => {
    checkSelection({ groups, selections, index, at: `${path}[${index}]`, count });
    const modifier = findModifier(groups, selection);
    checkLevel({
      groups: modifier?.modifier_groups ?? [],
      selections: selection.nested_selections,
      path: `${path}[${index}].nested_selections`,
      level: level + 1,
      count,
    });
  });
  for (const group of groups)
    checkMinimum(group, count(selections.filter((one) => one.modifier_group_id === group.id)), path);
}

interface SelectionPlace extends Pick<Level, 'groups' | 'selections' | 'count'> {
  readonly index: number;
  readonly at: string;
}

function checkSelection({ groups, selections, index, at, count }: SelectionPlace): void {
  const selection = selections[index]!;
  const group = groups.find(({ id }) => id === selection.modifier_group_id);
  if (!group) throw refused(at, `There is no modifier group "${selection.modifier_group_id}" here.`);

  const modifier = findModifier(groups, selection);
  if (!modifier) throw refused(at, `"${group.name}" has no modifier "${selection.modifier_id}".`);
  if (modifier.available === false) throw refused(at, `"${modifier.name}" is not available.`);

  const before = selections.slice(0, index).filter((other) => other.modifier_group_id === group.id);
  const isRepeated = before.some((other) => other.modifier_id === selection.modifier_id);
  if (!group.allows_duplicates && (isRepeated || selection.quantity > 1)) {
    throw refused(at, `"${group.name}" takes each modifier once.`);
  }
  if (count([...before, selection]) > group.max_selections) {
    throw refused(at, `"${group.name}" takes at most ${group.max_selections} selections.`);
  }
}

function checkMinimum(group: ModifierGroup, count: number, path: string): void {
  if (count >= group.min_selections) return;
  throw refused(path, `"${group.name}" (${group.id}) needs at least ${group.min_selections}, and has ${count}.`);
}

/** Selections are counted by their quantities, or each as one (gap MENU-6). */
const quantitiesIn: Count = (selections) => selections.reduce((count, selection) => count + selection.quantity, 0);
const selectionsIn: Count = (selections) => selections.length;

function centsOfLevel(
  groups: readonly ModifierGroup[],
  selections: readonly Selection[],
  multipliesNested: boolean,
): number {
  return selections.reduce((cents, selection) => {
    const modifier = findModifier(groups, selection);
    if (!modifier) return cents;
    const nested = centsOfLevel(modifier.modifier_groups ?? [], selection.nested_selections, multipliesNested);
    return cents + selection.quantity * modifier.price.amount + (multipliesNested ? selection.quantity : 1) * nested;
  }, 0);
}

function findModifier(groups: readonly ModifierGroup[], selection: Selection) {
  const group = groups.find(({ id }) => id === selection.modifier_group_id);
  return group?.modifiers.find(({ id }) => id === selection.modifier_id);
}

function refused(field: string, detail: string): Refusal {
  return unprocessable('Modifier validation failed', detail, field);
}
