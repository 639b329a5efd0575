import type { Money, Order, Payment } from '../../../contract/index.js';
import type { SettlementFacts, TenderFacts, TenderStatus } from '../../../errors/payment.js';
import { amountsOf, centsOf, chargeableCents, type OrderAmounts } from '../amounts.js';
import { allEntries, chargedCents, isUndecided } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import { isUnknownStatus, standingOf } from '../matching.js';
import type { PaymentOverrides } from '../overrides.js';

/** How far the order is paid. */
export type SettlementStatus = 'UNPAID' | 'PROCESSING' | 'PARTIALLY_PAID' | 'PAID' | 'CANCELLED';

/** One tender of the order, and what became of it. */
export interface SettledTender extends TenderFacts {
  /** Its payment record, when the order shows one. */
  readonly payment: Payment | null;
  /** Why it failed: the service's `failure_reason`, or the situation of its refusal; `null` otherwise. */
  readonly failureReason: string | null;
}

/**
 * Why a payment of the order is none of the settlement's.
 *
 * - `'looks_like_ours'`: same method and amount as a tender of the settlement, made since that was sent. It may be a
 *   second execution of the same request: ask the service, and refund it if it is.
 * - `'made_by_others'`: another call, another system, the store.
 */
export type OtherPaymentReason = 'looks_like_ours' | 'made_by_others';

/** A payment of the order that none of the tenders made. */
export type OtherPayment = Payment & {
  /** Why it is none of the settlement's. */
  readonly reason: OtherPaymentReason;
};

/** What `settle` and `resume` come to. */
export interface Settlement {
  /** The order that was paid. */
  readonly orderId: string;
  /** `'PROCESSING'`: a payment is still undecided; the same call goes on. */
  readonly status: SettlementStatus;
  /** Every tender that the journal knows of this order, in the order of submission; those not sent come last. */
  readonly tenders: readonly SettledTender[];
  /** What these tenders have charged. */
  readonly charged: Money;
  /** Of `charged`, what the store has voided or refunded since, payment by payment. Refunds of a part are not in it. */
  readonly givenBack: Money;
  /** What the order shows as paid, other payments included. */
  readonly amountPaid: Money;
  /** What may still be charged. */
  readonly balanceDue: Money;
  /** Payments of the order that none of these tenders made, and why they are there. */
  readonly otherPayments: readonly OtherPayment[];
  /** What the order says was paid, and no payment that it shows accounts for: compare it with the service. */
  readonly unexplained: Money;
  /** The order as last read. */
  readonly order: Order;
}

export interface SettlementInput {
  readonly orderId: string;
  readonly record: JournalRecord;
  readonly order: Order;
  readonly amounts: OrderAmounts;
  readonly payments: ReadonlyMap<string, Payment>;
  readonly reasons: ReadonlyMap<string, string>;
  readonly isFinal: PaymentOverrides['isFinal'];
}

export function settlementOf(input: SettlementInput): Settlement {
  const { orderId, record, order, amounts, payments, reasons, isFinal } = input;
  const money = (amount: number): Money => ({ amount, currency: amounts.currency });
  const shown = new Map((order.payments ?? []).map((payment) => [payment.id, payment]));
  const tenders = allEntries(record).map((entry): SettledTender => {
    const payment = shown.get(entry.paymentId ?? '') ?? payments.get(entry.key) ?? null;
    const failureReason =
      entry.state === 'REFUSED' ? (payment?.failure_reason ?? reasons.get(entry.key) ?? null) : null;
    return { ...tenderFacts(entry, amounts.currency), payment, failureReason };
  });
  const own = new Set(tenders.map(({ paymentId }) => paymentId));
  const others = (order.payments ?? []).filter(({ id, status }) => !own.has(id) && status !== 'FAILED');
  const heldCents = chargedCents(record) - goneCents(record, order);
  return {
    orderId,
    status: statusOf(input, heldCents),
    tenders,
    charged: money(chargedCents(record)),
    givenBack: money(goneCents(record, order)),
    amountPaid: money(Math.max(amounts.paidCents, order.status === 'CANCELLED' ? 0 : heldCents)),
    balanceDue: money(chargeableCents(amounts, record, goneCents(record, order))),
    otherPayments: others.map((payment) => ({ ...payment, reason: reasonOf(payment, record) })),
    unexplained: money(unexplainedCents({ order, amounts, others, heldCents, isFinal })),
    order,
  };
}

/** What tenders of the journal have charged, and the order shows as voided or refunded in full. */
export function goneCents(record: JournalRecord, order: Order): number {
  const gone = new Set<string>();
  for (const { id, status } of order.payments ?? []) if (status === 'VOIDED' || status === 'REFUNDED') gone.add(id);
  const entries = allEntries(record).filter(({ state, paymentId }) => state === 'DONE' && gone.has(paymentId ?? ''));
  return entries.reduce((sum, entry) => sum + (entry.chargedCents ?? 0), 0);
}

function reasonOf(payment: Payment, record: JournalRecord): OtherPaymentReason {
  const cents = centsOf(payment.amount);
  const isAlike = allEntries(record).some(
    (entry) =>
      entry.sendings > 0 &&
      entry.method === payment.payment_method &&
      entry.cents === cents &&
      !(entry.baseline?.paymentIds.includes(payment.id) ?? false),
  );
  return isAlike ? 'looks_like_ours' : 'made_by_others';
}

interface Sums {
  readonly order: Order;
  readonly amounts: OrderAmounts;
  readonly others: readonly Payment[];
  readonly heldCents: number;
  readonly isFinal: PaymentOverrides['isFinal'];
}

/** `charged` never disagrees with `amount_paid` in silence. */
function unexplainedCents({ order, amounts, others, heldCents, isFinal }: Sums): number {
  if (order.status === 'CANCELLED') return 0;
  const paidByOthers = others.filter((payment) => standingOf(payment, isFinal) === 'paid');
  const knownCents = paidByOthers.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0), heldCents);
  return Math.max(0, amounts.paidCents - knownCents);
}

function statusOf({ record, order, amounts, isFinal }: SettlementInput, heldCents: number): SettlementStatus {
  if (order.status === 'CANCELLED') return 'CANCELLED';
  const paidCents = Math.max(amounts.paidCents, heldCents);
  const isOpen = allEntries(record).some(isUndecided);
  if (paidCents >= amounts.totalCents && !isOpen) return 'PAID';
  const isUnderWay = hasPaymentUnderWay(order, record, isFinal);
  if (isUnderWay || isOpen) return 'PROCESSING';
  return paidCents > 0 ? 'PARTIALLY_PAID' : 'UNPAID';
}

/**
 * Whether the order shows a payment that may still take money. What the journal knows as done is done, whatever its
 * status is called by now; a status that nobody knows counts only while the order says that it is processing.
 */
export function hasPaymentUnderWay(
  order: Order,
  record: JournalRecord,
  isFinal?: PaymentOverrides['isFinal'],
): boolean {
  const done = new Set(
    allEntries(record).flatMap(({ state, paymentId }) => (state === 'DONE' ? (paymentId ?? []) : [])),
  );
  return (order.payments ?? []).some((payment) => {
    if (done.has(payment.id) || standingOf(payment, isFinal) !== 'under_way') return false;
    if (!isUnknownStatus(payment, isFinal)) return true;
    return isFinal?.(payment) === 'under_way' || order.payment_status === 'PROCESSING';
  });
}

/** The same without instruments and records, for errors. */
export function settlementFacts(record: JournalRecord, order: Order | undefined): SettlementFacts {
  const amounts = order && amountsOf(order);
  const currency = amounts?.currency ?? 'USD';
  return {
    tenders: allEntries(record).map((entry) => tenderFacts(entry, currency)),
    charged: { amount: chargedCents(record), currency },
    balanceDue: amounts ? { amount: chargeableCents(amounts, record), currency } : null,
  };
}

function tenderFacts(entry: PaymentEntry, currency: string): TenderFacts {
  const cents = entry.chargedCents ?? entry.cents ?? entry.amount;
  return {
    payment_method: entry.method,
    amount: cents === 'remaining' ? cents : { amount: cents, currency },
    status: tenderStatus(entry),
    idempotencyKey: entry.key,
    paymentId: entry.paymentId,
    replaces: entry.replaces,
  };
}

function tenderStatus({ state, paymentId }: PaymentEntry): TenderStatus {
  switch (state) {
    case 'DONE':
      return 'COMPLETED';
    case 'REFUSED':
      return 'FAILED';
    case 'PLANNED':
      return 'UNSENT';
    default:
      return paymentId === null ? 'UNKNOWN' : 'PROCESSING';
  }
}
