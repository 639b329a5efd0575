import type { Refund, RefundLineItem } from '../../contract/index.js';
import { isObject, optionalString, readBody, requireArray, requireInteger, requireString } from '../kernel/read.js';
import { invalidBody, unprocessable } from '../kernel/refusals.js';
import type { Handler, Route } from '../kernel/route.js';
import { ownedOrder } from '../kernel/scope.js';
import { instrumentBalances } from '../orders/instrument-balances.js';
import { recordMovement } from '../orders/ledger.js';
import { changeOrder } from '../orders/order-changes.js';
import { distributeRefund } from '../rules/refund-distribution.js';
import { timestampNow } from '../time/timestamp.js';

const createRefund: Handler = (request, state) => {
  const record = ownedOrder(state, request.partnerId, request.params.order_id ?? '');
  const { order } = record;
  const body = readBody(request.body);
  const cents = requireInteger(body, 'amount'); // gap REF-1
  if (cents <= 0) throw invalidBody('amount', 'amount must be above 0; it counts cents.');
  const reason = optionalString(body, 'reason');
  const lineItems = body.line_items === undefined || body.line_items === null ? [] : readLineItems(body);

  const available = order.amount_paid.amount - order.amount_refunded.amount;
  if (cents > available) {
    const detail = `At most ${available} cents of the order can be refunded.`;
    throw unprocessable('Refund exceeds refundable balance', detail, 'amount');
  }

  const { currency } = order.total;
  const shares = distributeRefund(order.payments, cents);
  const now = timestampNow(state.clock);
  const refund: Refund = {
    id: state.nextId(),
    order_id: order.id,
    amount: { amount: cents, currency },
    status: 'COMPLETED',
    reason,
    line_items: lineItems,
    distributions: shares.map(({ payment, cents: amount }) => ({
      payment_id: payment.id,
      payment_method: payment.payment_method,
      amount: { amount, currency },
    })),
    created_at: now,
  };
  changeOrder(state, record, () => {
    for (const share of shares) {
      const { payment } = share;
      payment.amount_refunded = { amount: (payment.amount_refunded?.amount ?? 0) + share.cents, currency };
      payment.updated_at = now;
      instrumentBalances(state).giveBack(payment, share.cents);
      const idempotencyKey = request.headers['idempotency-key'] ?? null;
      recordMovement(state, { kind: 'refund', orderId: order.id, payment, cents: share.cents, idempotencyKey });
    }
    order.refunds = [...(order.refunds ?? []), refund];
  });
  return { status: 201, body: refund };
};

/** Informational; their shape is checked all the same (gap REF-3). */
function readLineItems(body: Readonly<Record<string, unknown>>): RefundLineItem[] {
  return requireArray(body, 'line_items').map((line, index) => {
    const at = `line_items[${index}].`;
    if (!isObject(line)) throw invalidBody(at.slice(0, -1), `${at.slice(0, -1)} must be an object.`);
    requireString(line, 'order_item_id', at);
    const quantity = requireInteger(line, 'quantity', at);
    if (quantity <= 0) throw invalidBody(`${at}quantity`, `${at}quantity must be above 0.`);
    if (line.amount !== undefined && line.amount !== null) requireInteger(line, 'amount', at);
    return line as unknown as RefundLineItem;
  });
}

export const routes: readonly Route[] = [
  // The general rule for POST asks for the key, the row of the endpoint does not name it (gap REF-7).
  {
    method: 'POST',
    path: '/orders/{order_id}/refunds',
    handler: createRefund,
    idempotency: 'required',
    scope: 'partner',
  },
];
