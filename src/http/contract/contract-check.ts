import type { ResponseIssue } from '../../errors/response.js';
import type { Operation } from '../exchange/operation.js';
import { checksOf } from './checks-of.js';
import { issuesOf, loadContract } from './load-contract.js';

/** How responses are held against the contract. */
export type Validation = 'off' | 'report' | 'strict';

/** More differences than these say nothing new, and a page of a hundred records would repeat each a hundred times. */
const MOST_ISSUES = 20;

/** A deletion that came without the record that the contract names. */
const MISSING_BODY: ResponseIssue = { path: '', kind: 'empty' };

/** Holds every response against the contract. */
export class ContractCheck {
  readonly validation: Validation;

  constructor(validation: Validation) {
    this.validation = validation;
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
