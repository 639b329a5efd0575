import type { KeyInDoubt } from './lost-move.js';

const MOST_ORDERS = 10_000;
const MOST_KEYS = 10_000;

/**
 * What this process knows of payments and refunds that were sent alone: which records came back for which keys, so
 * that an identical one that was made just before is not taken for one whose response was lost; and which keys are in
 * doubt, so that a refusal of their repetition is not taken for the fate of the first sending.
 */
export class ConfirmedRecords {
  readonly #orders = new Map<string, Map<string, string>>();
  readonly #inDoubt = new Map<string, KeyInDoubt>();
  readonly #declined = new Map<string, true>();

  note(orderId: string, recordId: unknown, idempotencyKey: string | undefined): void {
    if (typeof recordId !== 'string' || idempotencyKey === undefined) return;
    this.#inDoubt.delete(idempotencyKey);
    const records = this.#orders.get(orderId) ?? new Map<string, string>();
    this.#orders.delete(orderId);
    this.#orders.set(orderId, records.set(recordId, idempotencyKey));
    forgetOldest(this.#orders, MOST_ORDERS);
  }

  /** Ids of the order's records that came back for another key. */
  ofOthers(orderId: string, idempotencyKey: string): ReadonlySet<string> {
    const records = [...(this.#orders.get(orderId) ?? [])];
    return new Set(records.filter(([, key]) => key !== idempotencyKey).map(([id]) => id));
  }

  inDoubt(idempotencyKey: string): KeyInDoubt | undefined {
    return this.#inDoubt.get(idempotencyKey);
  }

  /** Whether an earlier sending of the key was declined: a FAILED record of it may be in the order. */
  wasDeclined(idempotencyKey: string): boolean {
    return this.#declined.has(idempotencyKey);
  }

  noteDeclined(idempotencyKey: string): void {
    this.#declined.set(idempotencyKey, true);
    forgetOldest(this.#declined, MOST_KEYS);
  }

  noteInDoubt(idempotencyKey: string, key: KeyInDoubt): void {
    this.#inDoubt.set(idempotencyKey, key);
    forgetOldest(this.#inDoubt, MOST_KEYS);
  }
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
