/**
 * Where `settle` writes down what it is about to do, before it does it: one text per order.
 *
 * `fileJournal` and `storeJournal` are ready to use. A journal of your own (a table of your database) needs these two
 * operations; the text is opaque, and holds no card data, token or customer id.
 */
export interface PaymentJournal {
  /** The record of the order as last written, or `undefined` when there is none. */
  read(orderId: string): Promise<string | undefined>;
  /**
   * Writes `next` if the present record is `expected` (`undefined`: if there is none), atomically, and tells whether
   * it did. Once it has resolved to `true`, the record must survive a crash of the process.
   */
  write(orderId: string, expected: string | undefined, next: string): Promise<boolean>;
}
