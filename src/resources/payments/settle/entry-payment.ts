import type { Order, Payment } from '../../../contract/index.js';
import { centsOf } from '../amounts.js';
import { allEntries, chargedCents } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import { type ExpectedPayment, findPayment, type MatchingOptions, standingOf } from '../matching.js';

type Rules = Pick<MatchingOptions, 'matches' | 'isFinal' | 'skewMs'>;

/**
 * What to look for in the order as the outcome of an entry (gap PAY-4); `undefined` when nothing of it was sent.
 *
 * Records that were there before its last sending are none of it, and neither are those of other tenders.
 */
export function expectedPayment(
  record: JournalRecord,
  entry: PaymentEntry,
  order: Order,
  rules: Rules,
): ExpectedPayment | undefined {
  const { key, method, cents, firstSentAt, baseline } = entry;
  if (cents === null || firstSentAt === null) return undefined;
  const entries = allEntries(record);
  const claimed = new Set(entries.filter((other) => other.key !== key).flatMap(({ paymentId }) => paymentId ?? []));
  const startedAt = new Date(firstSentAt.serviceMs ?? firstSentAt.localMs);
  return {
    ...rules,
    sent: { payment_method: method, cents, idempotencyKey: key, startedAt },
    baseline,
    claimed,
    chargedCents: chargedCents(record),
    isTimeKnown: firstSentAt.serviceMs !== null,
    accountedFor: accountedFor(record, entry, { order, claimed, rules }),
  };
}

/** The failed record of a decline whose response named none (gap PAY-7), when the order shows it. */
export function failedPayment(
  record: JournalRecord,
  entry: PaymentEntry,
  order: Order,
  rules: Rules,
): Payment | undefined {
  const before = { ...entry, declines: entry.declines - 1 };
  const runs = record.runs.map((run) => ({
    ...run,
    entries: run.entries.map((one) => (one.key === entry.key ? before : one)),
  }));
  const expected = expectedPayment({ ...record, runs }, before, order, rules);
  if (!expected) return undefined;
  const taken = new Set([...(entry.baseline?.paymentIds ?? []), ...expected.claimed]);
  const payment = findPayment(order.payments ?? [], expected.sent, { ...expected, taken });
  return payment && standingOf(payment, rules.isFinal) === 'failed' ? payment : undefined;
}

/**
 * Identical outcomes whose record may still come into sight: the response of a decline names no record (gap PAY-7),
 * and a reading of the order may lag behind.
 */
function accountedFor(
  record: JournalRecord,
  entry: PaymentEntry,
  { order, claimed, rules }: { order: Order; claimed: ReadonlySet<string>; rules: Rules },
): { paid: number; failed: number } {
  const known = new Set([...(entry.baseline?.paymentIds ?? []), ...claimed]);
  const identical = allEntries(record).filter(({ method, cents }) => method === entry.method && cents === entry.cents);
  const alike = (order.payments ?? []).filter(
    ({ id, payment_method, amount }) =>
      known.has(id) && payment_method === entry.method && centsOf(amount) === entry.cents,
  );
  const declines = identical.reduce((sum, other) => sum + other.declines, 0);
  const failed = alike.filter((payment) => standingOf(payment, rules.isFinal) === 'failed').length;
  const nameless = identical.filter(({ state, paymentId }) => state === 'DONE' && paymentId === null).length;
  const paid = alike.filter(
    (payment) => standingOf(payment, rules.isFinal) === 'paid' && !claimed.has(payment.id),
  ).length;
  return { paid: Math.max(0, nameless - paid), failed: Math.max(0, declines - failed) };
}
