import type { Order, RefundLineItem } from '../../contract/index.js';
import type { Handler, Route } from '../kernel/route.js';
import { authorization } from '../operations/orders/execution.js';
import { refundOrder } from '../operations/orders/refund-order.js';
import { shownRefund } from '../operations/orders/shown-order.js';
import { ownedOrder } from '../operations/owned-records.js';
import {
  isObject,
  optionalString,
  readBody,
  requireArray,
  requireInteger,
  requireString,
} from '../refusals/read-fields.js';
import { invalidBody, unprocessable } from '../refusals/refusal.js';
import type { ServiceState } from '../state/state.js';

const createRefund: Handler = async (request, state) => {
  const record = ownedOrder(state, request.partnerId, request.params.order_id ?? '');
  const body = readBody(request.body);
  const cents = requireInteger(body, 'amount'); // gap REF-1
  if (cents <= 0) throw invalidBody('amount', 'amount must be above 0; it counts cents.');
  const reason = optionalString(body, 'reason');
  const lineItems = body.line_items === undefined || body.line_items === null ? [] : readLineItems(body);
  checkRefundable(state, record.order, cents);
  await authorization(state, record);
  // Another refund may have been executed in the meantime.
  checkRefundable(state, record.order, cents);
  const idempotencyKey = request.headers['idempotency-key'] ?? null;
  const refund = refundOrder(state, record, { cents, reason, lineItems, idempotencyKey });
  return { status: 201, body: shownRefund(state, record, refund) };
};

function checkRefundable(state: ServiceState, order: Order, cents: number): void {
  const available = order.amount_paid.amount - order.amount_refunded.amount;
  if (cents <= available) return;
  // gap REF-8
  if (order.amount_paid.amount === 0 && state.behaviour.current.refundOfUnpaid === 'payment_required') {
    throw unprocessable('Payment required', 'Nothing was paid on the order.');
  }
  const detail = `At most ${available} cents of the order can be refunded.`;
  throw unprocessable('Refund exceeds refundable balance', detail, 'amount');
}

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
