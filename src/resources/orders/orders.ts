import type { CancelRequest, ListOrdersQuery, Order, OrderSummary } from '../../contract/index.js';
import type { CallOptions, WriteOptions } from '../../http/call-options.js';
import type { CallPromise } from '../../http/call-promise.js';
import type { PageList } from '../../pagination/page-list.js';
import type { Random } from '../../platform/random.js';
import { newUuid } from '../../platform/uuid.js';
import { traceWorkflow } from '../../platform/workflow-trace.js';
import type { Caller } from '../caller.js';
import { type ListOptions, listOf } from '../list.js';
import { lookAtCancelled } from '../named-looks.js';
import type { PaymentJournal } from '../payments/journal/journal.js';
import { DEFAULT_LEASE_MS } from '../payments/journal/order-lock.js';
import type { OrderOrigin } from '../payments/journal/record.js';
import { type DigestKeys, newSalt } from '../payments/journal/tender-digest.js';
import { readOrderWithTime } from '../payments/order-reading.js';
import type { PaymentRules } from '../payments/overrides.js';
import { Payments, postPayment } from '../payments/payments.js';
import { Refunds } from '../payments/refunds.js';
import type { OrdersApi, SettleContext } from '../payments/settle/context.js';
import { type ResumeAllOptions, type ResumedOrder, resumeAll } from '../payments/settle/resume-all.js';
import { type ResumeOptions, type SettleOptions, settle } from '../payments/settle/settle.js';
import type { Settlement } from '../payments/settle/settlement.js';
import type { TimeLimitOptions } from '../time-limit.js';
import { type Milestone, type WaitForOptions, type WaitForResult, waitForOrder } from './wait-for.js';

export interface OrdersDeps {
  readonly payments: PaymentRules;
  /** Where runs of `settle` are written down when a call names no journal: over the client's store. */
  readonly journal: PaymentJournal;
  readonly origin: OrderOrigin;
  readonly digestKeys: DigestKeys;
  readonly random: Random;
}

/** Orders: read, listed, cancelled, paid and refunded; paid in full by `settle`, and followed by `waitFor`. */
export class Orders {
  /** Payments of an order, one request each. */
  readonly payments: Payments;
  /** Refunds of an order. */
  readonly refunds: Refunds;
  readonly #caller: Caller;
  readonly #context: SettleContext;

  /** @internal Made by the client. */
  constructor(caller: Caller, { payments, journal, origin, random, digestKeys }: OrdersDeps) {
    this.#caller = caller;
    this.payments = new Payments(caller, payments, random);
    this.refunds = new Refunds(caller, payments, random);
    const { maxRetries, maxWait, closing } = caller.settings;
    this.#context = {
      api: this.#api(payments),
      clock: caller.clock,
      rules: payments,
      newKey: newUuid,
      digests: { newSalt, forRecord: digestKeys.forRecord },
      leaseMs: DEFAULT_LEASE_MS,
      ...{ journal, origin, random, maxRetries, maxWait, closing },
    };
  }

  /**
   * Lists orders, newest first, without items and payments.
   *
   * @param query - filters combine with AND; `limit`: 1 to 100, 20 by default.
   * @throws {RequestValidationError} `limit` is out of its limits; nothing was sent.
   * @see Interface document, "Orders, payments, refunds" and "Pagination"; gap ORD-6
   * @example
   * for await (const order of client.orders.list({ fulfillment_status: 'PREPARING' })) console.log(order.id);
   */
  list(query?: ListOrdersQuery, options?: ListOptions): PageList<OrderSummary> {
    return listOf(this.#caller, 'GET /orders', { query, options });
  }

  /**
   * Reads an order with its items, payments, three status fields, totals and handoff.
   *
   * @throws {NotFoundError} There is no such order.
   * @throws {PermissionDeniedError} The order belongs to another partner.
   * @see Interface document, "Order"
   */
  retrieve(orderId: string, options?: CallOptions): CallPromise<Order> {
    return this.#caller.call('GET /orders/{order_id}', { pathParams: { order_id: orderId }, options });
  }

  /**
   * Cancels an order that the store has not begun to prepare.
   *
   * The service voids or refunds the payments already made.
   *
   * @returns The order; `status` and `fulfillment_status` are `CANCELLED`.
   * @throws {ConflictError} Preparation has begun (`PREPARING` or later).
   * @throws {NotFoundError} There is no such order.
   * @see Interface document, "Orders, payments, refunds"; gap ORD-7
   */
  cancel(orderId: string, request?: CancelRequest, options?: WriteOptions): CallPromise<Order> {
    return this.#caller.call('POST /orders/{order_id}/cancel', {
      pathParams: { order_id: orderId },
      body: request,
      options,
      look: lookAtCancelled(this.#caller, orderId),
    });
  }

  /**
   * Pays an order with one or several tenders, and charges each of them once, whatever fails in between.
   *
   * Loyalty points go first, then gift cards, EBT, cards and wallets, cash; one at a time, each under its own key, the
   * next one when the last is COMPLETED or FAILED. With a journal the same call goes on after a crash of the process.
   * `tenders` says how the order is to be paid in all: what was charged by an earlier call is not charged again.
   *
   * @returns What became of each tender. `status` is `'PROCESSING'` when a payment is still undecided after
   *   `polling.maxWaitMs`; without `onDeclined` a decline ends the run, and what was paid stays paid.
   * @throws {RequestValidationError} A tender is malformed. Nothing was sent.
   * @throws {PaymentStateError} Tenders, order and journal do not fit together; `reason` tells how.
   * @throws {OutcomeUnknownError} A payment may have been executed, and that cannot be decided now. The same call, or
   *   its `resolve()`, goes on with the same key.
   * @throws {SettlementInterruptedError} An abort, a deadline or a failure ended it between two payments.
   * @see Interface document, "Payment rules"; docs/payments.md
   * @example
   * const settlement = await client.orders.settle(orderId, {
   *   tenders: [
   *     { payment_method: 'GIFT_CARD', gift_card_number, amount: 500 },
   *     { payment_method: 'CREDIT_CARD', payment_token, amount: 'remaining' },
   *   ],
   *   journal: fileJournal('./payments'),
   * });
   */
  settle(orderId: string, options: SettleOptions): Promise<Settlement> {
    // Without tenders `settle` would only look; a missing list is a slip.
    const whole = { ...options, tenders: options?.tenders ?? [] };
    return traceWorkflow({ name: 'settle', orderId }, () => settle(this.#context, orderId, whole), statusOf);
  }

  /**
   * Goes on with a settlement that ended early, or tells how it stands.
   *
   * With `tenders` it is the same as `settle`. Without them nothing is sent: it reads the order, takes over the
   * payments it finds there, and lists what is still unsent.
   *
   * @throws What `settle` throws.
   * @see Interface document, "Payment rules"; docs/payments.md
   */
  resume(orderId: string, options: ResumeOptions = {}): Promise<Settlement> {
    return traceWorkflow({ name: 'resume', orderId }, () => settle(this.#context, orderId, options), statusOf);
  }

  /**
   * Goes on with every order whose run has not ended: those that a crash left open, and those with a payment whose
   * outcome is unknown. One after the other; an order that another process works on is waited for.
   *
   * @returns One result per order, in the order of the journal; an error of one order does not stop the others.
   * @throws {ConfigurationError} The journal cannot tell which orders are open.
   * @throws {APIUserAbortError} `signal` ended it. @throws {DeadlineExceededError} `deadline` passed.
   * @see docs/payments.md
   * @example
   * const results = await client.orders.resumeAll({ journal, tenders: (orderId) => tendersOf(orderId) });
   */
  resumeAll(options: ResumeAllOptions = {}): Promise<ResumedOrder[]> {
    const { journal = this.#context.journal } = options;
    const resume = (orderId: string, one: ResumeOptions): Promise<Settlement> =>
      this.resume(orderId, { ...one, journal });
    return resumeAll({ ...this.#time, journal, resume }, options);
  }

  /**
   * Follows an order until it is paid, ready, handed over, or what a predicate says.
   *
   * `'handed_over'` is FULFILLED, or DELIVERED for a delivery; `'ready'` holds in the states after it, too. A state
   * from which the goal cannot be reached ends the wait with `reached: false` and the reason. `onChange` is told of each
   * change on the way.
   *
   * @throws {APIUserAbortError} `signal` ended it. @throws {DeadlineExceededError} `deadline` passed.
   * @see Interface document, "Fulfillment status" and "Limits"
   * @example
   * const wait = await client.orders.waitFor(orderId, 'ready', { deadline: 30 * 60_000 });
   * if (wait.reached) notifyCustomer(wait.order);
   * else console.warn(wait.ended); // 'cancelled', 'failed', 'voided' or 'returned'
   */
  waitFor(orderId: string, goal: Milestone, options: WaitForOptions = {}): Promise<WaitForResult> {
    const read = async (limits: TimeLimitOptions): Promise<Order> => this.retrieve(orderId, limits);
    return traceWorkflow(
      { name: 'wait_for', orderId },
      () => waitForOrder({ ...this.#time, read }, goal, options),
      (result) => (result.reached ? 'reached' : result.ended),
    );
  }

  /** What waits depend on. */
  get #time() {
    return { clock: this.#caller.clock, closing: this.#caller.settings.closing };
  }

  #api(rules: PaymentRules): OrdersApi {
    const once = { maxRetries: 0 };
    return {
      read: (orderId, options) => readOrderWithTime(this.#caller, orderId, options),
      // One network attempt is one step of a settlement: its waits lie between the steps.
      pay: async (orderId, body, { checkBeforeSending, ...options }) =>
        postPayment(this.#caller, rules, {
          ...{ orderId, body, checkBeforeSending, maxWait: 0 },
          options: { ...options, ...once },
        }),
      cancel: async (orderId, { checkBeforeSending: _, ...options }) => this.cancel(orderId, {}, options),
    };
  }
}

const statusOf = ({ status }: Settlement): string => status;
