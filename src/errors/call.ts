import { brand, OnlineOrderingError } from './base.js';

/**
 * What is known of a write after a failure.
 *
 * - `not_sent`: no byte left, or the service refused before executing; nothing happened.
 * - `refused`: the service responded that it did not execute the request.
 * - `applied`: the service executed it; only its response was not what the contract says.
 * - `unknown`: it may have been executed. Repeat it with the same `idempotencyKey`, or read the resource.
 */
export type Outcome = 'not_sent' | 'refused' | 'applied' | 'unknown';

/** The facts that every failed call carries. */
export interface CallFacts {
  /** HTTP method. */
  readonly method: string;
  /** The path as a template; ids and other values never appear. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Of a write: what it came to. */
  readonly outcome?: Outcome | undefined;
  /** Of a write: its key. */
  readonly idempotencyKey?: string | undefined;
  /** Until when the same key can be sent again. */
  readonly replayableUntil?: Date | undefined;
  /** True when a retry was not made since too many calls failed. */
  readonly retryBudgetExhausted?: boolean | undefined;
}

/** A call that ended without a result. */
export class CallError extends OnlineOrderingError {
  /** HTTP method, for example `POST`. */
  readonly method: string;
  /** Path template of the endpoint, for example `/carts/{cart_id}/items`. */
  readonly path: string;
  /** How many times the request was attempted; 0 when nothing was tried. */
  readonly attempts: number;
  /** What is known of the write; `undefined` for reads, which change nothing. */
  readonly outcome: Outcome | undefined;
  /** The key that every attempt carried; send it again to repeat the operation safely. `undefined` for reads. */
  readonly idempotencyKey: string | undefined;
  /**
   * Until when the key may be sent again: a quarter of an hour before the service forgets it. `undefined` when nothing
   * was sent, and for reads.
   */
  readonly replayableUntil: Date | undefined;
  /** True when another attempt was due, but the client's retry budget was used up. */
  readonly retryBudgetExhausted: boolean;

  constructor(message: string, facts: CallFacts, options?: { cause?: unknown }) {
    super(message, options);
    this.method = facts.method;
    this.path = facts.path;
    this.attempts = facts.attempts;
    this.outcome = facts.outcome;
    this.idempotencyKey = facts.idempotencyKey;
    this.replayableUntil = facts.replayableUntil;
    this.retryBudgetExhausted = facts.retryBudgetExhausted ?? false;
  }
}
brand(CallError, 'CallError');
