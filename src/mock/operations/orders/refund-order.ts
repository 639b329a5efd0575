import type { Refund, RefundLineItem } from '../../../contract/index.js';
import { distributeRefund } from '../../rules/refund-distribution.js';
import type { OrderRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { instrumentBalances } from './instrument-balances.js';
import { recordMovement } from './ledger.js';
import { changeOrder } from './order-changes.js';

export interface AskedRefund {
  readonly cents: number;
  readonly reason: string | null;
  readonly lineItems: RefundLineItem[];
  readonly idempotencyKey: string | null;
}

/** Gives money back, and leaves the record. The order has as much to give. */
export function refundOrder(state: ServiceState, record: OrderRecord, asked: AskedRefund): Refund {
  const { order } = record;
  const { currency } = order.total;
  const { failedRefunds } = state.behaviour.current.records;
  const failed = Array.from({ length: failedRefunds }, () => newRefund(state, record, asked, 'FAILED'));
  const shares = distributeRefund(order.payments, asked.cents, state.rules.readings);
  const refund = newRefund(state, record, asked, 'COMPLETED');
  refund.distributions = shares.map(({ payment, cents: amount }) => ({
    payment_id: payment.id,
    payment_method: payment.payment_method,
    amount: { amount, currency },
  }));
  changeOrder(state, record, () => {
    for (const { payment, cents } of shares) {
      payment.amount_refunded = { amount: (payment.amount_refunded?.amount ?? 0) + cents, currency };
      payment.updated_at = refund.created_at!;
      instrumentBalances(state).giveBack(payment, cents);
      const { idempotencyKey } = asked;
      recordMovement(state, { kind: 'refund', orderId: order.id, payment, cents, idempotencyKey });
    }
    order.refunds = [...(order.refunds ?? []), ...failed, refund];
  });
  return refund;
}

function newRefund(
  state: ServiceState,
  record: OrderRecord,
  { cents, reason, lineItems, idempotencyKey }: AskedRefund,
  status: 'COMPLETED' | 'FAILED',
): Refund {
  const id = state.nextId();
  if (idempotencyKey !== null) record.keys.set(id, idempotencyKey);
  return {
    id,
    order_id: record.order.id,
    amount: { amount: cents, currency: record.order.total.currency },
    status,
    reason,
    line_items: lineItems,
    distributions: [],
    created_at: timestampNow(state.clock),
  };
}
