import type { Order, Payment, PaymentRequest } from '../../contract/index.js';
import { ResponseValidationError } from '../../errors/response.js';
import type { WriteOptions } from '../../http/call-options.js';
import { CallPromise } from '../../http/call-promise.js';
import { operationOf } from '../../http/exchange/operation.js';
import type { CallResult } from '../../http/execute.js';
import type { Random } from '../../platform/random.js';
import type { Caller } from '../caller.js';
import { bodyOfName } from '../named-call.js';
import { centsOf, isAboveBalance } from './amounts.js';
import { type LookedFor, type MoneyMove, sentNow, withResolve } from './lost-move.js';
import type { Seen } from './lost-response.js';
import { CLOCK_SKEW_MS, seenPayment, standingOf } from './matching.js';
import { runNamedMoney } from './named-money.js';
import { readOrderWithTime } from './order-reading.js';
import { type PaymentRules, paymentRules } from './overrides.js';

const PATH = '/orders/{order_id}/payments';

/** Payments of an order, one request each. `client.orders.settle` does the whole of it. */
export class Payments {
  readonly #caller: Caller;
  readonly #rules: PaymentRules;
  readonly #random: Random;

  /** @internal Made by the client. */
  constructor(caller: Caller, rules: PaymentRules = paymentRules(), random: Random = Math.random) {
    this.#caller = caller;
    this.#rules = rules;
    this.#random = random;
  }

  /**
   * Pays an order, or a part of it, with one tender. An order in place of the payment is understood (gap PAY-2).
   *
   * Submit loyalty points first, then gift cards, then cards; wait until each payment is COMPLETED or FAILED before the
   * next. Sent again only when nothing was executed.
   *
   * With `operation`, the payment stands under a name in the client's store: it is made once, in whichever process and
   * after whichever crash it is called again. That call reads the order, waits until the horizon of gap PAY-11 has passed,
   * and repeats under the same key only where the order does not show the payment.
   *
   * @param payment - `amount` in whole cents; the instrument's fields are those of gap PAY-1.
   * @throws {PaymentDeclinedError} The tender was declined; nothing was charged.
   * @throws {OutcomeUnknownError} No response tells whether it was executed; call its `resolve()`.
   * @throws {NamedOperationError} With `operation`: it ended without a result, for the reason in `reason`.
   * @see Interface document, "Payment rules"
   */
  create(orderId: string, payment: PaymentRequest, options?: WriteOptions): CallPromise<Payment> {
    if (options?.operation !== undefined) return new CallPromise(this.#createNamed(orderId, payment, options));
    return new CallPromise(this.#create(orderId, { ...payment }, options));
  }

  async #createNamed(orderId: string, given: PaymentRequest, options: WriteOptions): Promise<CallResult<Payment>> {
    const operation = operationOf('POST', PATH);
    const payment = bodyOfName(operation, { ...given });
    const sent = { orderId, payment };
    return runNamedMoney<Payment>(this.#caller, {
      spec: { operation, pathParams: { order_id: orderId }, body: payment },
      options,
      random: this.#random,
      moveOf: (others) => this.#moveOf(sent, others),
      send: (own, check) => this.#sendAndPick(sent, own, check),
    });
  }

  async #create(orderId: string, payment: PaymentRequest, options: WriteOptions = {}): Promise<CallResult<Payment>> {
    const { clock } = this.#caller;
    let sentAt = sentNow(clock);
    const check = (): void => {
      sentAt = sentNow(clock);
    };
    try {
      return await this.#sendAndPick({ orderId, payment }, options, check);
    } catch (error) {
      throw withResolve(error, this.#moveOf({ orderId, payment }, options), sentAt);
    }
  }

  /** Of an order in place of the payment, the payment that was asked for (gap PAY-2). */
  async #sendAndPick(
    sent: SentPaymentCall,
    options: WriteOptions,
    checkBeforeSending: () => void,
  ): Promise<CallResult<Payment>> {
    const { orderId, payment } = sent;
    const startedAt = new Date(this.#caller.clock.now());
    const call = postPayment(this.#caller, this.#rules, {
      orderId,
      body: payment,
      options,
      checkBeforeSending,
    });
    const result = await call.withResponse();
    const { data, idempotencyKey = '' } = result;
    if (!isOrder(data)) {
      this.#caller.confirmed.note(orderId, data?.id, idempotencyKey);
      return { ...result, data };
    }
    const { record } = this.#see(data, sent, idempotencyKey, {
      startedAt,
      skewMs: CLOCK_SKEW_MS,
      isTimeKnown: false,
      baseline: null,
    });
    if (!record) throw showsNoPayment(result);
    this.#caller.confirmed.note(orderId, record.id, idempotencyKey);
    return { ...result, data: record };
  }

  #see(
    order: Order,
    { orderId, payment }: SentPaymentCall,
    idempotencyKey: string,
    { startedAt, skewMs, isTimeKnown, baseline }: LookedFor,
  ): Seen<Payment> {
    const { matches, isFinal } = this.#rules;
    const cents = centsOf(payment.amount) ?? 0;
    return seenPayment(order, {
      sent: { payment_method: payment.payment_method, cents, idempotencyKey, startedAt },
      ...{ baseline, skewMs, isTimeKnown, matches, isFinal, chargedCents: 0 },
      claimed: this.#caller.confirmed.ofOthers(orderId, idempotencyKey),
    });
  }

  #moveOf(sent: SentPaymentCall, options: WriteOptions): MoneyMove<Payment> {
    const { orderId } = sent;
    const { clock, confirmed, settings } = this.#caller;
    return {
      ...{ what: 'payment', path: PATH, orderId, clock, limits: this.#rules.limits, memory: confirmed },
      closing: settings.closing,
      readOrder: (limit) => readOrderWithTime(this.#caller, orderId, limit),
      see: (order, key, lookedFor) => this.#see(order, sent, key, lookedFor),
      isTooMuch: (order) => isAboveBalance(order, sent.payment.amount),
      // A payment that the store voided since was executed all the same.
      hasFailed: (payment) => standingOf(payment, this.#rules.isFinal) === 'failed' && payment.status !== 'VOIDED',
      repeat: async (idempotencyKey, { signal, deadline }, check) =>
        (await this.#sendAndPick(sent, { ...options, idempotencyKey, signal, deadline }, check)).data,
    };
  }
}

interface SentPaymentCall {
  readonly orderId: string;
  readonly payment: PaymentRequest;
}

export interface PaymentPost {
  readonly orderId: string;
  readonly body: PaymentRequest;
  readonly options: WriteOptions;
  readonly checkBeforeSending?: (() => void) | undefined;
  /** Milliseconds of the longest wait inside the call; without it the client's. */
  readonly maxWait?: number | undefined;
}

/** One payment request; the response as it came. */
export function postPayment(
  caller: Caller,
  { toRequest }: PaymentRules,
  { orderId, body, options, checkBeforeSending, maxWait }: PaymentPost,
): CallPromise<Payment | Order> {
  return caller.call('POST /orders/{order_id}/payments', {
    pathParams: { order_id: orderId },
    body,
    // Where the service's requests differ, the contract cannot tell a slip from what it wants.
    isRaw: toRequest !== undefined,
    options,
    checkBeforeSending,
    maxWait,
  });
}

function isOrder(data: Payment | Order | null | undefined): data is Order {
  return typeof data === 'object' && data !== null && 'payments' in data && Array.isArray(data.payments);
}

/** A success that does not show what it did: the order tells, when it is read again. */
function showsNoPayment({ status, requestId, attempts, idempotencyKey, data }: CallResult<unknown>): Error {
  return new ResponseValidationError(
    'The response to POST /orders/{order_id}/payments is an order that does not show the payment.',
    {
      method: 'POST',
      path: PATH,
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
