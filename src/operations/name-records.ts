import { replayableUntil } from '../http/response/replay-window.js';
import type { Seal } from '../stores/seal.js';
import type { Store } from '../stores/store.js';
import { type OperationRecord, parseOperationRecord, type StoredResult } from './operation-record.js';

/** A record, and the text under which the store has it. */
export interface Written {
  readonly record: OperationRecord;
  readonly text: string;
}

/** The name is in other hands, or was held for too long for a byte to leave. */
export class NameLostError extends Error {}

/** How long a key may be sent again after its first sending, and how long its result is known (gap OPS-1). */
const REPLAYABLE_MS = /* @__PURE__ */ replayableUntil(0);
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Records that a group remembers: more than an order ever has. */
const MOST_MADE = 500;

/** What the store keeps of names. Every method throws what the store throws. */
export class NameRecords {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #seal: Seal;

  constructor(store: Store, prefix: string, seal: Seal) {
    this.#store = store;
    this.#prefix = prefix;
    this.#seal = seal;
  }

  /** The key of the lease under which one call at a time works: for a name, or for a group of them. */
  leaseKey(name: string, group: string | undefined): string {
    return group === undefined ? this.#key('operation-leases', name) : this.#key('operation-group-leases', group);
  }

  async read(name: string): Promise<Written | undefined> {
    const text = await this.#store.get(this.#key('operations', name));
    if (text === undefined) return undefined;
    const record = parseOperationRecord(text);
    if (!record) throw new Error('The record of the name was written by another program or version.');
    return { record, text };
  }

  /** Whether the key of the record is young enough to be sent, as the store's clock says. */
  async isFresh(name: string, { key }: OperationRecord): Promise<boolean> {
    return (await this.#store.get(this.#ageKey(name, key))) !== undefined;
  }

  /** Whether whatever was sent under the key before `beginHorizon` is executed no longer, as the store's clock says. */
  async isHorizonOver(name: string, { key }: OperationRecord): Promise<boolean> {
    return (await this.#store.get(this.#horizonKey(name, key))) === undefined;
  }

  async beginHorizon(name: string, { key }: OperationRecord, horizonMs: number): Promise<void> {
    await this.#store.set(this.#horizonKey(name, key), 'running', { ttlMs: horizonMs });
  }

  /** @throws {NameLostError} Another process has written under the name. */
  async begin(name: string, record: OperationRecord): Promise<Written> {
    const text = JSON.stringify(record);
    // First the mark of its age: a key without one counts as too old to be sent again.
    await this.#store.set(this.#ageKey(name, record.key), 'fresh', { ttlMs: REPLAYABLE_MS });
    const isFirst = await this.#store.setIfAbsent(this.#key('operations', name), text, { ttlMs: KEPT_MS });
    if (!isFirst) throw new NameLostError('Another call has written under the name.');
    return { record, text };
  }

  /** @throws {NameLostError} Another process has written under the name. */
  async replace(name: string, { text }: Written, record: OperationRecord): Promise<Written> {
    const next = JSON.stringify(record);
    if (await this.#store.compareAndSet(this.#key('operations', name), text, next, { ttlMs: KEPT_MS })) {
      return { record, text: next };
    }
    throw new NameLostError('Another call has written under the name.');
  }

  async free(name: string, { text }: Written): Promise<void> {
    await this.#store.compareAndDelete(this.#key('operations', name), text);
  }

  async finish(name: string, { record, text }: Written, result: StoredResult): Promise<void> {
    const sealed = await this.#seal.seal(JSON.stringify(result), name);
    const { note: _, ...kept } = record;
    const next = JSON.stringify({ ...kept, result: sealed } satisfies OperationRecord);
    await this.#store.compareAndSet(this.#key('operations', name), text, next, { ttlMs: KEPT_MS });
  }

  /** The result of a record; `undefined` where it was sealed with another secret. */
  async resultOf(name: string, { result = '' }: OperationRecord): Promise<StoredResult | undefined> {
    const text = await this.#seal.open(result, name);
    return text === undefined ? undefined : (JSON.parse(text) as StoredResult);
  }

  /** Ids of records that works of the group have made, with their keys; empty where nothing can be read. */
  async madeBy(group: string): Promise<Record<string, string>> {
    const text = await this.#store.get(this.#key('operation-groups', group));
    return text === undefined ? {} : (JSON.parse(text) as Record<string, string>);
  }

  /** Under the lease of the group. */
  async claim(group: string, made: Readonly<Record<string, string>>, id: string, key: string): Promise<void> {
    const entries = Object.entries({ ...made, [id]: key }).slice(-MOST_MADE);
    const text = JSON.stringify(Object.fromEntries(entries));
    await this.#store.set(this.#key('operation-groups', group), text, { ttlMs: KEPT_MS });
  }

  #key(kind: string, name: string): string {
    return `${this.#prefix}:${kind}:${name}`;
  }

  #horizonKey(name: string, key: string): string {
    return `${this.#key('operation-horizons', name)}:${key}`;
  }

  #ageKey(name: string, key: string): string {
    return `${this.#key('operation-ages', name)}:${key}`;
  }
}
