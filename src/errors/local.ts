import { brand, OnlineOrderingError } from './base.js';

export { ConfigurationError } from './configuration.js';

/**
 * A request that the service would refuse, or that would reach another resource than the one meant. Nothing was sent.
 */
export class RequestValidationError extends OnlineOrderingError {
  /** The offending field, as the service writes its paths: `modifier_selections[0].nested_selections[1].quantity`. */
  readonly field: string | null;
  /** Every problem found; the first one is the message's. */
  readonly problems: readonly RequestProblem[];
  /** As in errors of calls that were sent: nothing happened. */
  readonly outcome = 'not_sent';
  /** The key of the operation, when it had one already. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: { problems?: readonly RequestProblem[]; idempotencyKey?: string } = {}) {
    super(message);
    this.problems = facts.problems ?? [];
    this.field = this.problems[0]?.field ?? null;
    this.idempotencyKey = facts.idempotencyKey;
  }
}
brand(RequestValidationError, 'RequestValidationError');

/** One thing that is wrong with a request. */
export interface RequestProblem {
  /** Path of the field, or `null` for the request as a whole. */
  readonly field: string | null;
  /** What is wrong, and what to write instead; never the value of a personal field. */
  readonly message: string;
}
