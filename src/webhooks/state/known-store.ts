import type { Store } from '../../stores/store.js';
import type { Known, KnownFacet } from './known-state.js';

/** How long an order is remembered after it changed or was read last. Stock, menus and hours are never forgotten. */
export const ORDER_TTL_MS = 30 * 24 * 3_600_000;

/** Reads and writes what is known of a subject. */
export class KnownStore {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  async load(subject: string): Promise<KnownReading> {
    const text = await this.#store.get(this.#key(subject));
    return { text, known: new Map(Object.entries((text ? JSON.parse(text) : {}) as Record<string, KnownFacet>)) };
  }

  /**
   * Writes what changed since the reading; gives the reading that the next write starts from. With `touch` an order is
   * remembered for longer even if nothing changed.
   */
  async save(subject: string, reading: KnownReading, known: Known, touch = false): Promise<KnownReading> {
    const text = JSON.stringify(Object.fromEntries(known));
    const ttlMs = subject.startsWith('order:') ? ORDER_TTL_MS : undefined;
    if (text === (reading.text ?? '{}') && !(touch && ttlMs && reading.text)) return reading;
    const key = this.#key(subject);
    const saved =
      reading.text === undefined
        ? await this.#store.setIfAbsent(key, text, { ttlMs })
        : await this.#store.compareAndSet(key, reading.text, text, { ttlMs });
    if (!saved) throw new Error('Another process changed the same record.');
    return { text, known };
  }

  #key(subject: string): string {
    return `${this.#prefix}known:${subject}`;
  }
}

export interface KnownReading {
  /** As it stands in the store; undefined when nothing does. */
  readonly text: string | undefined;
  readonly known: Known;
}
