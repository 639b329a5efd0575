import { expect, test } from 'vitest';
import { RetryBudget } from '../../../../src/http/steps/retry-budget.js';

const takeAll = (budget: RetryBudget, afterTimeout: boolean): number => {
  let taken = 0;
  while (budget.take(afterTimeout)) taken += 1;
  return taken;
};

test('a hundred retries empty the bucket, fifty after time-outs', () => {
  expect(takeAll(new RetryBudget(), false)).toBe(100);
  expect(takeAll(new RetryBudget(), true)).toBe(50);
});

test('a success pays back one, and what its retry cost when it needed one', () => {
  const budget = new RetryBudget();
  takeAll(budget, false);

  for (let success = 0; success < 4; success += 1) budget.payBack(false);
  expect(budget.take(false)).toBe(false);
  budget.payBack(false);
  expect(budget.take(false)).toBe(true);
  budget.payBack(true);
  expect(budget.take(false)).toBe(true);
  expect(budget.left).toBe(0);
});

test('the bucket never holds more than 500', () => {
  const budget = new RetryBudget();
  budget.payBack(true);

  expect(budget.left).toBe(500);
});
