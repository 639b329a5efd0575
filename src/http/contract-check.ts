import type { ResponseIssue } from '../errors/response.js';
import { issuesOf, type OperationContract } from './contract.js';

/** How responses are held against the contract. */
export type Validation = 'off' | 'report' | 'strict';

/** More differences than these say nothing new, and a page of a hundred records would repeat each a hundred times. */
const MOST_ISSUES = 20;

/** Differences between a response and the contract; none when there is nothing to compare with. */
export function differencesFromContract(
  validation: Validation,
  contract: OperationContract | undefined,
  data: unknown,
): readonly ResponseIssue[] {
  if (validation === 'off' || data === undefined) return [];
  const schema = contract?.response?.();
  return schema ? issuesOf(schema, data).slice(0, MOST_ISSUES) : [];
}
