import { brand, OnlineOrderingError } from './base.js';
import { CallError, type CallFacts } from './call.js';

/** What is wrong with a successful response. */
export type ResponseValidationReason = 'empty' | 'not_json' | 'truncated' | 'too_large' | 'encoding' | 'contract';

/** One difference between a response and the contract: where and what kind, never a value. */
export interface ResponseIssue {
  /** Path within the body, for example `items[0].base_price.amount`; empty for the body itself. */
  readonly path: string;
  /** The code of the schema library: `invalid_type`, `too_small`, … */
  readonly kind: string;
}

/** A 2xx response that cannot be used: empty, not JSON, cut short, too large, encoded, or (with `validation: 'strict'`) not of the contract. */
export class ResponseValidationError extends CallError {
  /**
   * What is wrong: no body, no JSON, cut short, too large, an encoding that was not asked for, or not of the
   * contract.
   */
  readonly reason: ResponseValidationReason;
  /** HTTP status of the response. */
  readonly status: number;
  /** The service's id of the request, for its support, or `null`. */
  readonly requestId: string | null;
  /** The differences, when the reason is `'contract'`. */
  readonly issues: readonly ResponseIssue[];
  // Private: a body holds personal data, and must not appear in an inspection.
  readonly #data: unknown;

  constructor(
    message: string,
    facts: CallFacts & {
      reason: ResponseValidationReason;
      status: number;
      requestId: string | null;
      issues?: readonly ResponseIssue[];
      data?: unknown;
    },
    options?: { cause?: unknown },
  ) {
    super(message, facts, options);
    this.reason = facts.reason;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.issues = facts.issues ?? [];
    this.#data = facts.data;
  }

  /** The body as received, when the reason is `'contract'`; the operation was applied. */
  get data(): unknown {
    return this.#data;
  }
}
brand(ResponseValidationError, 'ResponseValidationError');

/** A list that cannot be walked to its end: a cursor came twice, or more was announced without a cursor. */
export class PaginationError extends OnlineOrderingError {}
brand(PaginationError, 'PaginationError');
