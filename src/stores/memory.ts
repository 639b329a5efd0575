import { type Clock, systemClock } from '../platform/clock.js';
import type { Store, StoreWriteOptions } from './store.js';

interface Entry {
  readonly value: string;
  readonly expiresAt: number;
}

/** How many writes pass between two sweeps of expired entries. */
const WRITES_PER_SWEEP = 1000;

/** A store within this process. It is the default wherever a store may be given. */
export function memoryStore(options: { clock?: Clock } = {}): Store {
  const clock = options.clock ?? systemClock;
  const entries = new Map<string, Entry>();
  let writes = 0;

  const read = (key: string): string | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > clock.now()) return entry.value;
    entries.delete(key);
    return undefined;
  };

  const write = (key: string, value: string, { ttlMs }: StoreWriteOptions = {}): void => {
    writes += 1;
    if (writes % WRITES_PER_SWEEP === 0) for (const known of [...entries.keys()]) read(known);
    entries.set(key, { value, expiresAt: ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + ttlMs });
  };

  return {
    async get(key) {
      return read(key);
    },
    async set(key, value, options) {
      write(key, value, options);
    },
    async setIfAbsent(key, value, options) {
      if (read(key) !== undefined) return false;
      write(key, value, options);
      return true;
    },
    async compareAndSet(key, expected, value, options) {
      if (read(key) !== expected) return false;
      write(key, value, options);
      return true;
    },
    async compareAndDelete(key, expected) {
      if (read(key) !== expected) return false;
      return entries.delete(key);
    },
  };
}
