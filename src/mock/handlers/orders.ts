import type { Order, OrderSummary } from '../../contract/index.js';
import type { MockRequest } from '../kernel/message.js';
import { paginate } from '../kernel/pagination.js';
import type { Handler, Route } from '../kernel/route.js';
import { cancelOrder } from '../operations/orders/cancel-order.js';
import { listedOrder, readOrder, writtenOrder } from '../operations/orders/shown-order.js';
import { locationInScope, ownedOrder } from '../operations/owned-records.js';
import { isUuid, optionalString, readBody } from '../refusals/read-fields.js';
import { conflict, invalidParameter } from '../refusals/refusal.js';
import { FULFILLMENT_TRANSITIONS, isCancellable, ORDER_TRANSITIONS } from '../rules/transitions.js';
import type { ServiceState } from '../state/state.js';

const ORDER_STATUSES = Object.keys(ORDER_TRANSITIONS);
const FULFILLMENT_STATUSES = [
  ...new Set(Object.values(FULFILLMENT_TRANSITIONS).flatMap((table) => Object.keys(table))),
];

const retrieveOrder: Handler = (request, state) => ({
  status: 200,
  body: readOrder(state, ownedOrder(state, request.partnerId, request.params.order_id ?? '')),
});

/** The response of a write shows the order as written; only reads lag behind. */
const showOrder: Handler = (request, state) => ({
  status: 200,
  body: writtenOrder(state, ownedOrder(state, request.partnerId, request.params.order_id ?? '')),
});

const listOrders: Handler = (request, state) => {
  const matches = readFilters(request, state);
  const lagMs = state.behaviour.draw('readLagMs');
  const rows = [...state.orders.values()]
    .flatMap((record) => {
      if (record.partnerId !== request.partnerId) return [];
      const order = listedOrder(state, record, lagMs);
      return order && matches(order) ? [{ order, sequence: record.sequence }] : [];
    })
    .reverse();
  const page = paginate(request.query, rows, {
    list: 'orders',
    defaultLimit: 20,
    maximumLimit: 100,
    newestFirst: ({ sequence }) => sequence,
  });
  return { status: 200, body: { ...page, data: page.data.map(({ order }) => summaryOf(order)) } };
};

const cancel: Handler = (request, state) => {
  const record = ownedOrder(state, request.partnerId, request.params.order_id ?? '');
  const reason = optionalString(readBody(request.body), 'reason');
  const idempotencyKey = request.headers['idempotency-key']?.toLowerCase() ?? null;
  // Idempotency rule 7 names no 24 hours: the key of the cancel shows the order whenever it comes again.
  if (idempotencyKey !== null && record.cancelledWith === idempotencyKey) {
    return { status: 200, body: writtenOrder(state, record) };
  }
  if (!isCancellable(record.order)) {
    const { status, fulfillment_status } = record.order;
    // gap ORD-8
    throw conflict(
      'Order cannot be cancelled',
      `The order is ${status}, its fulfillment ${fulfillment_status}; it can be cancelled until its preparation begins.`,
    );
  }
  cancelOrder(state, record, { reason, idempotencyKey });
  if (idempotencyKey !== null) record.cancelledWith = idempotencyKey;
  return { status: 200, body: writtenOrder(state, record) };
};

function summaryOf(order: Order): OrderSummary {
  // gap ORD-5
  const { items, discounts, fees, promo_codes, payments, refunds, handoff, ...summary } = order;
  return summary;
}

/** The filters of the query, combined with AND. */
function readFilters({ query, partnerId }: MockRequest, state: ServiceState): (order: Order) => boolean {
  const status = readOneOf(query, 'status', ORDER_STATUSES);
  const fulfillment = readOneOf(query, 'fulfillment_status', FULFILLMENT_STATUSES);
  const from = readInstant(query, 'date_from');
  const to = readInstant(query, 'date_to');
  const customer = query.get('customer_id');
  const location = query.get('location_id')?.toLowerCase() ?? null;
  if (location !== null) {
    if (!isUuid(location)) throw invalidParameter('location_id', 'location_id must be a UUID.');
    locationInScope(state, partnerId, location);
  }
  return (order) => {
    const created = Date.parse(order.created_at);
    return (
      (status === null || order.status === status) &&
      (fulfillment === null || order.fulfillment_status === fulfillment) &&
      (location === null || order.location_id === location) &&
      (customer === null || order.customer_id === customer) &&
      (from === null || created >= from) &&
      (to === null || created <= to)
    );
  };
}

function readOneOf(query: URLSearchParams, name: string, values: readonly string[]): string | null {
  const value = query.get(name);
  if (value !== null && !values.includes(value)) {
    throw invalidParameter(name, `${name} must be one of ${values.join(', ')}.`);
  }
  return value;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** gap ORD-6 */
function readInstant(query: URLSearchParams, name: string): number | null {
  const value = query.get(name);
  if (value === null) return null;
  const instant = DATE.test(value) || DATE_TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant)) {
    throw invalidParameter(name, `${name} must be an ISO 8601 date-time such as 2026-01-31T23:59:59Z.`);
  }
  return instant;
}

export const routes: readonly Route[] = [
  { method: 'GET', path: '/orders', handler: listOrders, idempotency: 'none', scope: 'partner' },
  { method: 'GET', path: '/orders/{order_id}', handler: retrieveOrder, idempotency: 'none', scope: 'partner' },
  {
    method: 'POST',
    path: '/orders/{order_id}/cancel',
    handler: cancel,
    idempotency: 'required',
    scope: 'partner',
    // Idempotency rule 7: a repeated key shows the order as it is now.
    replay: showOrder,
  },
];
