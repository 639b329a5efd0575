import type { Order } from '../../contract/index.js';
import { chargedCents } from './journal/journal-runs.js';
import type { Baseline, JournalRecord, PaymentEntry } from './journal/record.js';

/** Cents of an amount that may come as `Money` or as whole cents (gap PAY-10); `undefined` when it is neither. */
export function centsOf(amount: unknown): number | undefined {
  const cents = typeof amount === 'object' && amount !== null && 'amount' in amount ? amount.amount : amount;
  return typeof cents === 'number' && Number.isSafeInteger(cents) ? cents : undefined;
}

/** The amounts of an order that decide what may still be charged, in cents. */
export interface OrderAmounts {
  readonly currency: string;
  readonly totalCents: number;
  readonly paidCents: number;
  /** As the service says it; payments under way are taken off already. */
  readonly balanceCents: number;
  readonly refundedCents: number;
}

/** Reads the amounts of an order, or gives `undefined` when the total, or what is paid of it, cannot be told. */
export function amountsOf(order: Order): OrderAmounts | undefined {
  const totalCents = centsOf(order.total);
  const said = { paid: centsOf(order.amount_paid), balance: centsOf(order.balance_due) };
  if (totalCents === undefined) return undefined;
  const paidCents = said.paid ?? (said.balance === undefined ? undefined : totalCents - said.balance);
  if (paidCents === undefined) return undefined;
  return {
    currency: order.total.currency ?? 'USD',
    totalCents,
    paidCents,
    balanceCents: said.balance ?? totalCents - paidCents,
    refundedCents: centsOf(order.amount_refunded) ?? 0,
  };
}

/** What the order shows now, to tell later what came after it. */
export function baselineOf(order: Order): Baseline {
  return {
    paidCents: amountsOf(order)?.paidCents ?? null,
    refundedCents: centsOf(order.amount_refunded) ?? null,
    paymentIds: (order.payments ?? []).map(({ id }) => id),
    refundIds: (order.refunds ?? []).map(({ id }) => id),
  };
}

/**
 * What may still be charged, in cents. The service's figure may lag behind payments that are known to be done, so the
 * smaller of both counts.
 */
export function chargeableCents(amounts: OrderAmounts, record: JournalRecord, goneCents = 0): number {
  const paidCents = Math.max(amounts.paidCents, chargedCents(record) - goneCents);
  return Math.max(0, Math.min(amounts.balanceCents, amounts.totalCents - paidCents));
}

/** Whether `amount` is more than the order asks for; `false` where either cannot be told. */
export function isAboveBalance(order: Order, amount: unknown): boolean {
  const amounts = amountsOf(order);
  const cents = centsOf(amount);
  if (!amounts || cents === undefined) return false;
  return cents > Math.min(amounts.balanceCents, amounts.totalCents - amounts.paidCents);
}

/**
 * Whether the order shows everything that is known to be charged.
 *
 * @param goneCents - of what was charged, the cents whose payments the store has voided or refunded since.
 */
export function isUpToDate(amounts: OrderAmounts, record: JournalRecord, goneCents = 0): boolean {
  // A service may take refunds off `amount_paid`; then the two together are what was paid.
  return amounts.paidCents + amounts.refundedCents >= chargedCents(record) - goneCents;
}

/** The sum of the fixed amounts among planned entries, in cents. */
export function plannedCents(entries: readonly Pick<PaymentEntry, 'amount'>[]): number {
  return entries.reduce((sum, entry) => sum + (typeof entry.amount === 'number' ? entry.amount : 0), 0);
}

/**
 * The cents of the next entry: its own amount, or what the balance leaves when the fixed amounts after it are kept
 * free.
 *
 * @returns `'too_much'` when its amount exceeds the balance.
 */
export function centsToSend(
  entry: Pick<PaymentEntry, 'amount' | 'cents'>,
  { balanceCents, later }: { balanceCents: number; later: readonly PaymentEntry[] },
): number | 'too_much' {
  const cents = entry.cents ?? entry.amount;
  if (cents !== 'remaining') return cents > balanceCents ? 'too_much' : cents;
  return Math.max(0, balanceCents - plannedCents(later));
}
