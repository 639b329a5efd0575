import type { Refund, RefundRequest } from '../../contract/index.js';
import type { WriteOptions } from '../../http/call-options.js';
import { CallPromise } from '../../http/call-promise.js';
import { operationOf } from '../../http/exchange/operation.js';
import type { CallResult } from '../../http/execute.js';
import type { Random } from '../../platform/random.js';
import type { Caller } from '../caller.js';
import { bodyOfName } from '../named-call.js';
import { type MoneyMove, sentNow, withResolve } from './lost-move.js';
import { seenRefund } from './matching.js';
import { runNamedMoney } from './named-money.js';
import { readOrderWithTime } from './order-reading.js';
import { type PaymentRules, paymentRules } from './overrides.js';

const PATH = '/orders/{order_id}/refunds';

/** Refunds of an order. */
export class Refunds {
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
   * Gives back a part or all of what was paid, non-cash tenders first. Several partial refunds are allowed.
   *
   * With `operation`, the refund stands under a name in the client's store, and is made once, as a payment is.
   *
   * @param refund - `amount` in whole cents decides; `line_items` only informs.
   * @throws {UnprocessableEntityError} The amount exceeds what was paid less what was refunded.
   * @throws {OutcomeUnknownError} No response tells whether it was executed; call its `resolve()`.
   * @throws {NamedOperationError} With `operation`: it ended without a result, for the reason in `reason`.
   * @see Interface document, "Orders, payments, refunds"; gaps REF-1 to REF-7
   */
  create(orderId: string, refund: RefundRequest, options?: WriteOptions): CallPromise<Refund> {
    if (options?.operation !== undefined) return new CallPromise(this.#createNamed(orderId, refund, options));
    return new CallPromise(this.#create(orderId, copyOf(refund), options));
  }

  async #createNamed(orderId: string, given: RefundRequest, options: WriteOptions): Promise<CallResult<Refund>> {
    const operation = operationOf('POST', PATH);
    const refund = bodyOfName(operation, { ...given });
    return runNamedMoney<Refund>(this.#caller, {
      spec: { operation, pathParams: { order_id: orderId }, body: refund },
      options,
      random: this.#random,
      moveOf: (others) => this.#moveOf(orderId, refund, others),
      send: (own, check) => this.#send(orderId, refund, own, check),
    });
  }

  async #create(orderId: string, refund: RefundRequest, options: WriteOptions = {}): Promise<CallResult<Refund>> {
    const { clock } = this.#caller;
    let sentAt = sentNow(clock);
    const check = (): void => {
      sentAt = sentNow(clock);
    };
    try {
      return await this.#send(orderId, refund, options, check);
    } catch (error) {
      throw withResolve(error, this.#moveOf(orderId, refund, options), sentAt);
    }
  }

  async #send(
    orderId: string,
    refund: RefundRequest,
    options: WriteOptions,
    checkBeforeSending: () => void,
  ): Promise<CallResult<Refund>> {
    const call = this.#caller.call('POST /orders/{order_id}/refunds', {
      pathParams: { order_id: orderId },
      body: refund,
      options,
      checkBeforeSending,
    });
    const result = await call.withResponse();
    this.#caller.confirmed.note(orderId, result.data?.id, result.idempotencyKey);
    return result;
  }

  #moveOf(orderId: string, refund: RefundRequest, options: WriteOptions): MoneyMove<Refund> {
    const { clock, confirmed, settings } = this.#caller;
    return {
      ...{ what: 'refund', path: PATH, orderId, clock, limits: this.#rules.limits, memory: confirmed },
      closing: settings.closing,
      readOrder: (limit) => readOrderWithTime(this.#caller, orderId, limit),
      see: (order, idempotencyKey, lookedFor) => {
        const claimed = confirmed.ofOthers(orderId, idempotencyKey);
        return seenRefund(order, { cents: refund.amount, idempotencyKey, claimed, ...lookedFor });
      },
      hasFailed: ({ status }) => status === 'FAILED',
      repeat: async (idempotencyKey, { signal, deadline }, check) =>
        (await this.#send(orderId, refund, { ...options, idempotencyKey, signal, deadline }, check)).data,
    };
  }
}

/** The caller may change its object while the outcome is still open. */
function copyOf(refund: RefundRequest): RefundRequest {
  return refund?.line_items ? { ...refund, line_items: refund.line_items.map((line) => ({ ...line })) } : { ...refund };
}
