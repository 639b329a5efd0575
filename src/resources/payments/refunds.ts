import type { Refund, RefundRequest } from '../../contract/index.js';
import type { WriteOptions } from '../../http/call-options.js';
import { CallPromise } from '../../http/call-promise.js';
import type { CallResult } from '../../http/execute.js';
import type { Caller } from '../caller.js';
import { readOrderWithTime } from './order-reading.js';
import { refundInOrder } from './unknown-outcome/refund-in-order.js';
import type { LostAnswer } from './unknown-outcome/resolve-outcome.js';
import { withResolve } from './unknown-outcome/with-resolve.js';

/** Refunds of an order. */
export class Refunds {
  readonly #caller: Caller;

  /** @internal Made by the client. */
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
    return new CallPromise(this.#create(orderId, structuredCopy(refund), options));
  }

  async #create(orderId: string, refund: RefundRequest, options?: WriteOptions): Promise<CallResult<Refund>> {
    const startedAtLocalMs = this.#caller.clock.now();
    try {
      return await this.#send(orderId, refund, options);
    } catch (error) {
      const lost = (idempotencyKey: string) =>
        this.#lost({ orderId, refund, startedAtLocalMs }, { ...options, idempotencyKey });
      throw withResolve(error, { what: 'refund', orderId, lost });
    }
  }

  async #send(orderId: string, refund: RefundRequest, options?: WriteOptions): Promise<CallResult<Refund>> {
    const call = this.#caller.call<Refund>('POST', '/orders/{order_id}/refunds', {
      pathParams: { order_id: orderId },
      body: refund,
      options,
    });
    const result = await call.withResponse();
    this.#caller.answered.note(orderId, result.data?.id, result.idempotencyKey);
    return result;
  }

  #lost({ orderId, refund, startedAtLocalMs }: SentRefundCall, options: KeyedOptions): LostAnswer<Refund> {
    const { idempotencyKey } = options;
    return {
      clock: this.#caller.clock,
      path: '/orders/{order_id}/refunds',
      startedAtLocalMs,
      readOrder: (limit) => readOrderWithTime(this.#caller, orderId, limit),
      find: (order, startedAt) => {
        const taken = this.#caller.answered.ofOthers(orderId, idempotencyKey);
        return refundInOrder(order, { cents: refund.amount, idempotencyKey, startedAt, taken });
      },
      repeat: async ({ signal, deadline }) =>
        (await this.#send(orderId, refund, { ...options, signal, deadline })).data,
    };
  }
}

interface SentRefundCall {
  readonly orderId: string;
  readonly refund: RefundRequest;
  readonly startedAtLocalMs: number;
}

type KeyedOptions = WriteOptions & { readonly idempotencyKey: string };

/** The caller may change its object while the outcome is still open. */
function structuredCopy(refund: RefundRequest): RefundRequest {
  return refund?.line_items ? { ...refund, line_items: refund.line_items.map((line) => ({ ...line })) } : { ...refund };
}
