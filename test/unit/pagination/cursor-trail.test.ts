import { expect, test } from 'vitest';
import { CursorTrail } from '../../../src/pagination/cursor-trail.js';

test('a trail knows its own cursors and no later ones', () => {
  const one = CursorTrail.from('a');
  const two = one.with('b');

  expect([one.has('a'), one.has('b')]).toEqual([true, false]);
  expect([two.has('a'), two.has('b'), two.has('c')]).toEqual([true, true, false]);
  expect(CursorTrail.from(undefined).has('a')).toBe(false);
});

test('a walk that leaves from an earlier page does not see the cursors of the other', () => {
  const start = CursorTrail.from('a');
  const first = start.with('b').with('c');
  const second = start.with('x').with('c');

  expect([first.has('b'), first.has('x')]).toEqual([true, false]);
  expect([second.has('x'), second.has('b'), second.has('c')]).toEqual([true, false, true]);
});

test('the same step taken twice gives the same trail', () => {
  const start = CursorTrail.from('a');
  start.with('b');
  const again = start.with('b');

  expect([again.has('a'), again.has('b')]).toEqual([true, true]);
});
