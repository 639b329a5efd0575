import type { CallResult } from './execute.js';

/**
 * The result of a call: a promise of its data, with the rest of the response at hand. A promise like any other: a
 * failure that is not handled is reported by the runtime.
 */
export class CallPromise<T> extends Promise<T> {
  readonly #result: Promise<CallResult<T>>;

  /** @internal Made by the client. */
  constructor(result: Promise<CallResult<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => resolve(data), reject);
    });
    this.#result = result;
  }

  /** The data together with `status`, `headers`, `requestId`, `attempts` and `idempotencyKey`. */
  withResponse(): Promise<CallResult<T>> {
    // A caller that asks for the whole result handles its failure there.
    this.then(undefined, ignore);
    return this.#result.then(same);
  }
}

/**
 * Derived promises are ordinary ones, and `await` takes a call as it is. For a promise of another constructor it makes one
 * more, with two more turns of the queue: 0.1 µs of each call.
 */
Object.defineProperty(CallPromise.prototype, 'constructor', { value: Promise, writable: true, configurable: true });

function ignore(): void {}

function same<T>(result: T): T {
  return result;
}
