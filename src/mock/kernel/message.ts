import type { RateLimitTier } from './rate-limits.js';

/** A request as handlers read it: routed, authenticated, its body parsed. */
export interface MockRequest {
  readonly method: string;
  /** Path below the base path, as sent: `/carts/5f0c…/items`. */
  readonly path: string;
  /** Decoded path parameters by their name in the interface document: `cart_id`, `item_id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; `undefined` when none was sent. */
  readonly body: unknown;
  /** The partner whose token was sent; empty on the token endpoint. */
  readonly partnerId: string;
}

/** What a handler answers. `body: undefined` is an empty answer. */
export interface MockReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type ErrorCode =
  | 'AUTHENTICATION_ERROR'
  | 'INVALID_REQUEST_ERROR'
  | 'RATE_LIMIT_ERROR'
  | 'NOT_FOUND_ERROR'
  | 'CONFLICT_ERROR'
  | 'INTERNAL_ERROR';

export interface RefusalFacts {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail?: string;
  readonly field?: string | null;
  readonly changeReasons?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** The tier of rate limits that refused the request. */
  readonly limitedBy?: RateLimitTier;
}

/** A rule of the interface document was broken. Rules return or throw it; the kernel writes the error envelope. */
export class Refusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.facts = facts;
  }
}
