import { PaymentStateError } from '../../../errors/payment.js';
import { entryOf, isUndecided, undecidedEntries, updateRun } from '../journal/journal-runs.js';
import { change } from './decide-entry.js';
import { findEntryPayment } from './find-entry-payment.js';
import { isYoungEnough, readOrder, type Work } from './work.js';

/**
 * Takes the caller's word that payments were not executed: the way out for those that are too old to be sent again, and
 * that the order does not show.
 *
 * @throws {PaymentStateError} `still_decidable`: a key is young enough to be decided without a person.
 */
export async function writeOff(work: Work, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const order = await readOrder(work);
  for (const key of keys) {
    const entry = entryOf(work.book.record, key);
    if (!entry || !isUndecided(entry)) throw notUndecided(work.orderId, key);
    if (entry.paymentId !== null || isYoungEnough(work, entry)) throw stillDecidable(work.orderId, key);
    const { matches } = work.context.overrides;
    // A payment that shows after all is taken over, whatever the caller was told.
    if (findEntryPayment(order, work.book.record, { entry, matches })) continue;
    await change(work, key, { state: 'REFUSED' });
  }
  if (undecidedEntries(work.book.record).length > 0) return;
  await work.book.write((record) => updateRun(record, { ended: true }));
}

function notUndecided(orderId: string, key: string): PaymentStateError {
  return new PaymentStateError(
    `The journal of order ${orderId} has no undecided payment with the key ${key}. Nothing was changed. ` +
      'client.orders.resume(orderId, { journal }) lists keys and states.',
    { orderId, reason: 'not_undecided' },
  );
}

function stillDecidable(orderId: string, key: string): PaymentStateError {
  return new PaymentStateError(
    `The payment with the key ${key} of order ${orderId} can still be decided: call settle with the tenders that were sent. ` +
      'Only a payment that is too old to be sent again can be written off. Nothing was changed.',
    { orderId, reason: 'still_decidable' },
  );
}
