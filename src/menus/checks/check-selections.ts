import type { ModifierSelectionRequest } from '../../contract/index.js';
import { isPositiveInteger, quantityOf } from '../model/cart-lines.js';
import { sameId } from '../model/menu-fields.js';
import type { IndexedGroup, IndexedItem, IndexedModifier } from '../model/menu-index.js';
import { readingsOf } from '../model/readings.js';
import { type MenuProblem, problem } from './problem.js';

/** Groups of the item are level 1; selections below level 3 are refused (gap MENU-9). */
export const DEEPEST_LEVEL = 3;

type Selections = readonly ModifierSelectionRequest[];

/** A list of selections, and what offers the groups for it: the item, or the modifier that holds it, if the menu has it. */
interface Level {
  readonly holder: IndexedItem | IndexedModifier | undefined;
  readonly selections: Selections;
  /** Path of the array. */
  readonly field: string;
  readonly level: number;
  readonly count: Count;
}

/** How many selections there are, as limits count them. */
type Count = (selections: Selections) => number;

/** What is below is refused as too deep; selections may hold themselves. */
const DEEPEST_READ = 8;

/** What is wrong with the form of the selections, whatever the menu says: quantities below 1. */
export function checkForm(selections: Selections, field: string, level = 1): MenuProblem[] {
  if (level > DEEPEST_READ) return [];
  return selections.flatMap((selection, place) => {
    const path = `${field}[${place}]`;
    const below = checkForm(selection.nested_selections ?? [], `${path}.nested_selections`, level + 1);
    const quantity = quantityOf(selection);
    if (isPositiveInteger(quantity)) return below;
    const message = 'The quantity of a modifier is a whole number from 1 up; leave the selection out for none.';
    return [problem('selection_quantity', `${path}.quantity`, message, { limit: 1, actual: quantity }), ...below];
  });
}

/**
 * Every problem of the chosen modifiers by the menu, in the order in which the service meets them: each selection with
 * what is nested in it, then the groups of which too little is chosen (gap MENU-13).
 */
export function checkSelections(item: IndexedItem, selections: Selections, field: string): MenuProblem[] {
  return checkLevel({ holder: item, selections, field, level: 1, count: counterOf(item) });
}

/** Selections nested too deep; all that can be said of an item that is not on the menu. */
export function checkDepth(selections: Selections, field: string): MenuProblem[] {
  return checkLevel({ holder: undefined, selections, field, level: 1, count: countOf });
}

function checkLevel(at: Level): MenuProblem[] {
  const { holder, selections, field, level, count } = at;
  // Required groups of the menu below the deepest level cannot be satisfied, and are not asked for.
  if (level > DEEPEST_LEVEL) return selections.length > 0 ? [tooDeep(field, level)] : [];
  const own = selections.flatMap((selection, place) => [
    ...(holder ? checkSelection(holder, at, place) : []),
    ...checkLevel({
      holder: holder?.group(selection.modifier_group_id)?.modifier(selection.modifier_id),
      selections: selection.nested_selections ?? [],
      field: `${field}[${place}].nested_selections`,
      level: level + 1,
      count,
    }),
  ]);
  return [...own, ...(holder?.groups ?? []).flatMap((group) => checkMinimum(at, group))];
}

function checkSelection(holder: IndexedItem | IndexedModifier, at: Level, place: number): MenuProblem[] {
  const selection = at.selections[place]!;
  const path = `${at.field}[${place}]`;
  const group = holder.group(selection.modifier_group_id);
  if (!group)
    return [problem('unknown_group', path, `"${holder.name}" has no such modifier group; choose one of its own.`)];
  const modifier = group.modifier(selection.modifier_id);
  const problems: MenuProblem[] = [];
  if (!modifier) {
    problems.push(problem('unknown_modifier', path, `"${group.name}" has no such modifier; choose one of its own.`));
  } else if (!modifier.available) {
    problems.push(
      problem('modifier_unavailable', path, `"${modifier.name}" is not available now; choose another one.`),
    );
  }
  return [...problems, ...checkCounts(group, at, place)];
}

/** What the selection makes of its group, together with those before it. A limit that the menu does not state is none. */
function checkCounts(group: IndexedGroup, { selections, field, count }: Level, place: number): MenuProblem[] {
  const selection = selections[place]!;
  const path = `${field}[${place}]`;
  const before = selections.slice(0, place).filter((other) => sameId(other.modifier_group_id, group.id));
  const same = before.filter((other) => sameId(other.modifier_id, selection.modifier_id));
  const times = countOf([...same, selection]);
  const problems: MenuProblem[] = [];
  if (group.allowsDuplicates === false && times > 1) {
    const name = group.modifier(selection.modifier_id)?.name ?? 'What the group does not have';
    const message = `"${name}" can be chosen once in "${group.name}".`;
    problems.push(problem('duplicate_selection', path, message, { limit: 1, actual: times }));
  }
  const max = group.maxSelections;
  const countBefore = count(before);
  if (max !== undefined && countBefore <= max && count([...before, selection]) > max) {
    // Reported once, at the selection that exceeds the maximum, with the count of all.
    const actual = count(selections.filter((other) => sameId(other.modifier_group_id, group.id)));
    const message = `Choose at most ${max} of "${group.name}"; ${actual} chosen.`;
    problems.push(problem('too_many_selections', path, message, { limit: max, actual }));
  }
  return problems;
}

function checkMinimum({ selections, field, count: countAll }: Level, group: IndexedGroup): MenuProblem[] {
  const count = countAll(selections.filter((selection) => sameId(selection.modifier_group_id, group.id)));
  const { minSelections: min } = group;
  if (min === undefined || count >= min) return [];
  const message = `Choose at least ${min} of "${group.name}"; ${count} chosen.`;
  return [problem('too_few_selections', field, message, { limit: min, actual: count })];
}

function tooDeep(field: string, level: number): MenuProblem {
  const message = `Selections go ${DEEPEST_LEVEL} levels deep at most; leave out what is nested deeper.`;
  return problem('nested_too_deep', `${field}[0]`, message, { limit: DEEPEST_LEVEL, actual: level });
}

/** What counts towards the limits of a group, as the profile of the index says (gap MENU-6). */
export function counterOf(item: IndexedItem): Count {
  return readingsOf(item).countsQuantities ? countOf : (selections) => selections.length;
}

/** The sum of the quantities. */
export function countOf(selections: Selections): number {
  return selections.reduce((sum, selection) => {
    const quantity = quantityOf(selection);
    return sum + (isPositiveInteger(quantity) ? quantity : 0);
  }, 0);
}
