import type { Order } from '../../contract/index.js';
import type { Handler, Route } from '../kernel/route.js';
import { authorization, isDuplicate } from '../operations/orders/execution.js';
import { modeOf } from '../operations/orders/order-changes.js';
import {
  type AskedPayment,
  acceptPayment,
  declinePayment,
  isBeyondBalance,
  verdictOn,
} from '../operations/orders/payment-changes.js';
import { shownPayment } from '../operations/orders/shown-order.js';
import { ownedOrder } from '../operations/owned-records.js';
import { tenderEnforcement } from '../operations/partners.js';
import {
  isObject,
  type JsonObject,
  optionalString,
  readBody,
  requireInteger,
  requireString,
} from '../refusals/read-fields.js';
import { conflict, invalidBody, missingField, unprocessable } from '../refusals/refusal.js';
import { findMenuItem } from '../rules/menu-items.js';
import { takenTooEarly } from '../rules/tender-order.js';
import { acceptedTenders, isTender, TENDERS } from '../rules/tenders.js';
import { isUnderWay } from '../rules/transitions.js';
import type { OrderRecord, ServiceState } from '../state/state.js';

const createPayment: Handler = async (request, state) => {
  const record = ownedOrder(state, request.partnerId, request.params.order_id ?? '');
  const body = readBody(request.body);
  const idempotencyKey = request.headers['idempotency-key'] ?? null;
  const asked: AskedPayment = {
    method: readMethod(body),
    cents: readAmount(body),
    instrument: readInstrument(body),
    idempotencyKey,
  };
  checkOrder(state, record.order, asked.cents);
  checkMethod(state, record, asked.method);
  if (state.rules.strict) checkSequence(record, asked.method);

  const verdict = isDuplicate(state, record, idempotencyKey)
    ? { declines: 'duplicate_transaction' }
    : verdictOn(state, asked);
  if (verdict.declines !== undefined) throw declined(state, record, asked, verdict.declines);
  await authorization(state, record);
  // Others may have used up the order's balance, or the card's, in the meantime.
  checkOrder(state, record.order, asked.cents);
  if (isBeyondBalance(state, asked)) throw declined(state, record, asked, 'insufficient_funds');
  const payment = acceptPayment(state, record, asked, verdict.settlement);
  return { status: 201, body: shownPayment(state, record, payment) };
};

function declined(state: ServiceState, record: OrderRecord, asked: AskedPayment, reason: string) {
  declinePayment(state, record, asked, reason);
  return unprocessable('Payment declined', `The payment was declined: ${reason}.`, 'payment_method');
}

function readMethod(body: JsonObject): string {
  const method = requireString(body, 'payment_method');
  if (isTender(method)) return method;
  throw invalidBody('payment_method', `payment_method must be one of ${TENDERS.join(', ')}.`);
}

/** Integer cents, or Money (gap PAY-1). */
function readAmount(body: JsonObject): number {
  const { amount } = body;
  if (amount === undefined || amount === null) throw missingField('amount');
  const cents = isObject(amount) ? requireInteger(amount, 'amount', 'amount.') : requireInteger(body, 'amount');
  if (isObject(amount) && requireString(amount, 'currency', 'amount.') !== 'USD') {
    throw invalidBody('amount.currency', 'amount.currency must be USD.');
  }
  if (cents <= 0) throw invalidBody('amount', 'amount must be above 0; it counts cents.');
  return cents;
}

/** The mock requires none (gap PAY-1). */
function readInstrument(body: JsonObject): string | undefined {
  const named = ['payment_token', 'gift_card_number', 'loyalty_account_id'].map((field) => optionalString(body, field));
  optionalString(body, 'gift_card_pin');
  return named.find((value) => value !== null) ?? undefined;
}

/** gaps PAY-8 and PAY-12 */
function checkOrder(state: ServiceState, order: Order, cents: number): void {
  if (order.status === 'CANCELLED' || order.status === 'FAILED' || order.status === 'VOIDED') {
    throw conflict('Order does not accept payments', `The order is ${order.status}.`);
  }
  if (cents > order.balance_due.amount && state.behaviour.current.overpayment === 'refuse') {
    const due = order.balance_due.amount;
    const detail = due === 0 ? 'Nothing is due on the order.' : `At most ${due} cents are due on the order.`;
    throw unprocessable('Payment exceeds balance due', detail, 'amount');
  }
}

/** Payment rules 2 and 3, where the service is strict (gap PAY-25). */
function checkSequence({ order, executing }: OrderRecord, method: string): void {
  const underWay = order.payments.find(({ status }) => isUnderWay(status));
  if (underWay || executing > 0) {
    const what = underWay ? `Payment ${underWay.id} is ${underWay.status}` : 'Another payment is being executed';
    throw conflict('Order has a payment in progress', `${what}; wait until it is COMPLETED or FAILED.`);
  }
  const early = takenTooEarly(method, order.payments);
  if (early) {
    const detail = `${method} comes before ${early.payment_method}, which was paid already: loyalty points, gift cards, cards.`;
    throw unprocessable('Tender out of order', detail, 'payment_method');
  }
}

function checkMethod(state: ServiceState, { order, partnerId }: OrderRecord, method: string): void {
  if (method === 'CASH' && modeOf(order) === 'DELIVERY') {
    throw unprocessable(
      'Payment method not allowed for this handoff mode',
      'CASH is paid at the counter; a delivery needs another method.',
      'payment_method',
    );
  }
  if (!tenderEnforcement(state, partnerId)) return;
  const menu = state.locations.get(order.location_id)?.menu;
  const items = order.items.flatMap(({ menu_item_id }) => (menu && findMenuItem(menu, menu_item_id)) ?? []);
  const accepted = acceptedTenders(items);
  if (accepted && !accepted.includes(method)) {
    throw unprocessable(
      'Payment method not allowed for restricted items in cart',
      `The restricted items of the order accept ${accepted.join(', ') || 'no common method'}.`,
      'payment_method',
    );
  }
}

export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/orders/{order_id}/payments',
    handler: createPayment,
    idempotency: 'required',
    scope: 'partner',
  },
];
