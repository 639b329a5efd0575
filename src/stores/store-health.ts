import type { Clock } from '../platform/clock.js';
import type { Store } from './store.js';

/** An outage of the shared store begins, or is over. */
export interface StoreFacts {
  /**
   * `failed` at the first failure of an outage, `recovered` when the store has worked for five seconds without one. What
   * fails in between is not told.
   */
  readonly state: 'failed' | 'recovered';
  /** What could not be read or written at the beginning of the outage; the client goes on without it. */
  readonly operation: string;
  /** What the store threw; `undefined` of a recovery. It may quote keys or addresses: keep it out of logs that others read. */
  readonly error: unknown;
}

/** A store that works for this long without a failure has recovered, in milliseconds. */
const RECOVERED_AFTER_MS = 5000;

/** Knows whether the shared store works, so that an outage is told once however many operations fail. */
export class StoreHealth {
  readonly #clock: Clock;
  readonly #tell: (facts: StoreFacts) => void;
  /** What failed first in the present outage. */
  #failing: string | undefined;
  /** Set from the first success of an outage to its end, or to the next failure. */
  #cancelRecovery: (() => void) | undefined;

  constructor(clock: Clock, tell: (facts: StoreFacts) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  failed(operation: string, error: unknown): void {
    this.#cancelRecovery?.();
    this.#cancelRecovery = undefined;
    if (this.#failing !== undefined) return;
    this.#failing = operation;
    this.#tell({ state: 'failed', operation, error });
  }

  /** The same store; each operation of it that succeeds may end an outage. */
  watching(store: Store): Store {
    const watched = async <T>(operation: Promise<T>): Promise<T> => {
      const result = await operation;
      this.#succeeded();
      return result;
    };
    return {
      get: (key) => watched(store.get(key)),
      set: (key, value, options) => watched(store.set(key, value, options)),
      setIfAbsent: (key, value, options) => watched(store.setIfAbsent(key, value, options)),
      compareAndSet: (key, expected, value, options) => watched(store.compareAndSet(key, expected, value, options)),
      compareAndDelete: (key, expected) => watched(store.compareAndDelete(key, expected)),
    };
  }

  #succeeded(): void {
    if (this.#failing === undefined || this.#cancelRecovery) return;
    this.#cancelRecovery = this.#clock.setTimer(() => this.#recovered(), RECOVERED_AFTER_MS, { background: true });
  }

  #recovered(): void {
    const operation = this.#failing;
    this.#failing = undefined;
    this.#cancelRecovery = undefined;
    if (operation !== undefined) this.#tell({ state: 'recovered', operation, error: undefined });
  }
}
