import { isRecord, type RawRecord } from './menu-fields.js';

/** Fields that differ, by name. */
export type FieldChanges = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;

/** Fields of two records that differ; lists of records (groups, modifiers) are compared elsewhere. */
export function changedFields(before: object, after: object, except: readonly string[]): FieldChanges {
  const [old, now] = [before as RawRecord, after as RawRecord];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...names].filter((name) => {
    if (except.includes(name) || holdsRecords(old[name]) || holdsRecords(now[name])) return false;
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

function holdsRecords(value: unknown): boolean {
  return Array.isArray(value) && value.some(isRecord);
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
