import type { Order, Payment } from '../../../contract/index.js';
import { findPayment, standingOf } from '../matching.js';
import type { PaymentOverrides, SentPayment } from '../overrides.js';
import type { Found } from './resolve-outcome.js';

export interface LostPayment extends SentPayment {
  readonly matches: PaymentOverrides['matches'];
  /** Payments that answered other keys. */
  readonly taken: ReadonlySet<string>;
}

/**
 * What an order tells about a payment that was sent alone.
 *
 * A failed record counts only when it shows the key: it may as well be that of an earlier attempt with the same
 * amount, and to take it for this one would invite a second charge.
 */
export function paymentInOrder(order: Order, lost: LostPayment): Found<Payment> {
  const { matches, taken, ...sent } = lost;
  if (!Array.isArray(order.payments)) return { kind: 'undecidable' };
  const payment = findPayment(order.payments, sent, { matches, taken });
  if (!payment) return { kind: 'absent' };
  if (standingOf(payment) !== 'failed' || payment.status === 'VOIDED') return { kind: 'present', record: payment };
  return payment.idempotency_key === sent.idempotencyKey ? { kind: 'failed' } : { kind: 'absent' };
}
