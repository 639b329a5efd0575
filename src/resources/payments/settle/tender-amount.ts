import type { OrderAmounts } from '../amounts.js';
import { chargedCents } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';

/**
 * What may still be charged, in cents. The service's figure may lag behind payments that are known to be done, so the
 * smaller of both counts.
 */
export function chargeableCents(amounts: OrderAmounts, record: JournalRecord): number {
  const paidCents = Math.max(amounts.paidCents, chargedCents(record));
  return Math.max(0, Math.min(amounts.balanceCents, amounts.totalCents - paidCents));
}

/** Whether the order shows everything that is known to be charged. */
export function isUpToDate(amounts: OrderAmounts, record: JournalRecord): boolean {
  // A service may take refunds off `amount_paid`; then the two together are what was paid.
  return amounts.paidCents + amounts.refundedCents >= chargedCents(record);
}

/** The sum of the fixed amounts among planned entries, in cents. */
export function plannedCents(entries: readonly PaymentEntry[]): number {
  return entries.reduce((sum, entry) => sum + (typeof entry.amount === 'number' ? entry.amount : 0), 0);
}

/**
 * The cents of the next entry: its own amount, or what the balance leaves when the fixed amounts after it are kept
 * free.
 *
 * @returns `'too_much'` when its amount exceeds the balance.
 */
export function centsToSend(
  entry: PaymentEntry,
  { balanceCents, later }: { balanceCents: number; later: readonly PaymentEntry[] },
): number | 'too_much' {
  const cents = entry.cents ?? entry.amount;
  if (cents !== 'remaining') return cents > balanceCents ? 'too_much' : cents;
  return Math.max(0, balanceCents - plannedCents(later));
}
