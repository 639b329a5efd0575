import type { ResponseIssue } from '../../errors/response.js';
import type { Operation } from '../exchange/operation.js';
import { hasNewValues, runCheck } from './check-parts.js';
import { checksOf } from './checks-of.js';
import { issuesOf, loadContract } from './load-contract.js';

/** How responses are held against the contract. */
export type Validation = 'off' | 'report' | 'strict';

/** More differences than these say nothing new, and a page of a hundred records would repeat each a hundred times. */
const MOST_ISSUES = 20;

/** A deletion that came without the record that the contract names. */
const MISSING_BODY: ResponseIssue = { path: '', kind: 'empty' };

/** What a first look at a response finds. `new_values`: it fits, with values that this version does not know. */
export type Look = 'not_looked' | 'fits' | 'new_values' | 'differs';

/** Holds every response against the contract. */
export class ContractCheck {
  readonly validation: Validation;

  constructor(validation: Validation) {
    this.validation = validation;
  }

  /** Tells at once, and without allocating anything, whether there is something to say about a response. */
  look(operation: Operation, data: unknown): Look {
    if (this.validation === 'off') return 'not_looked';
    const fits = checksOf(operation)?.response;
    if (!fits) return 'fits';
    if (!runCheck(fits, data)) return 'differs';
    return hasNewValues() ? 'new_values' : 'fits';
  }

  /**
   * Differences between a response and the contract; `undefined` when it fits, or when there is nothing to compare with. The
   * schemas, which can name what does not fit, are loaded then.
   */
  differences(operation: Operation, data: unknown): Promise<readonly ResponseIssue[]> | undefined {
    if (this.validation === 'off') return undefined;
    const fits = checksOf(operation)?.response;
    if (!fits || fits(data)) return undefined;
    return data === undefined ? Promise.resolve([MISSING_BODY]) : named(operation, data);
  }
}

async function named({ name }: Operation, data: unknown): Promise<readonly ResponseIssue[]> {
  const response = (await loadContract())[name]?.response;
  return response ? issuesOf(response(), data).slice(0, MOST_ISSUES) : [];
}
