import type { StoreFacts } from '../../stores/store-health.js';

export type { StoreFacts };

/** Facts about one attempt; no ids, bodies, headers or secrets. */
export interface AttemptFacts {
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds waited before this attempt. */
  readonly waitMs: number;
  /** Of a write; it is the same in all attempts. */
  readonly idempotencyKey: string | undefined;
}

/** How one attempt ended. */
export interface ResponseFacts extends AttemptFacts {
  /** `undefined` when no response arrived. */
  readonly status: number | undefined;
  /** The service's id of the request. */
  readonly requestId: string | undefined;
  /** Milliseconds from sending to the last byte. */
  readonly durationMs: number;
  /** Why no usable response arrived: `connection`, `timeout`, `aborted`, `deadline`, `unusable`. */
  readonly failure: string | undefined;
}

/** An attempt failed, and another one follows. */
export interface RetryFacts {
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** Attempts made so far. */
  readonly attempts: number;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
  /** Status of the response, or the kind of failure. */
  readonly reason: string;
}

/** A 429, and whom it pauses. */
export interface CooldownFacts {
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** Location of the scope; empty for endpoints without one. */
  readonly locationId: string;
  /** Milliseconds for which nothing is sent in this scope. */
  readonly pauseMs: number;
}

/** A retry that was not made, since too many calls fail at once. */
export interface BudgetFacts {
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** What is left of the budget of 500. */
  readonly left: number;
}

/**
 * What became of the access token: `requested` from the token endpoint, `obtained` there, `shared` by another process,
 * `rejected` by the service (401), or `renewal_failed` while it still serves.
 */
export interface TokenFacts {
  /** What became of it. */
  readonly state: 'requested' | 'obtained' | 'shared' | 'renewal_failed' | 'rejected';
  /** Seconds that the token lives, when one was obtained. */
  readonly expiresInSeconds?: number;
}

/**
 * A response that differs from the contract: where and how, never a value. Each kind at each place of an operation is told
 * once; `client.drift()` counts them.
 */
export interface DriftFacts {
  /** HTTP method. */
  readonly method: string;
  /** Path template. */
  readonly path: string;
  /** The service's id of the request. */
  readonly requestId: string | undefined;
  /** What was never told before: where and of what kind. */
  readonly issues: readonly {
    /** Path within the body, for example `items[0].base_price.amount`; empty for the body itself. */
    readonly path: string;
    /** The code of the schema library: `invalid_type`, `too_small`, … */
    readonly kind: string;
  }[];
}

/** What `client.on` reports. */
export interface ClientEvents {
  /** An attempt is about to be sent. */
  request: AttemptFacts;
  /** An attempt ended, with or without a response. */
  response: ResponseFacts;
  /** Another attempt follows after a wait. */
  retry: RetryFacts;
  /** A 429 pauses a scope. */
  cooldown: CooldownFacts;
  /** Another attempt was due, but the retry budget is used up. */
  budget: BudgetFacts;
  /** The access token was asked for, obtained or refused. */
  token: TokenFacts;
  /** An outage of the shared store begins, or is over; calls go on without it. */
  store: StoreFacts;
  /** A response differs from the contract. */
  drift: DriftFacts;
}
