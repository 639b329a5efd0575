import { expect } from 'vitest';
import { Refusal, type RefusalFacts } from '../../../../src/mock/refusals/refusal.js';

/** What a rule refused; fails the test when it refused nothing. */
export function refusalOf(rule: () => unknown): RefusalFacts {
  let result: unknown;
  try {
    result = rule();
  } catch (error) {
    if (error instanceof Refusal) return error.facts;
    throw error;
  }
  return expect.fail(`nothing was refused; the rule gave ${JSON.stringify(result)}`);
}
