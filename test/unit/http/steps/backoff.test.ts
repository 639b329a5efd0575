import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from '../../../../src/http/steps/backoff.js';

test('the wait is half a second, doubling to eight, times chance', () => {
  expect([0, 1, 2, 3, 4, 5, 60].map((retry) => backoffMs(retry, 1))).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(backoffMs(3, 0.25)).toBe(1000);
  expect(backoffMs(3, 0)).toBe(0);
});

test('after 429 the wait doubles to 300 s', () => {
  expect([0, 1, 2, 3, 4].map((refusal) => waitAfter429Ms(40, refusal))).toEqual([
    40_000, 80_000, 160_000, 300_000, 300_000,
  ]);
});

test('a Retry-After above 300 s is not cut down to it', () => {
  expect(waitAfter429Ms(7200, 0)).toBe(7_200_000);
  expect(waitAfter429Ms(7200, 5)).toBe(7_200_000);
});

test('no wait after 429 is ever below Retry-After', () => {
  const seconds = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(seconds, fc.integer({ min: 0, max: 100 }), (retryAfter, refusal) => {
      expect(waitAfter429Ms(retryAfter, refusal)).toBeGreaterThanOrEqual(retryAfter * 1000);
    }),
  );
});

test('jitter is up to a second, and never more than there is room for', () => {
  expect(jitterAfter429Ms(0.5, 10_000)).toBe(500);
  expect(jitterAfter429Ms(0.5, 100)).toBe(50);
  expect(jitterAfter429Ms(0.9, 0)).toBe(0);
  expect(jitterAfter429Ms(0.9, -5)).toBe(0);
});
