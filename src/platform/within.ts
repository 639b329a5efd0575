import type { Clock } from './clock.js';

/** Work that was not done within its time. Whatever it comes to later is ignored. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Waits for `work`, `limitMs` milliseconds at most. Code of others (a store, a secret function) may never settle, and
 * must not hold up a call.
 *
 * The timer keeps no process alive: a caller that waits for the result has a timer of its own.
 *
 * @param what - names the work in the error: "the store's get".
 * @throws {TimeLimitError} The work was not done in time.
 */
export function within<T>(clock: Clock, limitMs: number, what: string, work: () => T | PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = (): void => reject(new TimeLimitError(`${what} did not respond within ${limitMs} ms.`));
    const cancel = clock.setTimer(late, limitMs, { background: true });
    // Inside of a promise, so that work that throws is a failure like one that rejects.
    new Promise<T>((settle) => settle(work())).then(resolve, reject).finally(cancel);
  });
}
