import type { Exchange } from './listening-service.js';

/** A request as the service saw it. */
export interface Seen {
  readonly method: string;
  /** Below the base path, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Instant on the test's clock. */
  readonly at: number;
}

/** What the service does with a request. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection fails; before the request was written, or after. */
  | { readonly fail: string; readonly written?: boolean }
  /** Nothing comes, until the test calls `answer`. */
  | { readonly hold: true }
  /** The test writes to the socket itself; only a service that listens has one. */
  | { readonly wire: (exchange: Exchange) => void };

export type Handler = (request: Seen, index: number) => Reply;

export function token(value: string, expiresIn = 86_400): Reply {
  return { status: 200, body: { access_token: value, token_type: 'BEARER', expires_in: expiresIn } };
}

/** A handler that gives one reply after the other, and the last one from then on. */
export function inTurn(...replies: readonly Reply[]): Handler {
  return (_request, index) => replies[Math.min(index, replies.length - 1)] as Reply;
}
