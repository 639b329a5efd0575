import type { Payment, PaymentStatus } from '../../contract/index.js';
import { isUnderWay } from './transitions.js';

/** Cents. */
export interface PaymentFigures {
  /** Completed payments before refunds. */
  readonly paid: number;
  readonly underWay: number;
  readonly refunded: number;
  /** Total less paid, and less what is under way (gap PAY-10). */
  readonly due: number;
  readonly status: PaymentStatus;
}

/** What the payments of an order add up to. */
export function paymentFigures(totalCents: number, payments: readonly Payment[]): PaymentFigures {
  // A payment that a cancel refunded was completed before.
  const paid = sumWhere(payments, ({ status }) => status === 'COMPLETED' || status === 'REFUNDED');
  const underWay = sumWhere(payments, ({ status }) => isUnderWay(status));
  const refunded = payments.reduce((sum, payment) => sum + (payment.amount_refunded?.amount ?? 0), 0);
  const due = Math.max(0, totalCents - paid - underWay);
  return { paid, underWay, refunded, due, status: statusOf(totalCents, paid, underWay) };
}

/** gap PAY-9 */
function statusOf(totalCents: number, paid: number, underWay: number): PaymentStatus {
  if (underWay > 0) return 'PROCESSING';
  if (paid >= totalCents) return 'PAID';
  return paid > 0 ? 'PARTIALLY_PAID' : 'UNPAID';
}

function sumWhere(payments: readonly Payment[], matches: (payment: Payment) => boolean): number {
  return payments.filter(matches).reduce((sum, payment) => sum + payment.amount.amount, 0);
}
