import type { Refund, RefundRequest } from '../contract/index.js';
import type { WriteOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { Caller } from './caller.js';

/** Refunds of an order. */
export class Refunds {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Gives back a part or all of what was paid, non-cash tenders first. Several partial refunds are allowed.
   *
   * @param refund - `amount` in whole cents decides; `line_items` only informs.
   * @throws {UnprocessableEntityError} The amount exceeds what was paid less what was refunded.
   * @throws {OutcomeUnknownError} No answer tells whether it was executed; call its `resolve()`.
   * @see Interface document, "Orders, payments, refunds"; gaps REF-1 to REF-7
   */
  create(orderId: string, refund: RefundRequest, options?: WriteOptions): CallPromise<Refund> {
    return this.#caller.call('POST', '/orders/{order_id}/refunds', {
      pathParams: { order_id: orderId },
      body: refund,
      options,
    });
  }
}
