import { type Clock, monotonicNow, systemClock } from '../platform/clock.js';
import type { Store, StoreWriteOptions } from './store.js';

interface Entry {
  readonly value: string;
  /** On the monotonic reading: a step of the wall clock takes no entry away and keeps none. */
  readonly expiresAt: number;
}

/**
 * How many entries each write looks at for expired ones. The whole store is swept once per a fourth of its size in
 * writes, and no single write takes long, however many keys there are.
 */
const SWEPT_PER_WRITE = 4;

/** A map that grows copies itself; in so many parts, no copy of a million keys holds the process up. */
const PARTS = 64;

/** A store within this process. It is the default wherever a store may be given. */
export function memoryStore(options: { clock?: Clock } = {}): Store {
  const clock = options.clock ?? systemClock;
  const parts = Array.from({ length: PARTS }, () => new Map<string, Entry>());
  const sweep = sweepOf(parts);

  const read = (key: string): string | undefined => {
    const entries = partOf(parts, key);
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > monotonicNow(clock)) return entry.value;
    entries.delete(key);
    return undefined;
  };

  const write = (key: string, value: string, { ttlMs }: StoreWriteOptions = {}): void => {
    const now = monotonicNow(clock);
    sweep(now);
    partOf(parts, key).set(key, { value, expiresAt: ttlMs === undefined ? Number.POSITIVE_INFINITY : now + ttlMs });
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
      return partOf(parts, key).delete(key);
    },
  };
}

function partOf(parts: readonly Map<string, Entry>[], key: string): Map<string, Entry> {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
  return parts[hash & (PARTS - 1)] as Map<string, Entry>;
}

/** Looks at the next few entries, round and round, and deletes those that have expired. */
function sweepOf(parts: readonly Map<string, Entry>[]): (now: number) => void {
  let part = 0;
  let rest = parts[part]?.entries();
  return (now) => {
    for (let looked = 0; looked < SWEPT_PER_WRITE; looked += 1) {
      const next = rest?.next();
      if (!next || next.done) {
        part = (part + 1) % PARTS;
        rest = parts[part]?.entries();
      } else if (next.value[1].expiresAt <= now) {
        parts[part]?.delete(next.value[0]);
      }
    }
  };
}
