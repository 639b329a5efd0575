import type { Clock } from '../../platform/clock.js';
import type { Store } from '../../stores/store.js';

/** Work of others (a store, a queue, a secret manager) that did not end in its time. */
export class TimeoutError extends Error {}

/** Waits for the work of others for a limited time: what ends later, or never, counts as failed. */
export function withinTime<T>(
  what: string,
  work: () => Promise<T> | T,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(
      () => reject(new TimeoutError(`${what} did not respond within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const ended = (async () => work())();
    ended.then(resolve, reject).finally(cancel);
  });
}

/** The store with a time for each operation, on the monotonic clock. */
export function boundedStore(store: Store, limits: { clock: Clock; timeoutMs: number }): Store {
  const within = <T>(operation: string, work: () => Promise<T>) => withinTime(`The store (${operation})`, work, limits);
  return {
    get: (...given) => within('get', () => store.get(...given)),
    set: (...given) => within('set', () => store.set(...given)),
    setIfAbsent: (...given) => within('setIfAbsent', () => store.setIfAbsent(...given)),
    compareAndSet: (...given) => within('compareAndSet', () => store.compareAndSet(...given)),
    compareAndDelete: (...given) => within('compareAndDelete', () => store.compareAndDelete(...given)),
  };
}
