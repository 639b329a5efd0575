/** A request as a transport hands it over. */
export interface RawRequest {
  readonly method: string;
  /** Path with query, as sent: `/v1/online-ordering/orders?limit=5`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; `undefined` when there was none. */
  readonly body: string | undefined;
}

/** What a transport does in the end. */
export type Outcome = ResponseOutcome | { readonly kind: 'reset' | 'close' | 'stall' };

export interface ResponseOutcome {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body as text; `undefined` for an empty body. */
  readonly body: string | undefined;
  /** How the body travels: whole, cut in the middle, one byte at a time without an end, or not at all. */
  readonly flow: 'whole' | 'truncated' | 'drip' | 'stall';
}

/** One request on its way. */
export interface Exchange {
  /** False when the connection is refused: then nothing was sent, and `run` must not be called. */
  readonly connects: boolean;
  /** Lets the service see the request. */
  run(): Promise<Outcome>;
}
