import { Differs } from './outcome.js';

// The matchers of the contract suite, with the meaning that they have in vitest; a message says what differs in values that
// are short and plain, for it goes into a report.

const MATCHES = Symbol('matches');

/** A pattern that stands in the place of a value. */
interface Pattern {
  [MATCHES](actual: unknown): boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Outcome = readonly [holds: boolean, wanted: string];
type Matcher = (actual: unknown, ...expected: never[]) => Outcome;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isPattern = (value: unknown): value is Pattern => isFields(value) && MATCHES in value;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const pattern = (matches: (actual: unknown) => boolean): Pattern => ({ [MATCHES]: matches });
const namesOf = (value: Fields): string[] => Object.keys(value).filter((name) => value[name] !== undefined);

/** Equal in content; fields that are `undefined` count as missing. */
export function equals(actual: unknown, expected: unknown): boolean {
  if (isPattern(expected)) return expected[MATCHES](actual);
  if (isPattern(actual)) return actual[MATCHES](expected);
  if (Object.is(actual, expected)) return true;
  if (!isFields(actual) || !isFields(expected) || isList(actual) !== isList(expected)) return false;
  if (actual instanceof Set && expected instanceof Set) return equals([...actual].sort(), [...expected].sort());
  if (isList(actual) && isList(expected)) {
    return actual.length === expected.length && actual.every((one, index) => equals(one, expected[index]));
  }
  const names = new Set([...namesOf(actual), ...namesOf(expected)]);
  return [...names].every((name) => equals(actual[name], expected[name]));
}

/** Holds what is expected, and may hold more fields. */
export function includes(actual: unknown, expected: unknown): boolean {
  if (isPattern(expected)) return expected[MATCHES](actual);
  if (isList(expected)) {
    return isList(actual) && actual.length === expected.length && expected.every((one, i) => includes(actual[i], one));
  }
  if (!isFields(expected)) return Object.is(actual, expected);
  return (
    isFields(actual) && Object.keys(expected).every((name) => name in actual && includes(actual[name], expected[name]))
  );
}

const matchesText = (actual: unknown, expected: string | RegExp): boolean =>
  typeof actual === 'string' && (typeof expected === 'string' ? actual.includes(expected) : expected.test(actual));

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'string') return actual.includes(String(expected));
  return isList(actual) || actual instanceof Set ? [...actual].some((one) => Object.is(one, expected)) : false;
}

const LONGEST_TEXT = 80;

/** A value as a report may show it. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value);
  if (value instanceof RegExp || !isFields(value)) return String(value);
  if (isPattern(value)) return 'what is expected';
  const text = JSON.stringify(value) ?? '';
  if (text.length <= LONGEST_TEXT) return text;
  return isList(value) ? `a list of ${value.length}` : `an object with ${namesOf(value).slice(0, 6).join(', ')}`;
}

const compared =
  (word: string, holds: (actual: number, expected: number) => boolean) =>
  (actual: unknown, expected: number): Outcome => [holds(actual as number, expected), `${word} ${expected}`];

function threw(actual: unknown, expected?: RegExp | string): Outcome {
  try {
    if (typeof actual === 'function') actual();
    return [false, 'an error'];
  } catch (error) {
    return [expected === undefined || matchesText(String(error), expected), 'an error'];
  }
}

function property(actual: unknown, path: string, ...value: readonly unknown[]): Outcome {
  const parent = isFields(actual) && path in actual ? actual : undefined;
  const holds = parent !== undefined && (value.length === 0 || equals(parent[path], value[0]));
  return [holds, `a field ${path}${value.length > 0 ? ` of ${shown(value[0])}` : ''}`];
}

const MATCHERS = {
  toBe: (actual, expected: unknown) => [Object.is(actual, expected), shown(expected)],
  toEqual: (actual, expected: unknown) => [equals(actual, expected), shown(expected)],
  toMatchObject: (actual, expected: unknown) => [includes(actual, expected), `one with ${shown(expected)}`],
  toMatch: (actual, expected: string | RegExp) => [
    matchesText(actual, expected),
    `one that matches ${shown(expected)}`,
  ],
  toContain: (actual, expected: unknown) => [contains(actual, expected), `one with ${shown(expected)}`],
  toContainEqual: (actual, expected: unknown) => [
    isList(actual) && actual.some((one) => equals(one, expected)),
    `one with ${shown(expected)}`,
  ],
  toHaveLength: (actual, expected: number) => [
    (actual as { length?: number }).length === expected,
    `a length of ${expected}`,
  ],
  toHaveProperty: property,
  toBeNull: (actual) => [actual === null, 'null'],
  toBeUndefined: (actual) => [actual === undefined, 'no value'],
  toBeDefined: (actual) => [actual !== undefined, 'a value'],
  toBeGreaterThan: compared('more than', (a, b) => a > b),
  toBeGreaterThanOrEqual: compared('at least', (a, b) => a >= b),
  toBeLessThan: compared('less than', (a, b) => a < b),
  toBeLessThanOrEqual: compared('at most', (a, b) => a <= b),
  toThrow: threw,
} satisfies Readonly<Record<string, Matcher>>;

type Matchers = { readonly [Name in keyof typeof MATCHERS]: (...expected: readonly unknown[]) => void };

function matchersOf(actual: unknown, remark: string | undefined, isNot: boolean): Matchers {
  const entries = Object.entries(MATCHERS).map(([name, matcher]) => [
    name,
    (...expected: never[]) => {
      const [holds, wanted] = (matcher as Matcher)(actual, ...expected);
      if (holds !== isNot) return;
      const about = remark ? ` (${remark})` : '';
      throw new Differs(`expected ${isNot ? 'not ' : ''}${wanted}, found ${shown(actual)}${about}`);
    },
  ]);
  return Object.fromEntries(entries) as Matchers;
}

function expectation(actual: unknown, remark?: string) {
  return { ...matchersOf(actual, remark, false), not: matchersOf(actual, remark, true) };
}

/** `expect` of vitest, as far as the contract suite uses it. */
export const expect = Object.assign(expectation, {
  any: (type: new (...args: never[]) => unknown) =>
    pattern((actual) => actual !== undefined && actual !== null && (actual as object).constructor === type),
  arrayContaining: (expected: readonly unknown[]) =>
    pattern((actual) => isList(actual) && expected.every((one) => actual.some((other) => equals(other, one)))),
  objectContaining: (expected: Fields) =>
    pattern(
      (actual) => isFields(actual) && Object.keys(expected).every((name) => equals(actual[name], expected[name])),
    ),
  stringMatching: (expected: RegExp | string) => pattern((actual) => matchesText(actual, expected)),
});
