import type { Order, Payment } from '../../../contract/index.js';
import { centsOf } from '../amounts.js';
import { allEntries } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import { findPayment, standingOf } from '../matching.js';
import type { PaymentOverrides } from '../overrides.js';

/** The payment of the order that is the outcome of an entry, or `undefined` (gap PAY-4). */
export function findEntryPayment(
  order: Order,
  record: JournalRecord,
  { entry, matches }: { entry: PaymentEntry; matches: PaymentOverrides['matches'] },
): Payment | undefined {
  const payments = order.payments ?? [];
  if (entry.paymentId !== null) return payments.find((payment) => payment.id === entry.paymentId);
  if (entry.cents === null || entry.startedAtMs === null) return undefined;

  const entries = allEntries(record);
  const claimed = new Set(entries.filter(({ key }) => key !== entry.key).flatMap(({ paymentId }) => paymentId ?? []));
  const taken = new Set([...entry.paymentsBefore, ...claimed]);
  const sent = {
    payment_method: entry.method,
    cents: entry.cents,
    idempotencyKey: entry.key,
    startedAt: new Date(entry.startedAtMs),
  };
  const accountedFor = accountFor(entries, { entry, payments: payments.filter(({ id }) => taken.has(id)), claimed });
  return findPayment(payments, sent, { matches, taken, accountedFor });
}

interface Seen {
  readonly entry: PaymentEntry;
  /** Records that are told apart by their id already. */
  readonly payments: readonly Payment[];
  readonly claimed: ReadonlySet<string>;
}

/**
 * Identical outcomes whose record may still come into sight: the answer of a decline names no record (gap PAY-7), and
 * a reading of the order may lag behind.
 */
function accountFor(entries: readonly PaymentEntry[], { entry, payments, claimed }: Seen) {
  const identical = entries.filter(({ method, cents }) => method === entry.method && cents === entry.cents);
  const alike = payments.filter(
    (payment) => payment.payment_method === entry.method && centsOf(payment.amount) === entry.cents,
  );
  const declines = identical.reduce((sum, other) => sum + other.declines, 0);
  const failed = alike.filter((payment) => standingOf(payment) === 'failed').length;
  const nameless = identical.filter(({ state, paymentId }) => state === 'DONE' && paymentId === null).length;
  const paid = alike.filter((payment) => standingOf(payment) === 'paid' && !claimed.has(payment.id)).length;
  return { paid: Math.max(0, nameless - paid), failed: Math.max(0, declines - failed) };
}
