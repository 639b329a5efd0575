import type { ModifierSelectionRequest } from '../../contract/index.js';
import type { IndexedGroup, IndexedItem, IndexedModifier } from '../model/menu-index.js';
import { type MenuProblem, problem } from './problem.js';

/** Groups of the item are level 1; selections below level 3 are refused (gap MENU-9). */
export const DEEPEST_LEVEL = 3;

type Selections = readonly ModifierSelectionRequest[];

/** A list of selections, and what offers the groups for it: the item, or the modifier that holds it. */
interface Level {
  readonly holder: IndexedItem | IndexedModifier;
  readonly selections: Selections;
  /** Path of the array. */
  readonly field: string;
  readonly level: number;
}

/**
 * Every problem of the chosen modifiers: first those of the form, then by the menu, level by level, the selections before
 * the groups.
 */
export function checkSelections(item: IndexedItem, selections: Selections, field: string): MenuProblem[] {
  return [...checkForm(selections, field, 1), ...checkLevel({ holder: item, selections, field, level: 1 })];
}

/** What is wrong whatever the menu says: quantities below 1, and selections nested too deep. */
export function checkForm(selections: Selections, field: string, level: number): MenuProblem[] {
  if (level > DEEPEST_LEVEL) return selections.length > 0 ? [tooDeep(field, level)] : [];
  return selections.flatMap((selection, place) => {
    const path = `${field}[${place}]`;
    const below = checkForm(selection.nested_selections ?? [], `${path}.nested_selections`, level + 1);
    const quantity = quantityOf(selection);
    if (isPositiveInteger(quantity)) return below;
    const message = 'The quantity of a modifier is a whole number from 1 up; leave the selection out for none.';
    return [problem('selection_quantity', `${path}.quantity`, message, { limit: 1, actual: quantity }), ...below];
  });
}

function checkLevel(at: Level): MenuProblem[] {
  // Required groups of the menu below the deepest level cannot be satisfied, and are not asked for.
  if (at.level > DEEPEST_LEVEL) return [];
  return [
    ...at.selections.flatMap((selection, place) => checkSelection(at, selection, place)),
    ...at.holder.groups.flatMap((group) => checkGroup(at, group)),
    ...at.selections.flatMap((selection, place) => checkNested(at, selection, place)),
  ];
}

function checkSelection({ holder, field }: Level, selection: ModifierSelectionRequest, place: number): MenuProblem[] {
  const path = `${field}[${place}]`;
  const group = holder.group(selection.modifier_group_id);
  if (!group)
    return [problem('unknown_group', path, `"${holder.name}" has no such modifier group; choose one of its own.`)];
  const modifier = group.modifier(selection.modifier_id);
  if (!modifier)
    return [problem('unknown_modifier', path, `"${group.name}" has no such modifier; choose one of its own.`)];
  if (modifier.available) return [];
  return [problem('modifier_unavailable', path, `"${modifier.name}" is not available now; choose another one.`)];
}

/** A group with counts that the menu does not state is not judged: the service may accept what cannot be known here. */
function checkGroup({ selections, field }: Level, group: IndexedGroup): MenuProblem[] {
  const chosen = selections.flatMap((selection, place) =>
    selection.modifier_group_id === group.id ? [{ selection, path: `${field}[${place}]` }] : [],
  );
  const problems = group.allowsDuplicates === false ? checkDuplicates(group, chosen) : [];
  const count = countOf(chosen.map(({ selection }) => selection));
  const { minSelections: min, maxSelections: max } = group;
  if (min !== undefined && count < min) {
    const message = `Choose at least ${min} of "${group.name}"; ${count} chosen.`;
    problems.push(problem('too_few_selections', field, message, { limit: min, actual: count }));
  }
  if (max !== undefined && count > max) {
    const message = `Choose at most ${max} of "${group.name}"; ${count} chosen.`;
    problems.push(problem('too_many_selections', firstAbove(chosen, max), message, { limit: max, actual: count }));
  }
  return problems;
}

interface Chosen {
  readonly selection: ModifierSelectionRequest;
  readonly path: string;
}

function checkDuplicates(group: IndexedGroup, chosen: readonly Chosen[]): MenuProblem[] {
  const times = new Map<string, number>();
  return chosen.flatMap(({ selection, path }) => {
    const before = times.get(selection.modifier_id) ?? 0;
    const now = before + countOf([selection]);
    times.set(selection.modifier_id, now);
    if (now <= 1) return [];
    const name = group.modifier(selection.modifier_id)?.name ?? selection.modifier_id;
    const message = `"${name}" can be chosen once in "${group.name}".`;
    return [problem('duplicate_selection', path, message, { limit: 1, actual: now })];
  });
}

/** The selection with which the count passes the maximum. */
function firstAbove(chosen: readonly Chosen[], max: number): string {
  let count = 0;
  for (const { selection, path } of chosen) {
    count += countOf([selection]);
    if (count > max) return path;
  }
  throw new RangeError('No selection is above the maximum.');
}

function checkNested(
  { holder, field, level }: Level,
  selection: ModifierSelectionRequest,
  place: number,
): MenuProblem[] {
  const modifier = holder.group(selection.modifier_group_id)?.modifier(selection.modifier_id);
  if (!modifier) return [];
  const nested = `${field}[${place}].nested_selections`;
  return checkLevel({
    holder: modifier,
    selections: selection.nested_selections ?? [],
    field: nested,
    level: level + 1,
  });
}

function tooDeep(field: string, level: number): MenuProblem {
  const message = `Selections go ${DEEPEST_LEVEL} levels deep at most; leave out what is nested deeper.`;
  return problem('nested_too_deep', `${field}[0]`, message, { limit: DEEPEST_LEVEL, actual: level });
}

/** What counts towards the limits of a group: the sum of the quantities (gap MENU-6). */
export function countOf(selections: Selections): number {
  return selections.reduce((sum, selection) => {
    const quantity = quantityOf(selection);
    return sum + (isPositiveInteger(quantity) ? quantity : 0);
  }, 0);
}

/** The service reads a selection without a quantity as one. */
export function quantityOf(selection: ModifierSelectionRequest): number {
  return selection.quantity ?? 1;
}

export function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
