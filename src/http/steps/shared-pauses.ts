import { BoundedMap } from '../../platform/bounded-map.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Store } from '../../stores/store.js';
import type { StoreHealth } from '../../stores/store-health.js';
import type { Pauses, Width } from './pauses.js';

/** How often, at most, the store is asked, in milliseconds. */
const READ_EVERY_MS = 1000;
const WRITE_ATTEMPTS = 5;
const MOST_SHARED = 100;
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** A pause as it stands in the store: how long it lasts, and never when it ends on the clock of one process. */
interface SharedPause {
  readonly id: string;
  readonly width: Width;
  readonly lengthMs: number;
}

export interface SharedPausesDeps {
  /** Its operations must end: see `boundedStore`. */
  readonly store: Store;
  readonly key: string;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly health: StoreHealth;
  readonly newId: () => string;
}

/**
 * Pauses that several processes share through a store. Read in the background while calls are made, so that a call
 * itself never waits for the store, and a store that is down is reported, and costs nothing else.
 *
 * Each pause has a mark in the store, which the store lets expire when the pause is over. A process takes a pause over for
 * as long as its mark is there, and for no longer than its length from when it first saw it: no clock of another process
 * can silence this one.
 */
export class SharedPauses {
  readonly #deps: SharedPausesDeps;
  /** By id: when a pause of another process ends here, or 0 when it is over. */
  readonly #seen = new BoundedMap<string, number>(4 * MOST_SHARED);
  readonly #own = new BoundedMap<string, number>(MOST_SHARED);
  #onFound: (width: Width, until: number) => void = () => {};
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SharedPausesDeps) {
    this.#deps = deps;
  }

  /** Calls `listener` with each pause that another process began. */
  onFound(listener: (width: Width, until: number) => void): void {
    this.#onFound = listener;
  }

  /** Starts a read when the last one is a second ago. */
  refresh(): void {
    const now = monotonicNow(this.#deps.clock);
    if (this.#reading || now - this.#readAt < READ_EVERY_MS) return;
    this.#readAt = now;
    this.#reading = true;
    void this.#try('read cool-downs', () => this.#read()).finally(() => {
      this.#reading = false;
    });
  }

  /** Writes a pause of this process to the store, in the background. */
  publish(width: Width, lengthMs: number): void {
    const pause: SharedPause = { id: this.#deps.newId(), width, lengthMs };
    this.#own.set(pause.id, monotonicNow(this.#deps.clock) + lengthMs);
    this.#writing = this.#writing.then(() => this.#try('write cool-downs', () => this.#write(pause)));
  }

  /** Takes the marks away, in the background: the pauses are over for all processes. */
  endAll(): void {
    const ids = [...this.#own.keys(), ...this.#seen.keys()].filter((id) => !this.#isOver(id));
    const take = async (): Promise<void> => {
      await Promise.all(ids.map((id) => this.#deps.store.compareAndDelete(this.#mark(id), '1')));
    };
    for (const id of ids) this.#seen.set(id, 0);
    this.#writing = this.#writing.then(() => this.#try('end cool-downs', take));
  }

  async #read(): Promise<void> {
    const { store, key } = this.#deps;
    const pauses = parsePauses(await store.get(key));
    await Promise.all(pauses.filter(({ id }) => !this.#own.has(id)).map((pause) => this.#follow(pause)));
  }

  /** Takes a pause over, or ends it when its mark is gone. */
  async #follow({ id, width, lengthMs }: SharedPause): Promise<void> {
    const { store, clock, pauses } = this.#deps;
    const known = this.#seen.get(id);
    if (known !== undefined && known <= monotonicNow(clock)) return;
    const isOn = (await store.get(this.#mark(id))) !== undefined;
    if (isOn && known === undefined) {
      const until = monotonicNow(clock) + Math.min(LONGEST_MS, lengthMs);
      this.#seen.set(id, until);
      this.#onFound(width, until);
    } else if (!isOn) {
      if (known !== undefined) pauses.end(width, known);
      this.#seen.set(id, 0);
    }
  }

  async #write(pause: SharedPause): Promise<void> {
    const { store, key } = this.#deps;
    await store.set(this.#mark(pause.id), '1', { ttlMs: pause.lengthMs });
    for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
      const present = await store.get(key);
      const others = parsePauses(present).filter(({ id }) => !this.#isOver(id));
      const all = [...others, pause].slice(-MOST_SHARED);
      const options = { ttlMs: Math.max(...all.map(({ lengthMs }) => lengthMs)) + READ_EVERY_MS };
      const value = JSON.stringify(all);
      const written =
        present === undefined
          ? await store.setIfAbsent(key, value, options)
          : await store.compareAndSet(key, present, value, options);
      if (written) return;
    }
    throw new Error('Other processes wrote at the same time, each time.');
  }

  #isOver(id: string): boolean {
    const until = this.#own.get(id) ?? this.#seen.get(id);
    return until !== undefined && until <= monotonicNow(this.#deps.clock);
  }

  #mark(id: string): string {
    return `${this.#deps.key}:${id}`;
  }

  async #try(operation: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#deps.health.failed(operation, error);
    }
  }
}

/** A text that another release wrote is no list of pauses. */
function parsePauses(text: string | undefined): SharedPause[] {
  if (text === undefined) return [];
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isSharedPause) : [];
}

function isSharedPause(value: unknown): value is SharedPause {
  const { id, width, lengthMs } = (value ?? {}) as Partial<SharedPause>;
  return typeof id === 'string' && typeof width === 'string' && typeof lengthMs === 'number' && lengthMs > 0;
}
