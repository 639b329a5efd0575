import type { CancelRequest, ListOrdersQuery, Order, OrderSummary } from '../contract/index.js';
import type { CallOptions, WriteOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { PageList } from '../pagination/page-list.js';
import type { Caller } from './caller.js';
import { type ListOptions, listOf } from './list.js';
import type { PaymentOverrides } from './payment-overrides.js';
import { Payments } from './payments.js';
import { Refunds } from './refunds.js';

/** The endpoints of orders: read, listed, cancelled, paid and refunded. */
export class OrdersResource {
  /** Payments of an order, one request each. */
  readonly payments: Payments;
  /** Refunds of an order. */
  readonly refunds: Refunds;
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller, payments: PaymentOverrides = {}) {
    this.#caller = caller;
    this.payments = new Payments(caller, payments);
    this.refunds = new Refunds(caller);
  }

  /**
   * Lists orders, newest first, without items and payments.
   *
   * @param query - filters combine with AND; `limit`: 1 to 100, 20 by default.
   * @see Interface document, "Orders, payments, refunds" and "Pagination"; gap ORD-6
   * @example
   * for await (const order of client.orders.list({ fulfillment_status: 'PREPARING' })) console.log(order.id);
   */
  list(query?: ListOrdersQuery, options?: ListOptions): PageList<OrderSummary> {
    return listOf(this.#caller, { template: '/orders', query, maxLimit: 100, options });
  }

  /**
   * Reads an order with its items, payments, three status fields, totals and handoff.
   *
   * @throws {NotFoundError} There is no such order.
   * @throws {PermissionDeniedError} The order belongs to another partner.
   * @see Interface document, "Order"
   */
  retrieve(orderId: string, options?: CallOptions): CallPromise<Order> {
    return this.#caller.call('GET', '/orders/{order_id}', { pathParams: { order_id: orderId }, options });
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
    return this.#caller.call('POST', '/orders/{order_id}/cancel', {
      pathParams: { order_id: orderId },
      body: request,
      options,
    });
  }
}
