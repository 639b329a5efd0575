const MOST_ORDERS = 10_000;

/**
 * Which payment and refund records were answers to which keys, in this process: an identical one that was made just
 * before must not be taken for one whose answer was lost.
 */
export class AnsweredRecords {
  readonly #orders = new Map<string, Map<string, string>>();

  note(orderId: string, recordId: unknown, idempotencyKey: string | undefined): void {
    if (typeof recordId !== 'string' || idempotencyKey === undefined) return;
    const records = this.#orders.get(orderId) ?? new Map<string, string>();
    this.#orders.delete(orderId);
    this.#orders.set(orderId, records.set(recordId, idempotencyKey));
    if (this.#orders.size <= MOST_ORDERS) return;
    const [oldest] = this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
  }

  /** Ids of the order's records that answered another key. */
  ofOthers(orderId: string, idempotencyKey: string): ReadonlySet<string> {
    const records = [...(this.#orders.get(orderId) ?? [])];
    return new Set(records.filter(([, key]) => key !== idempotencyKey).map(([id]) => id));
  }
}
