import type { Call, Headers } from './call.js';

/** A whole response: the body has arrived and is text. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly text: string;
  /** Set when status and headers arrived, but the body did not arrive whole. */
  readonly cut?: BodyCut;
}

export interface BodyCut {
  readonly reason: 'connection' | 'timeout' | 'too_large' | 'encoding';
  readonly cause: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; `undefined` when there was none, or when an error response was not JSON. */
  readonly data: unknown;
  /** Of an error response: the beginning of its body. */
  readonly text?: string | undefined;
}

/** What becomes of a whole response; throws a `Failure` when it cannot be used. */
export type ReadResponse<Response> = (raw: RawResponse, call: Call) => Response;

/**
 * Sends one request and gives back the whole response, or throws a `Failure` when none arrived; at once, or by a promise that
 * rejects. The call stays as it is; headers that are added on the way go beside it.
 */
export type Send<Response = HttpResponse> = (call: Call, headers: Headers) => Promise<Response>;

/** One concern: gets the rest of the way, gives back the way with itself added. */
export type Step = (next: Send) => Send;

/** Puts steps before `last`; the first of the list is the first to see a call. */
export function pipeline(steps: readonly Step[], last: Send): Send {
  return steps.reduceRight((next, step) => step(next), last);
}
