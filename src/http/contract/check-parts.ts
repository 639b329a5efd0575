/** Tells whether a value fits. */
export type Check = (value: unknown) => boolean;

/** What the compiled checks have in common. An array is no object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArrayOf(value: unknown, check: Check): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index += 1) if (!check(value[index])) return false;
  return true;
}

export function isRecordOf(value: unknown, check: Check): boolean {
  if (!isObject(value)) return false;
  for (const name of Object.keys(value)) if (name !== '__proto__' && !check(value[name])) return false;
  return true;
}

/** For the objects of requests that take no other fields; a field that is `undefined` is not sent. */
export function hasOnly(value: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean {
  for (const name in value) {
    if (value[name] !== undefined && name !== '__proto__' && !fields.includes(name)) return false;
  }
  return true;
}

export function isAnything(): boolean {
  return true;
}

let hasNew = false;

/**
 * Notes whether a value of an open enumeration is one that this version knows. Always true: a new one is no difference.
 * Looking for new values in a way of their own took a twentieth of a GET.
 */
export function noted(isKnown: boolean): true {
  if (!isKnown) hasNew = true;
  return true;
}

/** Runs a check; what it noted is told by {@link hasNewValues} until the next one runs. */
export function runCheck(check: Check, value: unknown): boolean {
  hasNew = false;
  return check(value);
}

/** True when the last check met a value that this version does not know; of a value that did not fit, it may not know. */
export function hasNewValues(): boolean {
  return hasNew;
}
