/**
 * A time of the service, in milliseconds since the epoch: the earliest and the latest that it can be. A time that was
 * written in whole seconds (`14:30:10Z`) may have been cut off; one with a fraction is exact (`14:30:10.000Z`).
 */
export type ServiceTime = readonly [earliest: number, latest: number];

/** `undefined` for what is no date. */
export function serviceTime(date: string | number | Date | null | undefined): ServiceTime | undefined {
  const at = milliseconds(date);
  if (at === undefined) return undefined;
  const isWholeSeconds = typeof date === 'string' && !date.includes('.') && at % 1000 === 0;
  return [at, isWholeSeconds ? at + 999 : at];
}

/** Below zero when the first time is earlier, above when it is later, zero when that is not known. */
export function compareTimes(one: ServiceTime | undefined, other: ServiceTime | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one[1] < other[0]) return -1;
  return one[0] > other[1] ? 1 : 0;
}

export function laterTime(one: ServiceTime | undefined, other: ServiceTime | undefined): ServiceTime | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one[0] >= other[0] ? one : other;
}

/** Milliseconds since the epoch; undefined for what is no date. */
export function milliseconds(date: string | number | Date | null | undefined): number | undefined {
  if (date === null || date === undefined) return undefined;
  const value = new Date(date).getTime();
  return Number.isNaN(value) ? undefined : value;
}

/** A time as the service writes it. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}
