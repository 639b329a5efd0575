import type { Clock } from '../../platform/clock.js';
import type { RateLimitTier } from '../refusals/refusal.js';
import { Latest } from '../state/keep.js';
import { timestampNow } from '../time/timestamp.js';

/** A request that reached the service. It holds neither the token nor a body. */
export interface RecordedRequest {
  /** HTTP method in capitals. */
  readonly method: string;
  /** Path below the base path, with the query. */
  readonly path: string;
  /** Path template of the endpoint; `null` for an unknown path. */
  readonly route: string | null;
  /** Header names in lower case; `authorization` has no value but its scheme. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Idempotency-Key` header; `null` when the request had none. */
  readonly idempotencyKey: string | null;
  /** ISO 8601, on the service's clock. */
  readonly at: string;
  /** Of the response; `null` while there is none, and when the connection failed. */
  readonly status: number | null;
  /** Of the response, `x-request-id`. */
  readonly requestId: string | null;
  /** True when the response was the one kept under the idempotency key. */
  readonly replayed: boolean;
  /** The tier of rate limits that refused it with 429; `null` otherwise. Refused by several, the one that lasts longest. */
  readonly limitedBy: RateLimitTier | null;
}

type Editable = { -readonly [Name in keyof RecordedRequest]: RecordedRequest[Name] };

/** What the service was asked, in order. */
export class RequestLog {
  readonly #clock: Clock;
  readonly #listeners = new Set<(request: RecordedRequest) => void>();
  readonly #requests: Latest<Editable>;

  constructor(clock: Clock, keep: number) {
    this.#clock = clock;
    this.#requests = new Latest(keep);
  }

  add(request: {
    method: string;
    path: string;
    route: string | null;
    headers: Readonly<Record<string, string>>;
  }): Editable {
    const { authorization, ...headers } = request.headers;
    const entry: Editable = {
      method: request.method,
      path: request.path,
      route: request.route,
      headers: authorization === undefined ? headers : { ...headers, authorization: schemeOf(authorization) },
      idempotencyKey: headers['idempotency-key'] ?? null,
      at: timestampNow(this.#clock),
      status: null,
      requestId: null,
      replayed: false,
      limitedBy: null,
    };
    this.#requests.push(entry);
    return entry;
  }

  /** Calls the listeners: the request is over. */
  close(entry: Editable): void {
    for (const listener of this.#listeners) listener({ ...entry });
  }

  list(): RecordedRequest[] {
    return this.#requests.list().map((request) => ({ ...request }));
  }

  /** The entry that was added last; it goes on changing until its request is over. */
  latest(): RecordedRequest | undefined {
    return this.#requests.last();
  }

  onEnded(listener: (request: RecordedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reset(): void {
    this.#requests.clear();
  }
}

// A malformed header may hold a bare token in the scheme's place.
const schemeOf = (authorization: string): string => (/^Bearer /i.test(authorization) ? 'Bearer …' : '…');
