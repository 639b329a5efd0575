/** What a value given to the service by its user must be. */
export interface Check<T> {
  /** What to write, for messages: `true or false`. */
  readonly write: string;
  /** True when the value may be left out. */
  readonly optional?: boolean;
  /** The first thing that is wrong with a value, which stands at the path `at` (empty: it is the whole); undefined when nothing is. */
  problem(value: unknown, at: string): string | undefined;
  /** Carries the type; never set. */
  readonly type?: T;
}

export type Shape<T> = { readonly [Name in keyof T]-?: Check<T[Name]> };

/**
 * The value, held to a check. `of` says in messages what it was given to: `createMockService`.
 *
 * @throws TypeError that names what is wrong, and says what to write.
 */
export function demand<T>(of: string, value: unknown, check: Check<T>): T {
  const problem = check.problem(value, '');
  if (problem !== undefined) throw new TypeError(`${of}: ${problem}`);
  return value as T;
}

/** A check of a single value. */
export function valueThat<T>(write: string, accepts: (value: unknown) => boolean): Check<T> {
  return {
    write,
    problem: (value, at) => {
      if (accepts(value)) return undefined;
      if (value === undefined) return `${named(at)} is missing; write ${write}.`;
      return `${named(at)} is ${inWords(value)}; write ${write}.`;
    },
  };
}

export function oneOf<T extends string>(...values: readonly T[]): Check<T> {
  return valueThat(values.map((value) => `'${value}'`).join(' or '), (value) => values.some((one) => one === value));
}

export const trueOrFalse: Check<boolean> = valueThat('true or false', (value) => typeof value === 'boolean');

export const text: Check<string> = valueThat(
  'a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);

export function wholeNumber(smallest: number, write: string, largest = Number.MAX_SAFE_INTEGER): Check<number> {
  return valueThat(
    write,
    (value) => Number.isSafeInteger(value) && (value as number) >= smallest && (value as number) <= largest,
  );
}

export function matching(write: string, pattern: RegExp): Check<string> {
  return valueThat(write, (value) => typeof value === 'string' && pattern.test(value));
}

/** The check, for a value that may be left out. */
export const optional = <T>(check: Check<T>): Check<T | undefined> => ({
  write: check.write,
  optional: true,
  problem: (value, at) => (value === undefined ? undefined : check.problem(value, at)),
});

export const nullOr = <T>(check: Check<T>): Check<T | null> => ({
  write: `${check.write}, or null`,
  problem: (value, at) => (value === null ? undefined : check.problem(value, at)),
});

export function eitherOf<T>(first: Check<T>, ...others: readonly Check<T>[]): Check<T> {
  const checks = [first, ...others];
  return valueThat(checks.map(({ write }) => write).join(', or '), (value) =>
    checks.some((check) => check.problem(value, '') === undefined),
  );
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return {
    write: 'a list',
    problem: (value, at) => {
      if (!Array.isArray(value)) return `${named(at)} is ${inWords(value)}; write a list.`;
      return first(value.map((entry, index) => () => check.problem(entry, `${at}[${index}]`)));
    },
  };
}

/** An object of values under names that are free. */
export function valuesOf<T>(check: Check<T>, write: string): Check<Readonly<Record<string, T>>> {
  return {
    write,
    problem: (value, at) => {
      if (!isRecord(value)) return `${named(at)} is ${inWords(value)}; write ${write}.`;
      return first(
        Object.entries(value).map(
          ([name, entry]) =>
            () =>
              check.problem(entry, `${below(at, name)}`),
        ),
      );
    },
  };
}

export interface ShapeOptions {
  /** What a field is called in messages. @defaultValue 'field' */
  readonly called?: string;
  /** Whether fields that are not in the shape pass: records may have fields of the future. @defaultValue false */
  readonly open?: boolean;
}

/** An object with the fields of `shape`. */
export function objectOf<T>(shape: Shape<T>, { called = 'field', open = false }: ShapeOptions = {}): Check<T> {
  const names = Object.keys(shape);
  return {
    write: 'an object',
    problem: (value, at) => {
      if (!isRecord(value)) return `${named(at)} is ${inWords(value)}; write an object with ${names.join(', ')}.`;
      const stranger = open ? undefined : Object.keys(value).find((name) => !Object.hasOwn(shape, name));
      if (stranger !== undefined)
        return `${named(at)} has no ${called} "${stranger}"; write one of ${names.join(', ')}.`;
      const checks = Object.entries<Check<unknown>>(shape);
      return first(
        checks.map(
          ([name, check]) =>
            () =>
              check.problem(value[name], below(at, name)),
        ),
      );
    },
  };
}

/** The shape with every field optional. */
export function optionalFields<T>(shape: Shape<T>): Shape<{ readonly [Name in keyof T]?: T[Name] | undefined }> {
  const fields = Object.entries<Check<unknown>>(shape).map(([name, check]) => [name, optional(check)]);
  return Object.fromEntries(fields) as Shape<{ readonly [Name in keyof T]?: T[Name] | undefined }>;
}

/** A check that asks itself again, for records that contain records of their kind. */
export const lazily = <T>(write: string, check: () => Check<T>): Check<T> => ({
  write,
  problem: (value, at) => check().problem(value, at),
});

function first(problems: readonly (() => string | undefined)[]): string | undefined {
  for (const problem of problems) {
    const found = problem();
    if (found !== undefined) return found;
  }
  return undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const named = (at: string): string => (at === '' ? 'it' : `"${at}"`);
const below = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

function inWords(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value === undefined) return 'missing';
  const written = JSON.stringify(value) ?? String(value);
  return written.length > 80 ? `${written.slice(0, 80)}…` : written;
}
