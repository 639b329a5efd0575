import type { ModifierSelectionRequest } from '../contract/index.js';
import type { IndexedGroup, IndexedItem, IndexedModifier } from './menu-index.js';
import { type MenuProblem, problem } from './problem.js';

/** Groups of the item are level 1; selections below level 3 are refused (gap MENU-9). */
export const DEEPEST_LEVEL = 3;

type Selections = readonly ModifierSelectionRequest[];

/** Whether a selection belongs to what offers the groups: the item, or the modifier that holds it. */
interface Level {
  readonly holder: IndexedItem | IndexedModifier;
  readonly selections: Selections;
  /** Path of the array. */
  readonly field: string;
  readonly level: number;
}

/** Every problem of the chosen modifiers: first the selections, then the groups, then what is nested, level by level. */
export function checkSelections(item: IndexedItem, selections: Selections, field: string): MenuProblem[] {
  return checkLevel({ holder: item, selections, field, level: 1 });
}

function checkLevel(at: Level): MenuProblem[] {
  if (at.level > DEEPEST_LEVEL) return at.selections.length > 0 ? [tooDeep(at)] : [];
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
  const problems: MenuProblem[] = [];
  if (!modifier.available) {
    problems.push(
      problem('modifier_unavailable', path, `"${modifier.name}" is not available now; choose another one.`),
    );
  }
  const quantity = quantityOf(selection);
  if (!isPositiveInteger(quantity)) {
    const message = `The quantity of "${modifier.name}" is a whole number from 1 up; leave the selection out for none.`;
    problems.push(problem('selection_quantity', `${path}.quantity`, message, { limit: 1, actual: quantity }));
  }
  return problems;
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

function tooDeep({ field, level }: Level): MenuProblem {
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
