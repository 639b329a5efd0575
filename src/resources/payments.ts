import type { Payment, PaymentRequest } from '../contract/index.js';
import type { WriteOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { Caller } from './caller.js';

/** Payments of an order, one request each. `client.orders.settle` does the whole of it. */
export class Payments {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Pays an order, or a part of it, with one tender.
   *
   * Submit loyalty points first, then gift cards, then cards; wait until each payment is COMPLETED or FAILED before the
   * next. Sent again only when nothing was executed.
   *
   * @param payment - `amount` in whole cents; the instrument's fields are those of gap PAY-1.
   * @throws {PaymentDeclinedError} The tender was declined; nothing was charged.
   * @throws {OutcomeUnknownError} No answer tells whether it was executed; call its `resolve()`.
   * @see Interface document, "Payment rules"
   */
  create(orderId: string, payment: PaymentRequest, options?: WriteOptions): CallPromise<Payment> {
    return this.#caller.call('POST', '/orders/{order_id}/payments', {
      pathParams: { order_id: orderId },
      body: payment,
      options,
    });
  }
}
