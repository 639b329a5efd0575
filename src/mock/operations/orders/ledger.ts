import type { Payment } from '../../../contract/index.js';
import type { LedgerEntry, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';

/** Every movement of money of one order, and what it comes to, in cents. */
export interface Ledger {
  /** Every movement of money, oldest first. */
  readonly entries: readonly LedgerEntry[];
  /** Cents that were charged; what went back since is not taken off. */
  readonly charged: number;
  /** Cents that went back as refunds. A void is an entry, and in no sum. */
  readonly refunded: number;
  /** Charged less refunded: what the customer has paid in the end. */
  readonly net: number;
}

export function ledgerOf(state: ServiceState, orderId: string): Ledger {
  const entries = (state.ledger.get(orderId) ?? []).map((entry) => ({ ...entry }));
  const sum = (kind: LedgerEntry['kind']) =>
    entries.reduce((total, entry) => (entry.kind === kind ? total + entry.cents : total), 0);
  const charged = sum('charge');
  const refunded = sum('refund');
  return { entries, charged, refunded, net: charged - refunded };
}

export interface Movement {
  readonly kind: LedgerEntry['kind'];
  readonly orderId: string;
  readonly payment: Payment;
  readonly cents: number;
  readonly idempotencyKey: string | null;
}

export function recordMovement(state: ServiceState, movement: Movement): void {
  const { orderId, payment, ...rest } = movement;
  const entry: LedgerEntry = {
    ...rest,
    paymentId: payment.id,
    method: payment.payment_method,
    at: timestampNow(state.clock),
  };
  const entries = state.ledger.get(orderId);
  if (entries) entries.push(entry);
  else state.ledger.set(orderId, [entry]);
}
