import { ConfigurationError } from '../errors/configuration.js';
import type { StoreWriteOptions } from './store.js';

/** A hundred years: longer lives overflow what engines count in. */
const LONGEST_MS = 100 * 366 * 24 * 60 * 60 * 1000;

/** The life of a value in whole milliseconds, at least one; `undefined` when it stays. */
export function lifeMs({ ttlMs }: StoreWriteOptions = {}): number | undefined {
  if (ttlMs === undefined || ttlMs === Number.POSITIVE_INFINITY) return undefined;
  if (typeof ttlMs !== 'number' || Number.isNaN(ttlMs)) {
    throw new ConfigurationError(`The life of a stored value is ${String(ttlMs)}; it counts milliseconds.`);
  }
  return Math.min(Math.max(1, Math.ceil(ttlMs)), LONGEST_MS);
}
