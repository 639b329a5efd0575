import { Failure } from './failure.js';
import type { HttpResponse } from './message.js';

/** An earlier or another's request stands still until then, for example because the service asked to wait. */
interface Pause {
  /** On the monotonic reading. */
  readonly until: number;
}

/**
 * What a request that several calls wait for is doing, so that each of them can decide whether to go on waiting: how many
 * of its attempts have failed, and how long it stands still now.
 */
export class Progress {
  /** Attempts that failed so far. */
  failures = 0;
  pause: Pause | undefined;
  #last: { response?: HttpResponse; cause?: unknown } = {};
  readonly #listeners = new Set<() => void>();

  /** An attempt failed: with an error status, or without a usable response. */
  failed(last: { response?: HttpResponse; cause?: unknown }): void {
    this.failures += 1;
    this.#last = last;
    this.#changed();
  }

  /** Nothing is sent until the instant `until`. */
  waitsUntil(until: number): void {
    this.pause = { until };
    this.#changed();
  }

  goesOn(): void {
    this.pause = undefined;
    this.#changed();
  }

  /** Calls `listener` at each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Why a call that cannot wait any longer has no token. `remainingMs`: how long the present pause will last. */
  failure(remainingMs?: number): Failure {
    const { response, cause } = this.#last;
    const retryAfter: Record<string, string> =
      remainingMs === undefined ? {} : { 'retry-after': String(Math.ceil(remainingMs / 1000)) };
    if (response) {
      const headers = { ...response.headers, ...retryAfter };
      // The body of a success may hold a token after all, and goes no further.
      const data = response.status < 300 ? undefined : response.data;
      return new Failure({ kind: 'token', written: false, response: { status: response.status, headers, data } });
    }
    if (cause === undefined && remainingMs !== undefined) {
      const response = { status: 429, headers: retryAfter, data: undefined };
      return new Failure({ kind: 'token', written: false, response });
    }
    return new Failure({ kind: 'token', written: false, response: undefined }, cause);
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
