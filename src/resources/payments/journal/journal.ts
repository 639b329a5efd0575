/**
 * Where `settle` writes down what it is about to do, before it does it: one text per order.
 *
 * `fileJournal` and `storeJournal` are ready to use. A journal of your own (a table of your database) needs `read` and
 * `write`. The text holds no card data, token or customer id. It is JSON; of its fields only `open` is for others than
 * this package: whether a run on the order has not ended. Compare order ids in lower case: a service may accept one id
 * in several spellings (gap PAY-30).
 *
 * Each operation has five seconds; what comes later is ignored, and the settlement ends with a `PaymentStateError`
 * (`reason: 'journal_unavailable'`).
 */
export interface PaymentJournal {
  /** The record of the order as last written, or `undefined` when there is none. */
  read(orderId: string): Promise<string | undefined>;
  /**
   * Writes `next` if the present record is `expected` (`undefined`: if there is none), atomically, and tells whether
   * it did. Once it has resolved to `true`, the record must survive a crash of the process.
   */
  write(orderId: string, expected: string | undefined, next: string): Promise<boolean>;
  /**
   * Ids of the orders with a run that has not ended: one that is under way now, was left by a crash, or has a payment
   * whose outcome is not known yet. Without it `resumeAll` cannot tell which orders to go on with.
   */
  open?(): AsyncIterable<string>;
  /**
   * Takes the record away if it is `expected`, atomically, and tells whether it did. Called for orders of which nothing
   * was sent. Without it their records stay until the journal forgets them.
   */
  forget?(orderId: string, expected: string): Promise<boolean>;
}

/** A journal whose operations can be taken out of it and spread into another one, as those of a plain object can. */
export function asPlainJournal(journal: Required<PaymentJournal>): Required<PaymentJournal> {
  return {
    read: (orderId) => journal.read(orderId),
    write: (orderId, expected, next) => journal.write(orderId, expected, next),
    open: () => journal.open(),
    forget: (orderId, expected) => journal.forget(orderId, expected),
  };
}
