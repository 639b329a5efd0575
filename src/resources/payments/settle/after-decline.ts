import type { Order, Payment } from '../../../contract/index.js';
import { RequestValidationError } from '../../../errors/local.js';
import { addReplacement, entryOf, updateEntry } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { standingOf } from '../matching.js';
import { cancelOrder } from './cancel-order.js';
import { change } from './decide-entry.js';
import type { DeclineAnswer } from './decline.js';
import { findEntryPayment } from './find-entry-payment.js';
import { newEntry } from './new-entry.js';
import { plannedEntries } from './planned-entries.js';
import { checkAgainstOrder, readAmounts } from './ready-order.js';
import { askHandler, type DeclineParts, digested, isRetryable } from './replacement.js';
import { type Sending, sendPlanned } from './send-entry.js';
import type { Work } from './work.js';

/**
 * Offers the three ways of payment rule 4 after a decline, and goes the one that was chosen.
 *
 * @returns How the entry, or a repetition of it, ended at last; `'replaced'` when another tender is planned in its place.
 */
export async function afterDecline(
  work: Work,
  key: string,
  parts: DeclineParts,
): Promise<Sending | 'stopped' | 'replaced'> {
  const entry = entryOf(work.book.record, key);
  const read = await readAmounts(work);
  if (!entry || read.order.status === 'CANCELLED') return 'stopped';

  const payment = parts.payment ?? (await takeFailedRecord(work, entry, read.order));
  const answer = await askHandler(work, entry, { ...parts, payment });
  switch (answer) {
    case 'stop':
      return 'stopped';
    case 'cancel_order':
      await cancelOrder(work);
      return 'stopped';
    case 'retry':
      return isRetryable(work, entry) ? sendPlanned(work, entry, []) : 'stopped';
    default:
      await replace(work, { entry, answer, read });
      return 'replaced';
  }
}

/** The answer of a decline names no record; the order may show one (gap PAY-7). */
async function takeFailedRecord(work: Work, entry: PaymentEntry, order: Order): Promise<Payment | null> {
  const { book, context } = work;
  const undecided = { ...entry, declines: entry.declines - 1 };
  const before = updateEntry(book.record, entry.key, undecided);
  const payment = findEntryPayment(order, before, { entry: undecided, matches: context.overrides.matches });
  if (!payment || standingOf(payment) !== 'failed') return null;
  work.payments.set(entry.key, payment);
  await change(work, entry.key, { paymentId: payment.id });
  return payment;
}

interface Replacement {
  readonly entry: PaymentEntry;
  readonly answer: DeclineAnswer;
  readonly read: Awaited<ReturnType<typeof readAmounts>>;
}

async function replace(work: Work, { entry, answer, read }: Replacement): Promise<void> {
  if (typeof answer !== 'object' || answer === null) throw unknownAnswer(answer);
  const offered = await digested(work, answer);
  const planned = newEntry(work.context.newKey(), offered, entry.key);
  checkAgainstOrder(work, read, [planned, ...plannedEntries(work)]);
  await work.book.write((record) => addReplacement(record, planned));
  work.tenders.set(planned.key, offered);
}

function unknownAnswer(answer: unknown): RequestValidationError {
  const shown = typeof answer === 'string' ? `'${answer}'` : typeof answer;
  const message = `it must answer 'retry', 'stop', 'cancel_order' or a tender, and answered ${shown}`;
  return new RequestValidationError(`onDeclined: ${message}. Nothing more was sent.`, {
    problems: [{ field: 'onDeclined', message }],
  });
}
