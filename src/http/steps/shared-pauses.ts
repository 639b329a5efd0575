import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Store } from '../../stores/store.js';
import type { Observer } from '../events/observer.js';
import type { Pauses, Scope } from './pauses.js';

/** How often, at most, the store is asked, in milliseconds. */
const READ_EVERY_MS = 1000;
const WRITE_ATTEMPTS = 5;

interface SharedPause {
  readonly scope: Scope;
  readonly until: number;
}

/**
 * Pauses that several processes share through a store. Read in the background while calls are made, so that a call
 * itself never waits for the store, and a store that is down is noticed by the observer only.
 */
export class SharedPauses {
  readonly #parts: { store: Store; key: string; clock: Clock; pauses: Pauses; observer: Observer };
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;

  constructor(parts: { store: Store; key: string; clock: Clock; pauses: Pauses; observer: Observer }) {
    this.#parts = parts;
  }

  /** Starts a read when the last one is a second ago. */
  refresh(): void {
    const now = monotonicNow(this.#parts.clock);
    if (this.#reading || now - this.#readAt < READ_EVERY_MS) return;
    this.#readAt = now;
    this.#reading = true;
    void this.#read().finally(() => {
      this.#reading = false;
    });
  }

  /** Writes this process's pauses to the store, in the background. */
  publish(): void {
    void this.#write();
  }

  async #read(): Promise<void> {
    const { store, key } = this.#parts;
    try {
      this.#takeOver(await store.get(key));
    } catch (error) {
      this.#parts.observer.tell('store', { operation: 'read cool-downs', error });
    }
  }

  /** A pause that is over would only make another call go first. */
  #takeOver(text: string | undefined): void {
    const { clock, pauses } = this.#parts;
    const now = monotonicNow(clock);
    const offset = now - clock.now();
    for (const { scope, until } of parsePauses(text)) if (until + offset > now) pauses.pause(scope, until + offset);
  }

  async #write(): Promise<void> {
    const { store, key, clock, pauses } = this.#parts;
    try {
      for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
        const present = await store.get(key);
        this.#takeOver(present);
        const offset = clock.now() - monotonicNow(clock);
        const active = pauses.active().map(({ scope, until }) => ({ scope, until: until + offset }));
        const last = Math.max(...active.map(({ until }) => until), clock.now());
        const options = { ttlMs: last - clock.now() + READ_EVERY_MS };
        const value = JSON.stringify(active);
        const written =
          present === undefined
            ? await store.setIfAbsent(key, value, options)
            : await store.compareAndSet(key, present, value, options);
        if (written) return;
      }
      throw new Error('Other processes wrote at the same time, each time.');
    } catch (error) {
      this.#parts.observer.tell('store', { operation: 'write cool-downs', error });
    }
  }
}

function parsePauses(text: string | undefined): SharedPause[] {
  if (text === undefined) return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isSharedPause) : [];
}

function isSharedPause(value: unknown): value is SharedPause {
  const { scope, until } = value as Partial<SharedPause>;
  return typeof until === 'number' && typeof scope?.endpoint === 'string' && typeof scope.locationId === 'string';
}
