import type { Store } from '../../../stores/store.js';
import type { PaymentJournal } from './journal.js';

/** Where in the store the records stand, and for how long. */
export interface StoreJournalOptions {
  /** Before the order id, in the keys of the store. @defaultValue 'online-ordering:payments:' */
  prefix?: string | undefined;
  /** Milliseconds after its last write at which the store forgets a record. @defaultValue 30 days */
  ttlMs?: number | undefined;
}

const THIRTY_DAYS_MS = 30 * 24 * 60 * 60_000;

/**
 * A payment journal in a store that processes share: one of them at a time works on an order, and another one goes on
 * where it died.
 *
 * It is as durable as the store: a Redis without persistence forgets with its machine, a PostgreSQL does not.
 */
export function storeJournal(
  store: Store,
  { prefix = 'online-ordering:payments:', ttlMs = THIRTY_DAYS_MS }: StoreJournalOptions = {},
): PaymentJournal {
  return {
    read: (orderId) => store.get(prefix + orderId),
    write: (orderId, expected, next) =>
      expected === undefined
        ? store.setIfAbsent(prefix + orderId, next, { ttlMs })
        : store.compareAndSet(prefix + orderId, expected, next, { ttlMs }),
  };
}
