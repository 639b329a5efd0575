import { ConfigurationError } from '../../../../errors/local.js';
import type { Store } from '../../../../stores/store.js';
import { asPlainJournal, type PaymentJournal } from '../journal.js';
import { movedRecord, movedText, unmovedText } from '../moved-record.js';
import { isOpenText } from '../open-runs.js';
import { checkedRetention } from '../retention.js';
import { StoreIndex } from './store-index.js';

/** Where in the store the records stand, and for how long. */
export interface StoreJournalOptions {
  /** Before the order id, in the keys of the store. @defaultValue 'online-ordering:payments:' */
  prefix?: string | undefined;
  /** Milliseconds after its last write at which the store forgets a record; at least 25 hours. @defaultValue 30 days */
  ttlMs?: number | undefined;
}

const DEFAULT_PREFIX = 'online-ordering:payments:';

/**
 * A payment journal in a store that processes share: one of them at a time works on an order, and another one goes on
 * where it died. The client's option `store` is the same journal as `storeJournal(store)`.
 *
 * It is as durable as the store: a Redis without persistence, or one that evicts keys when its memory is full, forgets;
 * a PostgreSQL does not.
 *
 * @throws {ConfigurationError} `ttlMs` is shorter than 25 hours, or `store` is none.
 */
export function storeJournal(store: Store, options: StoreJournalOptions = {}): PaymentJournal {
  return journalOver(store, options);
}

/** With the prefixes under which release 0.1.0 kept the records of this client. */
export function journalOver(
  store: Store,
  { prefix = DEFAULT_PREFIX, ttlMs, formerPrefixes = [] }: StoreJournalOptions & { formerPrefixes?: readonly string[] },
): Required<PaymentJournal> {
  if (typeof store?.compareAndSet !== 'function') {
    throw new ConfigurationError('storeJournal needs a store, for example storeJournal(redisStore(client)).');
  }
  return asPlainJournal(new StoreJournal(store, { prefix, formerPrefixes, ttlMs: checkedRetention('ttlMs', ttlMs) }));
}

interface Places {
  readonly prefix: string;
  readonly formerPrefixes: readonly string[];
  readonly ttlMs: number;
}

/** A record at a key where this release writes none. */
interface Former {
  readonly key: string;
  readonly value: string;
  readonly text: string;
}

class StoreJournal implements Required<PaymentJournal> {
  readonly #store: Store;
  readonly #places: Places;
  readonly #index: StoreIndex;

  constructor(store: Store, places: Places) {
    this.#store = store;
    this.#places = places;
    this.#index = new StoreIndex(store, { prefix: places.prefix, ttlMs: places.ttlMs });
  }

  async read(orderId: string): Promise<string | undefined> {
    return (await this.#get(this.#keyOf(orderId))) ?? (await this.#former(orderId))?.text;
  }

  async write(orderId: string, expected: string | undefined, next: string): Promise<boolean> {
    const isOpen = isOpenText(next);
    // Noted before the record is: a crash in between names an order too many, never one too few.
    if (isOpen) await this.#index.add(orderId.toLowerCase());
    const written = await this.#write(orderId, expected, next);
    if (written && !isOpen) await this.#index.remove(orderId.toLowerCase());
    return written;
  }

  async forget(orderId: string, expected: string): Promise<boolean> {
    const isGone = await this.#store.compareAndDelete(this.#keyOf(orderId), expected);
    if (isGone) await this.#index.remove(orderId.toLowerCase());
    return isGone;
  }

  async *open(): AsyncGenerator<string> {
    for await (const orderId of this.#index.list()) {
      if (isOpenText(await this.read(orderId))) yield orderId;
      else await this.#index.repair(orderId);
    }
  }

  async #write(orderId: string, expected: string | undefined, next: string): Promise<boolean> {
    const { ttlMs } = this.#places;
    const key = this.#keyOf(orderId);
    if (expected === undefined) {
      if (await this.#former(orderId)) return false;
      return this.#store.setIfAbsent(key, next, { ttlMs });
    }
    if (await this.#store.compareAndSet(key, expected, next, { ttlMs })) return true;
    if ((await this.#get(key)) !== undefined) return false;
    // A record of release 0.1.0: its place is closed first, so that an older process cannot go on there.
    const former = await this.#former(orderId);
    if (former?.text !== expected) return false;
    if (movedRecord(former.value) === undefined) {
      if (!(await this.#store.compareAndSet(former.key, former.value, movedText(expected), { ttlMs }))) return false;
    }
    return this.#store.setIfAbsent(key, next, { ttlMs });
  }

  async #former(orderId: string): Promise<Former | undefined> {
    const { prefix, formerPrefixes } = this.#places;
    const own = this.#keyOf(orderId);
    const keys = [prefix, ...formerPrefixes].flatMap((before) => [before + orderId.toLowerCase(), before + orderId]);
    for (const key of new Set(keys)) {
      if (key === own) continue;
      const value = await this.#get(key);
      if (value !== undefined) return { key, value, text: unmovedText(value) };
    }
    return undefined;
  }

  #keyOf(orderId: string): string {
    return this.#places.prefix + orderId.toLowerCase();
  }

  /** Many drivers give null for what is not there. */
  async #get(key: string): Promise<string | undefined> {
    return (await this.#store.get(key)) ?? undefined;
  }
}
