import { brand } from './base.js';
import { CallError, type CallFacts } from './call.js';

/** What became of a named operation whose response was lost. */
export type OperationResolution<T = unknown> =
  /** It was executed; `data` is its result, or what the resource shows of it. */
  | {
      /** Do not do it again. */
      readonly outcome: 'applied';
      /** Result of the operation, or the resource as it is now. */
      readonly data: T;
    }
  /** It was not executed; the name is free for another try. */
  | {
      /** It may be done again, under the same name. */
      readonly outcome: 'not_applied';
      /** What shows it: the service's refusal, where there is one. */
      readonly cause?: unknown;
    }
  /** It cannot be decided now. */
  | {
      /** Ask again later. */
      readonly outcome: 'unknown';
      /** What kept it from being decided. */
      readonly cause?: unknown;
    };

/** Why a named operation ended without a result, for programs. */
export type NamedOperationReason =
  /** The name stands for another request: another method, path or body. Nothing was sent. */
  | 'body_differs'
  /** Another call, perhaps in another process, is at work under the name. This one sent nothing. */
  | 'in_progress'
  /** The key could not be made durable, so that nothing was sent. */
  | 'store_failed'
  /** The order of a payment or refund could not be read, which comes before money moves. Nothing was sent. */
  | 'order_unreadable'
  /** The order that was just read asks for less than this payment. Nothing was sent, and the name is free. */
  | 'amount_exceeds_balance'
  /** No response tells whether it was executed; `resolve()` finds out, and so does the same call. */
  | 'unknown'
  /** It was executed, and its result cannot be read: it was sealed with another secret. */
  | 'result_unreadable'
  | (string & {});

/** A named operation ended without a result. `reason` tells why, `cause` is what lost the response or stopped the store. */
export class NamedOperationError extends CallError {
  /** The name that the call gave in its option `operation`. */
  readonly operation: string;
  /** Why there is no result; branch on it. Texts beyond those listed may come with later versions. */
  readonly reason: NamedOperationReason;
  readonly #resolve: (() => Promise<OperationResolution>) | undefined;

  constructor(
    message: string,
    facts: CallFacts & {
      operation: string;
      reason: NamedOperationReason;
      resolve?: (() => Promise<OperationResolution>) | undefined;
    },
    options?: { cause?: unknown },
  ) {
    super(message, facts, options);
    this.operation = facts.operation;
    this.reason = facts.reason;
    this.#resolve = facts.resolve;
  }

  /**
   * Finds out what became of it: reads the resource where that can tell, and else repeats the request under the same key,
   * as long as the key is younger than 24 hours. Safe to call as often as wanted. Never throws.
   *
   * @see Interface document, "Idempotency rules"; docs/reliability.md
   */
  async resolve(): Promise<OperationResolution> {
    return this.#resolve ? this.#resolve() : { outcome: 'unknown', cause: this.cause };
  }
}
brand(NamedOperationError, 'NamedOperationError');
