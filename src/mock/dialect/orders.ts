import type { MockRequest } from '../kernel/message.js';
import { invalidBody, invalidParameter, notFound } from '../refusals/refusal.js';
import { CANCEL, ORDER, ORDERS, onOrders, orderOf } from './payments.js';
import type { Turn } from './turn.js';
import { listIn, rename } from './values.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const TURNED_ORDERS = {
  // By the rules.
  'ORD-2': { paid_in_full: {} },
  'ORD-4': {
    without_tax: {
      reply: onOrders((order) => {
        for (const line of [...listIn(order, 'items'), ...listIn(order, 'line_items')])
          line.item_total = line.item_subtotal;
      }),
    },
  },
  'ORD-3': { line_items: { reply: onOrders((order) => rename(order, 'items', 'line_items')) } },
  'ORD-6': { date: { request: { [ORDERS]: withPlainDates } } },
  'ORD-7': {
    required: {
      request: {
        [CANCEL]: (request) => {
          if (request.body === undefined) throw invalidBody(null, 'The body must be a JSON object.');
          return request;
        },
      },
    },
  },
  'ORD-9': {
    '200': {
      refusal: {
        [CANCEL]: ({ status }, scene) => {
          if (status !== 409) return undefined;
          const { body } = orderOf(scene) as { body: { status: string } };
          return body.status === 'CANCELLED' ? { status: 200, body } : undefined;
        },
      },
    },
  },
  'ORD-11': {
    absent: {
      reply: {
        ...onOrders((order) => {
          delete order.estimated_ready_at;
        }),
        [ORDERS]: (body) => {
          for (const order of listIn(body, 'data')) delete order.estimated_ready_at;
          return undefined;
        },
      },
    },
  },
  'ORD-12': {
    empty: {
      refusal: {
        [ORDERS]: ({ field }) =>
          field === 'status' || field === 'fulfillment_status'
            ? { status: 200, body: { data: [], pagination: { has_more: false, next_cursor: null } } }
            : undefined,
      },
    },
  },
  'PAY-30': {
    not_found: {
      request: {
        [ORDER]: (request) => {
          if (/[A-F]/.test(request.params.order_id ?? '')) throw notFound('Order');
          return request;
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;

/** Days alone, both included. */
function withPlainDates(request: MockRequest): MockRequest {
  const query = new URLSearchParams(request.query);
  for (const name of ['date_from', 'date_to']) {
    const value = query.get(name);
    if (value === null) continue;
    if (!DATE.test(value)) throw invalidParameter(name, `${name} must be a date such as 2026-01-31.`);
    if (name === 'date_to') query.set(name, `${value}T23:59:59.999Z`);
  }
  return { ...request, query };
}
