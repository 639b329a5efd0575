import type { Order, Payment, Refund } from '../../../contract/index.js';
import { monotonicNow } from '../../../platform/clock.js';
import type { RecordBehaviour } from '../../behaviour/behaviour.js';
import type { OrderRecord, ServiceState } from '../../state/state.js';

/** The order as the response of a write shows it: as it is, its records as the service writes them. */
export function writtenOrder(state: ServiceState, record: OrderRecord): Order {
  return withRecords(state, record, record.order);
}

/** The order as a read shows it: from a replica, lists and sums each with their lag (gap PAY-15). */
export function readOrder(state: ServiceState, record: OrderRecord): Order {
  return laggedOrder(state, record, state.behaviour.draw('readLagMs'));
}

/** Whether a list that lags by `lagMs` has the order yet, and how. */
export function listedOrder(state: ServiceState, record: OrderRecord, lagMs: number): Order | undefined {
  const isKnown = lagMs === 0 || record.versions.existed(monotonicNow(state.clock) - lagMs);
  return isKnown ? laggedOrder(state, record, lagMs) : undefined;
}

function laggedOrder(state: ServiceState, record: OrderRecord, lagMs: number): Order {
  const nowMs = monotonicNow(state.clock);
  const at = (behindMs: number): Order =>
    behindMs === 0 ? record.order : record.versions.at(nowMs - behindMs, record.order);
  const lists = at(lagMs + state.behaviour.draw('paymentListLagMs'));
  const sums = at(lagMs + state.behaviour.draw('paymentSumLagMs'));
  const order: Order = {
    ...at(lagMs),
    payments: lists.payments,
    ...(lists.refunds === undefined ? {} : { refunds: lists.refunds }),
    amount_paid: sums.amount_paid,
    amount_refunded: sums.amount_refunded,
    balance_due: sums.balance_due,
    payment_status: sums.payment_status,
  };
  return withRecords(state, record, order);
}

function withRecords(state: ServiceState, record: OrderRecord, order: Order): Order {
  const { refundsListed } = state.behaviour.current;
  const refunds = refundsListed ? order.refunds?.map((refund) => shownRefund(state, record, refund)) : [];
  return {
    ...order,
    payments: order.payments.map((payment) => shownPayment(state, record, payment)),
    ...(refunds === undefined ? {} : { refunds }),
  };
}

/** A payment as the service writes it (gap PAY-17). */
export function shownPayment(state: ServiceState, record: OrderRecord, payment: Payment): Payment {
  const { records } = state.behaviour.current;
  return {
    ...payment,
    payment_method: nameIn(records.methods, payment.payment_method),
    amount: { ...payment.amount, amount: Math.max(0, payment.amount.amount + records.amountOffsetCents) },
    status: nameIn(records.statuses, payment.status),
    ...keyOf(records, record, payment.id),
  };
}

/** A refund as the service writes it (gap PAY-17). */
export function shownRefund(state: ServiceState, record: OrderRecord, refund: Refund): Refund {
  const { records } = state.behaviour.current;
  return {
    ...refund,
    status: nameIn(records.refundStatuses, refund.status ?? 'COMPLETED'),
    ...keyOf(records, record, refund.id),
  };
}

function keyOf({ key }: RecordBehaviour, record: OrderRecord, id: string): { idempotency_key?: string } {
  const sent = record.keys.get(id);
  return key === 'shown' && sent !== undefined ? { idempotency_key: sent } : {};
}

const nameIn = (names: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(names, name) ? names[name]! : name;
