import type { Order, Payment, RefundDistribution } from '../../../contract/index.js';
import { inRefundOrder, refundable } from '../../rules/refund-distribution.js';
import type { OrderRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { instrumentBalances } from './instrument-balances.js';
import { recordMovement } from './ledger.js';
import { changeOrder } from './order-changes.js';

export interface Cancellation {
  readonly reason: string | null;
  /** Key of the cancel; null when the store cancels. */
  readonly idempotencyKey: string | null;
}

/** Cancels an order: voids what is PENDING or AUTHORIZED, refunds what is CAPTURED or COMPLETED, in full. */
export function cancelOrder(state: ServiceState, record: OrderRecord, cancellation: Cancellation): void {
  changeOrder(state, record, (order) => {
    const distributions = inRefundOrder(order.payments, state.rules.readings).flatMap((payment) =>
      undo(state, order, payment, cancellation),
    );
    if (distributions.length > 0) order.refunds = [...(order.refunds ?? []), refundOf(state, order, distributions)];
    order.status = 'CANCELLED';
    order.fulfillment_status = 'CANCELLED';
    order.cancellation_reason = cancellation.reason;
  });
  record.underWay.clear();
  const { order, partnerId } = record;
  state.emit(partnerId, 'order.cancelled', {
    order_id: order.id,
    location_id: order.location_id,
    reason: cancellation.reason,
    cancelled_at: timestampNow(state.clock),
  });
}

function undo(
  state: ServiceState,
  order: Order,
  payment: Payment,
  { idempotencyKey }: Cancellation,
): RefundDistribution[] {
  const movement = { orderId: order.id, payment, idempotencyKey };
  if (payment.status === 'PENDING' || payment.status === 'AUTHORIZED') {
    payment.status = 'VOIDED';
    payment.updated_at = timestampNow(state.clock);
    instrumentBalances(state).giveBack(payment, payment.amount.amount);
    recordMovement(state, { ...movement, kind: 'void', cents: payment.amount.amount });
    return [];
  }
  if (payment.status !== 'CAPTURED' && payment.status !== 'COMPLETED') return [];
  const cents = refundable(payment);
  payment.status = 'REFUNDED';
  payment.amount_refunded = { ...payment.amount };
  payment.updated_at = timestampNow(state.clock);
  if (cents === 0) return [];
  instrumentBalances(state).giveBack(payment, cents);
  recordMovement(state, { ...movement, kind: 'refund', cents });
  return [
    { payment_id: payment.id, payment_method: payment.payment_method, amount: { ...payment.amount, amount: cents } },
  ];
}

function refundOf(state: ServiceState, order: Order, distributions: RefundDistribution[]) {
  return {
    id: state.nextId(),
    order_id: order.id,
    amount: { ...order.total, amount: distributions.reduce((sum, { amount }) => sum + amount.amount, 0) },
    status: 'COMPLETED',
    reason: 'ORDER_CANCELLED',
    line_items: [],
    distributions,
    created_at: timestampNow(state.clock),
  };
}
