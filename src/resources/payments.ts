import type { Payment, PaymentRequest } from '../contract/index.js';
import type { WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import type { CallResult } from '../http/execute.js';
import type { Caller } from './caller.js';
import { readOrderWithTime } from './order-reading.js';
import { centsOf } from './payment-amounts.js';
import type { PaymentOverrides } from './payment-overrides.js';
import { paymentInOrder } from './unknown-outcome/payment-in-order.js';
import type { LostAnswer } from './unknown-outcome/resolve-outcome.js';
import { withResolve } from './unknown-outcome/with-resolve.js';

/** Payments of an order, one request each. `client.orders.settle` does the whole of it. */
export class Payments {
  readonly #caller: Caller;
  readonly #overrides: PaymentOverrides;

  /** @internal Made by the client. */
  constructor(caller: Caller, overrides: PaymentOverrides = {}) {
    this.#caller = caller;
    this.#overrides = overrides;
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
    return new CallPromise(this.#create(orderId, { ...payment }, options));
  }

  async #create(orderId: string, payment: PaymentRequest, options?: WriteOptions): Promise<CallResult<Payment>> {
    const startedAtLocalMs = this.#caller.clock.now();
    try {
      return await this.#send(orderId, payment, options);
    } catch (error) {
      const lost = (idempotencyKey: string) =>
        this.#lost({ orderId, payment, startedAtLocalMs }, { ...options, idempotencyKey });
      throw withResolve(error, { what: 'payment', orderId, lost });
    }
  }

  async #send(orderId: string, payment: PaymentRequest, options?: WriteOptions): Promise<CallResult<Payment>> {
    const call = this.#caller.call<Payment>('POST', '/orders/{order_id}/payments', {
      pathParams: { order_id: orderId },
      body: payment,
      // Where the service's requests differ, the contract cannot tell a slip from what it wants.
      isRaw: this.#overrides.toRequest !== undefined,
      options,
    });
    const result = await call.withResponse();
    this.#caller.answered.note(orderId, result.data?.id, result.idempotencyKey);
    return result;
  }

  #lost({ orderId, payment, startedAtLocalMs }: SentPaymentCall, options: KeyedOptions): LostAnswer<Payment> {
    const { idempotencyKey } = options;
    const { matches } = this.#overrides;
    return {
      clock: this.#caller.clock,
      path: '/orders/{order_id}/payments',
      startedAtLocalMs,
      readOrder: (limit) => readOrderWithTime(this.#caller, orderId, limit),
      find: (order, startedAt) => {
        const taken = this.#caller.answered.ofOthers(orderId, idempotencyKey);
        const cents = centsOf(payment.amount) ?? 0;
        const sent = { payment_method: payment.payment_method, cents, idempotencyKey, startedAt };
        return paymentInOrder(order, { ...sent, matches, taken });
      },
      repeat: async ({ signal, deadline }) =>
        (await this.#send(orderId, payment, { ...options, signal, deadline })).data,
    };
  }
}

interface SentPaymentCall {
  readonly orderId: string;
  readonly payment: PaymentRequest;
  readonly startedAtLocalMs: number;
}

type KeyedOptions = WriteOptions & { readonly idempotencyKey: string };
