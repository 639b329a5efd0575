import type { ResponseIssue } from '../../errors/response.js';
import type { Operation } from '../exchange/operation.js';
import { issuesOf, type OperationContract } from './load-contract.js';

/** How responses are held against the contract. */
export type Validation = 'off' | 'report' | 'strict';

/** More differences than these say nothing new, and a page of a hundred records would repeat each a hundred times. */
const MOST_ISSUES = 20;

/**
 * With `report`, an operation that has answered so often in a row as the contract says is looked at every eighth time
 * only: a look costs a tenth of a call, and a change of the service shows itself within a few answers all the same.
 */
const TRUSTED_AFTER = 100;
const LOOKED_AT_EVERY = 8;

/** A deletion that came without the record that the contract names. */
const MISSING_BODY: ResponseIssue = { path: '', kind: 'empty' };

/** Holds responses against the contract. */
export class ContractCheck {
  readonly validation: Validation;
  /** Answers in a row without a difference, by operation. */
  readonly #fitting = new Map<Operation, number>();

  constructor(validation: Validation) {
    this.validation = validation;
  }

  /** Differences between a response and the contract; none when there is nothing to compare with. */
  differences(operation: Operation, contract: OperationContract | undefined, data: unknown): readonly ResponseIssue[] {
    if (this.validation === 'off' || !contract?.response) return [];
    if (data === undefined) return [MISSING_BODY];
    const fitting = this.#fitting.get(operation) ?? 0;
    const isTrusted = this.validation === 'report' && fitting >= TRUSTED_AFTER && fitting % LOOKED_AT_EVERY !== 0;
    const issues = isTrusted ? [] : issuesOf(contract.response(), data);
    this.#fitting.set(operation, issues.length === 0 ? fitting + 1 : 0);
    return issues.slice(0, MOST_ISSUES);
  }
}
