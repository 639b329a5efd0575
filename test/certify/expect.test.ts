import { describe, expect, test } from 'vitest';
import { expect as shipped } from '../../src/certify/suite/expect.js';

// The suite that the package carries has matchers of its own. Each must hold exactly where that of vitest holds.

const VALUES: readonly unknown[] = [
  undefined,
  null,
  0,
  -0,
  1,
  2.5,
  Number.NaN,
  '',
  'one',
  'two words',
  true,
  false,
  [],
  [1],
  [1, 2],
  [2, 1],
  ['one'],
  [{ id: 'a' }],
  {},
  { id: 'a' },
  { id: 'a', more: 1 },
  { id: 'a', more: undefined },
  { inner: { id: 'a', list: [1, { b: 2 }] } },
  { inner: { id: 'a', list: [1, { b: 2, c: 3 }], more: 1 } },
];

const holds = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

type Matcher = 'toBe' | 'toEqual' | 'toContainEqual';

describe('The matchers of the shipped suite hold where those of vitest do', () => {
  test.each<Matcher>(['toBe', 'toEqual', 'toContainEqual'])('%s', (name) => {
    // What holds no list is an error of the test in vitest, with and without `not`.
    for (const actual of name === 'toContainEqual' ? VALUES.filter(Array.isArray) : VALUES) {
      for (const wanted of VALUES) {
        const theirs = holds(() => expect(actual)[name](wanted));
        expect(holds(() => shipped(actual)[name](wanted))).toBe(theirs);
        expect(holds(() => shipped(actual).not[name](wanted))).toBe(holds(() => expect(actual).not[name](wanted)));
      }
    }
  });

  test('toMatchObject', () => {
    for (const actual of VALUES.filter((value) => typeof value === 'object' && value !== null)) {
      for (const wanted of VALUES.filter((value) => typeof value === 'object' && value !== null)) {
        const theirs = holds(() => expect(actual).toMatchObject(wanted as object));
        expect([actual, wanted, holds(() => shipped(actual).toMatchObject(wanted))]).toEqual([actual, wanted, theirs]);
      }
    }
  });

  test('toContain, toMatch, toHaveLength and toHaveProperty', () => {
    for (const actual of VALUES.filter((value) => typeof value === 'string' || Array.isArray(value))) {
      for (const wanted of ['one', 'two', 'o']) {
        const theirs = holds(() => expect(actual).toContain(wanted));
        expect(holds(() => shipped(actual).toContain(wanted))).toBe(theirs);
      }
      for (const wanted of [0, 1, 2, 3]) {
        const theirs = holds(() => expect(actual).toHaveLength(wanted));
        expect(holds(() => shipped(actual).toHaveLength(wanted))).toBe(theirs);
      }
    }
    for (const actual of VALUES) {
      for (const wanted of [/^one$/, 'wo', /\d/]) {
        const theirs = holds(() => expect(actual).toMatch(wanted));
        expect(holds(() => shipped(actual).toMatch(wanted))).toBe(theirs);
      }
    }
    for (const actual of [{ id: 'a' }, {}, { id: undefined }]) {
      expect(holds(() => shipped(actual).toHaveProperty('id'))).toBe(holds(() => expect(actual).toHaveProperty('id')));
      const theirs = holds(() => expect(actual).toHaveProperty('id', 'a'));
      expect(holds(() => shipped(actual).toHaveProperty('id', 'a'))).toBe(theirs);
    }
  });

  test('comparisons of numbers', () => {
    const numbers = [-1, 0, 1, 2.5];
    for (const actual of numbers) {
      for (const wanted of numbers) {
        for (const name of [
          'toBeGreaterThan',
          'toBeGreaterThanOrEqual',
          'toBeLessThan',
          'toBeLessThanOrEqual',
        ] as const) {
          const theirs = holds(() => expect(actual)[name](wanted));
          expect(holds(() => shipped(actual)[name](wanted))).toBe(theirs);
        }
      }
    }
    for (const name of ['toBeGreaterThan', 'toBeLessThanOrEqual'] as const) {
      expect(holds(() => shipped(undefined)[name](1))).toBe(false);
    }
  });

  test('patterns in the place of values', () => {
    for (const actual of VALUES) {
      for (const [theirs, ours] of [
        [expect.any(Number), shipped.any(Number)],
        [expect.any(String), shipped.any(String)],
        [expect.stringMatching(/o/), shipped.stringMatching(/o/)],
        [expect.arrayContaining([1]), shipped.arrayContaining([1])],
        [expect.objectContaining({ id: 'a' }), shipped.objectContaining({ id: 'a' })],
      ]) {
        expect(holds(() => shipped({ at: actual }).toEqual({ at: ours }))).toBe(
          holds(() => expect({ at: actual }).toEqual({ at: theirs })),
        );
      }
    }
  });

  test('a message says what was expected and what was found, and shows no long text', () => {
    expect(() => shipped(404).toBe(409)).toThrow('expected 409, found 404');
    expect(() => shipped(404, 'the response was a page').toBe(409)).toThrow('(the response was a page)');
    const message = (() => {
      try {
        shipped('x'.repeat(500)).toBe('short');
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message.length).toBeLessThan(140);
  });
});
