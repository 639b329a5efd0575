import type { CallResult } from './execute.js';

// biome-ignore lint/suspicious/noExplicitAny: as in Promise itself, so that a handler may name the error it expects
type Reason = any;

/** The result of a call: a promise of its data, with the rest of the answer at hand. */
export class CallPromise<T> extends Promise<T> {
  readonly #result: Promise<CallResult<T>>;

  /** Derived promises are ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(result: Promise<CallResult<T>>) {
    // The executor is never used: every way of waiting goes through `then` below.
    super((resolve) => resolve(undefined as never));
    this.#result = result;
  }

  /** The data together with `status`, `headers`, `requestId`, `attempts` and `idempotencyKey`. */
  withResponse(): Promise<CallResult<T>> {
    return this.#result;
  }

  // biome-ignore lint/suspicious/noThenProperty: this is a promise
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((data: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    const fulfil = onFulfilled
      ? ({ data }: CallResult<T>) => onFulfilled(data)
      : ({ data }: CallResult<T>) => data as never;
    return this.#result.then(fulfil, onRejected);
  }

  override catch<Rejected = never>(
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.then(undefined, onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally) as Promise<T>;
  }
}
