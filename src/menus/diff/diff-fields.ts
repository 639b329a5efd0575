import { isRecord, type MenuRecord } from '../model/menu-fields.js';

/** A value of a field, before and after; `undefined` where the field was absent. */
export interface FieldChange {
  /** As the earlier menu had it. */
  readonly before: unknown;
  /** As the later menu has it. */
  readonly after: unknown;
}

/** Fields that differ, by name. */
export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** A part of a menu with what the index found inside it, which is compared elsewhere. */
export interface Comparable {
  readonly raw: object;
  readonly inside: readonly { readonly raw: object }[];
}

/** Fields that differ, but for those named in `except` and the lists of what is inside. */
export function changedFields(before: Comparable, after: Comparable, except: readonly string[] = []): FieldChanges {
  const [old, now] = [before.raw as MenuRecord, after.raw as MenuRecord];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...names].filter((name) => {
    if (except.includes(name) || isInside(before, old[name]) || isInside(after, now[name])) return false;
    return !sameValue(old[name], now[name]) && !(isEmptyList(old[name]) && isEmptyList(now[name]));
  });
  return Object.fromEntries(changed.map((name) => [name, { before: old[name], after: now[name] }]));
}

/** Whether two values from JSON are the same; the order of fields does not matter. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((entry, place) => sameValue(entry, other[place]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameValue(one[name], other[name]));
}

function isInside({ inside }: Comparable, value: unknown): boolean {
  return Array.isArray(value) && inside[0] !== undefined && value.includes(inside[0].raw);
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
