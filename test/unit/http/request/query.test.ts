import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryText } from '../../../../src/http/request/query.js';

test('texts, numbers, booleans and dates are written; undefined is left out', () => {
  const at = new Date('2026-01-31T10:00:00Z');

  expect(queryText({ a: 'x y', b: 2, c: false, d: at, e: undefined })).toBe(
    '?a=x%20y&b=2&c=false&d=2026-01-31T10%3A00%3A00.000Z',
  );
});

test('nothing to write is no question mark', () => {
  expect(queryText(undefined)).toBe('');
  expect(queryText({})).toBe('');
  expect(queryText({ a: undefined })).toBe('');
});

test.each([[null], [{}], [[]], [Number.NaN], [Number.POSITIVE_INFINITY], [new Date('x')], ['\ud800']])(
  '%o is refused by name',
  (value) => {
    expect(() => queryText({ status: value as string })).toThrow('The query parameter "status" is not');
  },
);

test('every well-formed text arrives as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, value) => {
      const query = new URL(`https://x.example${`/a${queryText({ [`q${name}`]: value })}`}`).searchParams;
      expect([...query]).toEqual([[`q${name}`, value]]);
    }),
  );
});
