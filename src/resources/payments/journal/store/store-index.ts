import { newUuid } from '../../../../platform/uuid.js';
import type { Store } from '../../../../stores/store.js';

const SHARDS = 64;
const MOST_ATTEMPTS = 100;
/** So long after it was added an entry without an open run is one that a crash left. */
const FRESH_MS = 60 * 60_000;

/**
 * The orders with a run that has not ended, in a store that cannot list its keys: lists under 64 keys of their own.
 *
 * Each journal object adds and removes entries in its own name, so that one that ends a run takes nothing away from
 * another one that has begun. Entries that a crash left are taken away when the list is read.
 */
export class StoreIndex {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #ttlMs: number;
  readonly #self: string;
  /** Entries that this object has added, by order. */
  readonly #added = new Map<string, string>();

  constructor(store: Store, { prefix, ttlMs }: { prefix: string; ttlMs: number }) {
    this.#store = store;
    this.#prefix = prefix;
    this.#ttlMs = ttlMs;
    this.#self = randomName();
  }

  async add(orderId: string): Promise<void> {
    if (this.#added.has(orderId)) return;
    const entry = `${this.#self}.${Date.now().toString(36)}:${orderId}`;
    await this.#change(orderId, (entries) => [...entries, entry]);
    this.#added.set(orderId, entry);
  }

  async remove(orderId: string): Promise<void> {
    const entry = this.#added.get(orderId);
    if (entry === undefined) return;
    await this.#change(orderId, (entries) => without(entries, (present) => present === entry));
    this.#added.delete(orderId);
  }

  /** Takes away what a crash left of an order without an open run; a young entry may belong to a run that begins. */
  async repair(orderId: string): Promise<void> {
    await this.#change(orderId, (entries) =>
      without(entries, (entry) => orderOf(entry) === orderId && addedAtMs(entry) < Date.now() - FRESH_MS),
    );
  }

  async *list(): AsyncGenerator<string> {
    const seen = new Set<string>();
    for (let shard = 0; shard < SHARDS; shard += 1) {
      for (const entry of entriesOf((await this.#store.get(this.#keyOf(shard))) ?? undefined)) {
        const orderId = orderOf(entry);
        if (seen.has(orderId)) continue;
        seen.add(orderId);
        yield orderId;
      }
    }
  }

  async #change(orderId: string, change: (entries: readonly string[]) => readonly string[]): Promise<void> {
    const key = this.#keyOf(shardOf(orderId));
    const options = { ttlMs: this.#ttlMs };
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const present = (await this.#store.get(key)) ?? undefined;
      const entries = entriesOf(present);
      const changed = change(entries);
      if (changed === entries || (changed.length === 0 && present === undefined)) return;
      const text = JSON.stringify(changed);
      if (present === undefined) {
        if (await this.#store.setIfAbsent(key, text, options)) return;
      } else if (changed.length === 0) {
        if (await this.#store.compareAndDelete(key, present)) return;
      } else if (await this.#store.compareAndSet(key, present, text, options)) return;
    }
    throw new Error(`The list of open orders (${key}) changed ${MOST_ATTEMPTS} times while it was written.`);
  }

  #keyOf(shard: number): string {
    return `${this.#prefix}open:${shard}`;
  }
}

function without(entries: readonly string[], leaves: (entry: string) => boolean): readonly string[] {
  return entries.some(leaves) ? entries.filter((entry) => !leaves(entry)) : entries;
}

function addedAtMs(entry: string): number {
  return Number.parseInt(entry.slice(entry.indexOf('.') + 1, entry.indexOf(':')), 36) || 0;
}

function orderOf(entry: string): string {
  return entry.slice(entry.indexOf(':') + 1);
}

function entriesOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

/** Spreads orders over the lists; which list an order stands in must never change. */
function shardOf(orderId: string): number {
  let hash = 0;
  for (const character of orderId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % SHARDS;
}

function randomName(): string {
  return newUuid().slice(0, 13);
}
