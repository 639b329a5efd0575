import { currentRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { inSubmissionOrder } from './submission-order.js';
import type { Work } from './work.js';

/** What this call has still to send, in the order of submission. */
export function plannedEntries({ book, tenders }: Pick<Work, 'book' | 'tenders'>): PaymentEntry[] {
  const entries = currentRun(book.record)?.entries ?? [];
  return inSubmissionOrder(entries.filter(({ state, key }) => state === 'PLANNED' && tenders.has(key)));
}
