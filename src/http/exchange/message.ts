import type { Call } from './call.js';

/** A request as a read-only value; a step that changes it passes on a copy. */
export interface HttpRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path with query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised once; every attempt sends the same bytes. */
  readonly body: string | undefined;
  /** True where a success may come without a body: deletions, and endpoints that are not known. */
  readonly emptyAllowed: boolean;
  readonly call: Call;
  /**
   * Called synchronously at the moment where the bytes would leave. If it throws, nothing is sent, and the attempt ends
   * as a `Failure` of kind `held` with what was thrown as its cause.
   */
  readonly checkBeforeSending?: (() => void) | undefined;
}

/** A whole answer: the body has arrived and is text. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
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
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` when there was none, or when an error response was not JSON. */
  readonly data: unknown;
  /** Of an error response: the beginning of its body. */
  readonly text?: string | undefined;
}

/** Sends one request and gives back the whole answer, or throws a `Failure` when none arrived. */
export type Transport = (request: HttpRequest) => Promise<RawResponse>;
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** One concern: gets the rest of the way, gives back the way with itself added. */
export type Step = (next: Send) => Send;

/** Puts steps before `last`; the first of the list is the first to see a request. */
export function pipeline(steps: readonly Step[], last: Send): Send {
  return steps.reduceRight((next, step) => step(next), last);
}

/** A copy with one more header. Written out field by field: spreading costs a fiftieth of a whole call. */
export function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  const { method, origin, path, headers, body, emptyAllowed, call, checkBeforeSending } = request;
  return {
    method,
    origin,
    path,
    headers: headersWith(headers, name, value),
    body,
    emptyAllowed,
    call,
    checkBeforeSending,
  };
}

type Headers = HttpRequest['headers'];
/** The last headers made: reads share theirs, and their token, so that most calls take these. A twentieth of a call. */
let last: { readonly of: Headers; readonly name: string; readonly value: string; readonly made: Headers } | undefined;

function headersWith(headers: Headers, name: string, value: string): Headers {
  if (last?.of === headers && last.name === name && last.value === value) return last.made;
  const made = { ...headers, [name]: value };
  // Those of a write hold its key, and come once.
  if (headers['idempotency-key'] === undefined && name !== 'idempotency-key') last = { of: headers, name, value, made };
  return made;
}

/** A copy with one more check at the moment of sending; the checks run in the order in which they were added. */
export function withCheckBeforeSending(request: HttpRequest, check: () => void): HttpRequest {
  const { method, origin, path, headers, body, emptyAllowed, call, checkBeforeSending: earlier } = request;
  const both = (): void => {
    earlier?.();
    check();
  };
  return { method, origin, path, headers, body, emptyAllowed, call, checkBeforeSending: earlier ? both : check };
}
