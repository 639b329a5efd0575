import type { MockReply } from '../kernel/message.js';
import { writtenOrder } from '../operations/orders/shown-order.js';
import { isObject } from '../refusals/read-fields.js';
import { invalidBody, missingField } from '../refusals/refusal.js';
import type { Json, Scene, Turn } from './turn.js';
import { listIn, toCents, withCents } from './values.js';

export const PAYMENTS = 'POST /orders/{order_id}/payments';
export const REFUNDS = 'POST /orders/{order_id}/refunds';
export const ORDER = 'GET /orders/{order_id}';
export const ORDERS = 'GET /orders';
export const CANCEL = 'POST /orders/{order_id}/cancel';

/** Every reply that holds a whole order. */
export const onOrders = (change: (order: Json, scene: Scene) => void): Turn['reply'] => ({
  [ORDER]: (body, scene) => change(body, scene) as undefined,
  [CANCEL]: (body, scene) => change(body, scene) as undefined,
  [PAYMENTS]: (body, scene) => {
    if (Array.isArray(body.payments)) change(body, scene);
    return undefined;
  },
});

/** The order that a request names, as the response to a write shows it. */
export function orderOf({ request, state }: Scene): MockReply {
  const record = state.orders.get((request.params.order_id ?? '').toLowerCase())!;
  return { status: 200, body: writtenOrder(state, record) };
}

/** Money, and nothing else (gaps PAY-1 and REF-1). */
export const inMoney = (route: typeof PAYMENTS | typeof REFUNDS): Turn => ({
  request: {
    [route]: (request) => {
      const body = isObject(request.body) ? request.body : {};
      if (body.amount === undefined || body.amount === null) return request;
      const asCents = withCents(request);
      if (!asCents) throw invalidBody('amount', 'amount must be an object with amount and currency.');
      return asCents;
    },
  },
});

export const TURNED_PAYMENTS = {
  'PAY-1': { money: inMoney(PAYMENTS) },
  'PAY-2': {
    payment_200: { reply: { [PAYMENTS]: (body) => ({ status: 200, body }) } },
    order: { reply: { [PAYMENTS]: (_, scene) => ({ ...orderOf(scene), status: 201 }) } },
  },
  'PAY-3': {
    cents: {
      reply: {
        ...onOrders((order) => listIn(order, 'payments').forEach(amountsInCents)),
        [PAYMENTS]: (body) => {
          if (Array.isArray(body.payments)) listIn(body, 'payments').forEach(amountsInCents);
          else amountsInCents(body);
          return undefined;
        },
      },
    },
  },
  'PAY-5': {
    completed: {
      reply: onOrders((order) => {
        if (order.status !== 'CANCELLED') return;
        for (const payment of listIn(order, 'payments')) {
          if (payment.status === 'REFUNDED') payment.status = 'COMPLETED';
        }
      }),
    },
  },
  'PAY-7': {
    not_recorded: {
      reply: onOrders((order) => {
        order.payments = listIn(order, 'payments').filter(({ status }) => status !== 'FAILED');
      }),
    },
  },
  'PAY-8': { accepted: { behaviour: { overpayment: 'accept' } } },
  'PAY-10': {
    cents: {
      reply: {
        ...onOrders((order) => toCents(order, 'balance_due')),
        [ORDERS]: (body) => {
          for (const order of listIn(body, 'data')) toCents(order, 'balance_due');
          return undefined;
        },
      },
    },
  },
  'PAY-12': {
    '422': {
      refusal: {
        [PAYMENTS]: ({ status, message }) =>
          status === 409 && message === 'Order does not accept payments'
            ? { status: 422, code: 'INVALID_REQUEST_ERROR' }
            : undefined,
      },
    },
  },
  'PAY-13': {
    '422': { refusal: { [PAYMENTS]: ({ status }) => (status === 400 ? { status: 422 } : undefined) } },
  },
  'PAY-17': { shown: { behaviour: { records: { key: 'shown' } } } },
  'PAY-18': { absent: { behaviour: { dateHeader: false } } },
  'PAY-25': { refused: { strict: true } },
  'REF-1': { money: inMoney(REFUNDS) },
  'REF-2': {
    required: {
      request: {
        [REFUNDS]: (request) => {
          if (isObject(request.body) && typeof request.body.reason === 'string') return request;
          throw missingField('reason');
        },
      },
    },
  },
  'REF-4': { refund_200: { reply: { [REFUNDS]: (body) => ({ status: 200, body }) } } },
  'PAY-11': {
    conflict: { behaviour: { keysInFlight: 'conflict' } },
    run_twice: { behaviour: { keysInFlight: 'run_twice' } },
  },
  // By the rules.
  'REF-6': { latest_first: {} },
  'REF-5': { not_listed: { behaviour: { refundsListed: false } } },
  'REF-7': { optional: { withoutKey: (route) => route === REFUNDS || route === 'DELETE /webhooks/{webhook_id}' } },
  'REF-8': { payment_required: { behaviour: { refundOfUnpaid: 'payment_required' } } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;

function amountsInCents(payment: Json): void {
  toCents(payment, 'amount');
  toCents(payment, 'amount_refunded');
}
