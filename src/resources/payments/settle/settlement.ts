import type { Money, Order, Payment } from '../../../contract/index.js';
import type { SettlementFacts, TenderFacts, TenderStatus } from '../../../errors/payment.js';
import { amountsOf, type OrderAmounts } from '../amounts.js';
import { allEntries, chargedCents, isUndecided } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import { standingOf } from '../matching.js';
import { chargeableCents } from './tender-amount.js';

/** How far the order is paid. */
export type SettlementStatus = 'UNPAID' | 'PROCESSING' | 'PARTIALLY_PAID' | 'PAID' | 'CANCELLED';

/** One tender of the order, and what became of it. */
export interface SettledTender extends TenderFacts {
  /** Its payment record, when the order shows one. */
  readonly payment: Payment | null;
  /** Why it failed: the service's `failure_reason`, or the situation of its refusal; `null` otherwise. */
  readonly failureReason: string | null;
}

/** What `settle` and `resume` come to. */
export interface Settlement {
  readonly orderId: string;
  /** `'PROCESSING'`: a payment is still undecided; the same call goes on. */
  readonly status: SettlementStatus;
  /** Every tender that the journal knows of this order, in the order of submission; those not sent come last. */
  readonly tenders: readonly SettledTender[];
  /** What these tenders have charged. */
  readonly charged: Money;
  /** What the order shows as paid, other payments included. */
  readonly amountPaid: Money;
  /** What may still be charged. */
  readonly balanceDue: Money;
  /** Payments of the order that none of these tenders made. */
  readonly otherPayments: readonly Payment[];
  /** The order as last read. */
  readonly order: Order;
}

export interface SettlementParts {
  readonly orderId: string;
  readonly record: JournalRecord;
  readonly order: Order;
  readonly amounts: OrderAmounts;
  readonly payments: ReadonlyMap<string, Payment>;
  readonly reasons: ReadonlyMap<string, string>;
}

export function settlementOf(parts: SettlementParts): Settlement {
  const { orderId, record, order, amounts, payments, reasons } = parts;
  const money = (amount: number): Money => ({ amount, currency: amounts.currency });
  const shown = new Map((order.payments ?? []).map((payment) => [payment.id, payment]));
  const tenders = allEntries(record).map((entry): SettledTender => {
    const payment = shown.get(entry.paymentId ?? '') ?? payments.get(entry.key) ?? null;
    const failureReason =
      entry.state === 'REFUSED' ? (payment?.failure_reason ?? reasons.get(entry.key) ?? null) : null;
    return { ...tenderFacts(entry, amounts.currency), payment, failureReason };
  });
  const own = new Set(tenders.map(({ paymentId }) => paymentId));
  return {
    orderId,
    status: statusOf(parts),
    tenders,
    charged: money(chargedCents(record)),
    amountPaid: money(Math.max(amounts.paidCents, order.status === 'CANCELLED' ? 0 : chargedCents(record))),
    balanceDue: money(chargeableCents(amounts, record)),
    otherPayments: (order.payments ?? []).filter(({ id, status }) => !own.has(id) && status !== 'FAILED'),
    order,
  };
}

function statusOf({ record, order, amounts }: SettlementParts): SettlementStatus {
  if (order.status === 'CANCELLED') return 'CANCELLED';
  const paidCents = Math.max(amounts.paidCents, chargedCents(record));
  if (paidCents >= amounts.totalCents) return 'PAID';
  const isUnderWay = (order.payments ?? []).some((payment) => standingOf(payment) === 'under_way');
  if (isUnderWay || allEntries(record).some(isUndecided)) return 'PROCESSING';
  return paidCents > 0 ? 'PARTIALLY_PAID' : 'UNPAID';
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
