/**
 * State that several processes share: a small map of texts with expiry and atomic comparison.
 *
 * Every operation is atomic. Keys and values are texts; a value that has expired does not exist,
 * as the store's own clock says (gap OPS-2).
 */
export interface Store {
  /** The value, or `undefined` when there is none. */
  get(key: string): Promise<string | undefined>;
  /** Writes the value, whatever was there. */
  set(key: string, value: string, options?: StoreWriteOptions): Promise<void>;
  /** Writes the value if there is none; returns whether it did. */
  setIfAbsent(key: string, value: string, options?: StoreWriteOptions): Promise<boolean>;
  /** Writes the value if the present one equals `expected`; returns whether it did. */
  compareAndSet(key: string, expected: string, value: string, options?: StoreWriteOptions): Promise<boolean>;
  /** Deletes the value if it equals `expected`; returns whether it did. */
  compareAndDelete(key: string, expected: string): Promise<boolean>;
}

/** How long a value stays. */
export interface StoreWriteOptions {
  /** Milliseconds until the value expires. Without it the value stays. */
  ttlMs?: number | undefined;
}
