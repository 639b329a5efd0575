const WITH_ARTICLE: Readonly<Partial<Record<string, string>>> = { object: 'an object', undefined: 'undefined' };

/** What a value is, in words, for a message that must not show the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isPromiseLike(value)) return 'a promise';
  return WITH_ARTICLE[typeof value] ?? `a ${typeof value}`;
}

/** Whether a caller has most likely forgotten to await. */
export function isPromiseLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** `The cart is null; give …`; of a promise, that it is to be awaited. */
export function notAs(name: string, value: unknown, what: string): string {
  return `${name} is ${kindOf(value)}; ${isPromiseLike(value) ? 'await it, and ' : ''}give ${what}.`;
}
