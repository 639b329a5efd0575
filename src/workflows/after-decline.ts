import { RequestValidationError } from '../errors/local.js';
import { cancelOrder } from './cancel-order.js';
import type { DeclineAnswer } from './decline.js';
import type { PaymentEntry } from './journal-record.js';
import { addEntry, entryOf } from './journal-runs.js';
import { newEntry } from './new-entry.js';
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

  const shown = parts.payment ?? (read.order.payments ?? []).find(({ id }) => id === entry.paymentId) ?? null;
  const answer = await askHandler(work, entry, { ...parts, payment: shown });
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

interface Replacement {
  readonly entry: PaymentEntry;
  readonly answer: DeclineAnswer;
  readonly read: Awaited<ReturnType<typeof readAmounts>>;
}

async function replace(work: Work, { entry, answer, read }: Replacement): Promise<void> {
  if (typeof answer !== 'object' || answer === null) throw unknownAnswer(answer);
  const offered = await digested(work, answer);
  const planned = newEntry(work.context.newKey(), offered, entry.key);
  checkAgainstOrder(work, read, [planned]);
  await work.book.write((record) => addEntry(record, planned));
  work.tenders.set(planned.key, offered);
}

function unknownAnswer(answer: unknown): RequestValidationError {
  const shown = typeof answer === 'string' ? `'${answer}'` : typeof answer;
  const message = `it must answer 'retry', 'stop', 'cancel_order' or a tender, and answered ${shown}`;
  return new RequestValidationError(`onDeclined: ${message}. Nothing more was sent.`, {
    problems: [{ field: 'onDeclined', message }],
  });
}
