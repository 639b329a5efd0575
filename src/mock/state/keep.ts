/** How many of each kind the service remembers; beyond it the oldest is forgotten. Whole numbers from 1 on. */
export interface Keep {
  /** Requests that `service.requests()` lists. @defaultValue 10000 */
  readonly requests?: number | undefined;
  /** Responses under idempotency keys of the last 24 hours. A key that is forgotten executes again. @defaultValue 50000 */
  readonly keys?: number | undefined;
  /** Carts; one that is forgotten is not found. @defaultValue 10000 */
  readonly carts?: number | undefined;
  /** Orders, with their ledger; one that is forgotten is not found. @defaultValue 10000 */
  readonly orders?: number | undefined;
  /** Events that can still be delivered. @defaultValue 10000 */
  readonly events?: number | undefined;
  /** Attempts that `service.webhooks.deliveries()` lists. @defaultValue 10000 */
  readonly deliveries?: number | undefined;
}

export const DEFAULT_KEEP = {
  requests: 10_000,
  keys: 50_000,
  carts: 10_000,
  orders: 10_000,
  events: 10_000,
  deliveries: 10_000,
} as const satisfies Required<Keep>;

/** Takes the oldest entries out of a map until it holds `limit`, and returns them. */
export function forgetOldest<K, V>(map: Map<K, V>, limit: number): V[] {
  const forgotten: V[] = [];
  for (const [key, value] of map) {
    if (map.size <= limit) break;
    map.delete(key);
    forgotten.push(value);
  }
  return forgotten;
}

/** A list that holds its latest `limit` entries. */
export class Latest<T> {
  readonly #limit: number;
  #entries: T[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(entry: T): void {
    this.#entries.push(entry);
    // In slices: taking one off the front moves all others.
    if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
  }

  list(): readonly T[] {
    return this.#entries.slice(-this.#limit);
  }

  last(): T | undefined {
    return this.#entries.at(-1);
  }

  clear(): void {
    this.#entries = [];
  }
}
