import type { Clock } from '../platform/clock.js';
import { within } from '../platform/within.js';
import type { Store } from './store.js';

/** A store in the same data centre responds within milliseconds; one that takes longer than this counts as failed (gap OPS-3). */
const OPERATION_LIMIT_MS = 2000;

export interface BoundedStoreOptions {
  readonly clock: Clock;
  /** Milliseconds for one operation. @defaultValue 2000 */
  readonly limitMs?: number | undefined;
}

/**
 * A store of which every operation ends: one that has not settled in time rejects with a `TimeLimitError`, and what it
 * comes to later is ignored.
 *
 * A write that is late may still take place. A caller that acts on a write must therefore treat a `TimeLimitError` as a write
 * of unknown outcome.
 */
export function boundedStore(store: Store, { clock, limitMs = OPERATION_LIMIT_MS }: BoundedStoreOptions): Store {
  const bounded = <T>(operation: keyof Store, work: () => Promise<T>): Promise<T> =>
    within(clock, limitMs, `"${operation}" of the store`, work);
  return {
    get: (key) => bounded('get', () => store.get(key)),
    set: (key, value, options) => bounded('set', () => store.set(key, value, options)),
    setIfAbsent: (key, value, options) => bounded('setIfAbsent', () => store.setIfAbsent(key, value, options)),
    compareAndSet: (key, expected, value, options) =>
      bounded('compareAndSet', () => store.compareAndSet(key, expected, value, options)),
    compareAndDelete: (key, expected) => bounded('compareAndDelete', () => store.compareAndDelete(key, expected)),
  };
}
