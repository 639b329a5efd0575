import type { IndexedGroup, IndexedModifier } from '../model/menu-index.js';
import { changedFields, type FieldChanges } from './diff-fields.js';

/** A group or a modifier that came, went, or has other fields; what is inside one that came or went is not listed. */
export interface ModifierChange {
  /** Whether it is a group of modifiers or one modifier. */
  readonly kind: 'group' | 'modifier';
  /** Id of the group or modifier, as the menu writes it. */
  readonly id: string;
  /** Name on the later menu; of a removed one, on the earlier. */
  readonly name: string;
  /** Where it stands; of a removed one, where it stood. */
  readonly path: string;
  /** What happened to it. `'changed'` comes with `fields`. */
  readonly change: 'added' | 'removed' | 'changed';
  /** The fields that differ, with the names that the menu uses: `price`, `available`, `max_selections`, … */
  readonly fields?: FieldChanges;
}

type Place = IndexedGroup | IndexedModifier;

/** What changed among the groups of an item, and below them. */
export function diffGroups(before: readonly IndexedGroup[], after: readonly IndexedGroup[]): ModifierChange[] {
  return diffPlaces(before, after, (old, now) => diffModifiers(old.modifiers, now.modifiers));
}

function diffModifiers(before: readonly IndexedModifier[], after: readonly IndexedModifier[]): ModifierChange[] {
  return diffPlaces(before, after, (old, now) => diffGroups(old.groups, now.groups));
}

function diffPlaces<Kind extends Place>(
  before: readonly Kind[],
  after: readonly Kind[],
  below: (old: Kind, now: Kind) => ModifierChange[],
): ModifierChange[] {
  const old = new Map(before.map((place) => [place.id, place]));
  const now = new Map(after.map((place) => [place.id, place]));
  return [
    ...before.filter(({ id }) => !now.has(id)).map((place) => changeOf(place, 'removed')),
    ...after.flatMap((place) => {
      const previous = old.get(place.id);
      if (!previous) return [changeOf(place, 'added')];
      const fields = changedFields(comparable(previous), comparable(place));
      const own = Object.keys(fields).length > 0 ? [{ ...changeOf(place, 'changed'), fields }] : [];
      return [...own, ...below(previous, place)];
    }),
  ];
}

function comparable(place: Place) {
  return { raw: place.raw, inside: place.kind === 'group' ? place.modifiers : place.groups };
}

function changeOf(place: Place, change: ModifierChange['change']): ModifierChange {
  return { kind: place.kind, id: place.id, name: place.name, path: place.path, change };
}
