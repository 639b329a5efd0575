import type { Payment } from '../../contract/index.js';
import type { RuleReadings } from '../state/readings.js';

/** Non-cash first, in this order; tenders that are not named come before cash (gap REF-6). */
const ORDER = ['LOYALTY_POINTS', 'GIFT_CARD', 'EBT', 'DIGITAL_WALLET', 'CREDIT_CARD'];

export interface RefundShare {
  readonly payment: Payment;
  readonly cents: number;
}

/** Which payment gives back how much; within a tender the latest payment first. */
export function distributeRefund(payments: readonly Payment[], cents: number, readings: RuleReadings): RefundShare[] {
  const shares: RefundShare[] = [];
  let left = cents;
  for (const payment of inRefundOrder(payments, readings)) {
    const share = Math.min(left, refundable(payment));
    if (share > 0) shares.push({ payment, cents: share });
    left -= share;
  }
  return shares;
}

/** Cents of a payment that can still go back. */
export function refundable(payment: Payment): number {
  if (payment.status !== 'COMPLETED' && payment.status !== 'CAPTURED') return 0;
  return payment.amount.amount - (payment.amount_refunded?.amount ?? 0);
}

/** Payments in the order in which money goes back ("minimize-cash-refund"). */
export function inRefundOrder(payments: readonly Payment[], readings: RuleReadings): Payment[] {
  if (readings['REF-6'] === 'latest_first') return [...payments].reverse();
  return payments
    .map((payment, index) => ({ payment, index, rank: rankOf(payment.payment_method) }))
    .sort((a, b) => a.rank - b.rank || b.index - a.index)
    .map(({ payment }) => payment);
}

function rankOf(method: string): number {
  // Credit and debit cards are one step of the order.
  if (method === 'DEBIT_CARD') return ORDER.indexOf('CREDIT_CARD');
  if (method === 'CASH') return ORDER.length + 1;
  const rank = ORDER.indexOf(method);
  return rank === -1 ? ORDER.length : rank;
}
