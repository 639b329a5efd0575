import type { Order, Payment, PaymentRequest } from '../../contract/index.js';
import { ResponseValidationError } from '../../errors/response.js';
import type { WriteOptions } from '../../http/call-options.js';
import { CallPromise } from '../../http/call-promise.js';
import type { CallResult } from '../../http/execute.js';
import type { Caller } from '../caller.js';
import { centsOf } from './amounts.js';
import { readOrderWithTime } from './order-reading.js';
import type { PaymentOverrides } from './overrides.js';
import { paymentInOrder } from './unknown-outcome/payment-in-order.js';
import type { Found, LostAnswer } from './unknown-outcome/resolve-outcome.js';
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
   * Pays an order, or a part of it, with one tender. An order that the service answers in its place is understood (gap PAY-2).
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

  /** @internal The service's answer as it came: `settle` understands it by what its journal knows. */
  submit(orderId: string, payment: PaymentRequest, options?: WriteOptions): CallPromise<Payment | Order> {
    return new CallPromise(this.#resolvable({ orderId, payment }, options, (sent) => this.#send(sent, options)));
  }

  #create(orderId: string, payment: PaymentRequest, options?: WriteOptions): Promise<CallResult<Payment>> {
    return this.#resolvable({ orderId, payment }, options, (sent) => this.#sendAndPick(sent, options));
  }

  async #resolvable<Answer>(
    { orderId, payment }: Omit<SentPaymentCall, 'startedAtLocalMs'>,
    options: WriteOptions | undefined,
    send: (sent: SentPaymentCall) => Promise<CallResult<Answer>>,
  ): Promise<CallResult<Answer>> {
    const sent = { orderId, payment, startedAtLocalMs: this.#caller.clock.now() };
    try {
      return await send(sent);
    } catch (error) {
      const lost = (idempotencyKey: string) => this.#lost(sent, { ...options, idempotencyKey });
      throw withResolve(error, { what: 'payment', orderId, lost });
    }
  }

  /** Of an order in place of the payment, the payment that was asked for (gap PAY-2). */
  async #sendAndPick(sent: SentPaymentCall, options?: WriteOptions): Promise<CallResult<Payment>> {
    const result = await this.#send(sent, options);
    const { data, idempotencyKey = '' } = result;
    if (!isOrder(data)) return { ...result, data };

    const found = this.#find(data, sent, { idempotencyKey, startedAt: new Date(sent.startedAtLocalMs) });
    if (found.kind !== 'present') throw showsNoPayment(result);
    this.#caller.answered.note(sent.orderId, found.record.id, idempotencyKey);
    return { ...result, data: found.record };
  }

  async #send({ orderId, payment }: SentPaymentCall, options?: WriteOptions): Promise<CallResult<Payment | Order>> {
    const call = this.#caller.call<Payment | Order>('POST', '/orders/{order_id}/payments', {
      pathParams: { order_id: orderId },
      body: payment,
      // Where the service's requests differ, the contract cannot tell a slip from what it wants.
      isRaw: this.#overrides.toRequest !== undefined,
      options,
    });
    const result = await call.withResponse();
    if (!isOrder(result.data)) this.#caller.answered.note(orderId, result.data?.id, result.idempotencyKey);
    return result;
  }

  #find(
    order: Order,
    { orderId, payment }: SentPaymentCall,
    { idempotencyKey, startedAt }: { idempotencyKey: string; startedAt: Date },
  ): Found<Payment> {
    const taken = this.#caller.answered.ofOthers(orderId, idempotencyKey);
    const cents = centsOf(payment.amount) ?? 0;
    const sent = { payment_method: payment.payment_method, cents, idempotencyKey, startedAt };
    return paymentInOrder(order, { ...sent, matches: this.#overrides.matches, taken });
  }

  #lost(sent: SentPaymentCall, options: KeyedOptions): LostAnswer<Payment> {
    const { orderId, startedAtLocalMs } = sent;
    const { idempotencyKey } = options;
    return {
      clock: this.#caller.clock,
      path: '/orders/{order_id}/payments',
      startedAtLocalMs,
      readOrder: (limit) => readOrderWithTime(this.#caller, orderId, limit),
      find: (order, startedAt) => this.#find(order, sent, { idempotencyKey, startedAt }),
      repeat: async ({ signal, deadline }) => (await this.#sendAndPick(sent, { ...options, signal, deadline })).data,
    };
  }
}

interface SentPaymentCall {
  readonly orderId: string;
  readonly payment: PaymentRequest;
  readonly startedAtLocalMs: number;
}

type KeyedOptions = WriteOptions & { readonly idempotencyKey: string };

function isOrder(answer: Payment | Order | null | undefined): answer is Order {
  return typeof answer === 'object' && answer !== null && 'payments' in answer && Array.isArray(answer.payments);
}

/** A success that does not show what it did: the order tells, when it is read again. */
function showsNoPayment({ status, requestId, attempts, idempotencyKey, data }: CallResult<unknown>): Error {
  return new ResponseValidationError(
    'POST /orders/{order_id}/payments was answered with an order that does not show the payment.',
    {
      method: 'POST',
      path: '/orders/{order_id}/payments',
      attempts,
      outcome: 'unknown',
      idempotencyKey,
      reason: 'contract',
      status,
      requestId,
      data,
    },
  );
}
