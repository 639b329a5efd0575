import { PaymentStateError } from '../../../errors/payment.js';
import { allEntries, currentRun, undecidedEntries, updateRun, withRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { adoptTenders, lastSent } from './adopt-tenders.js';
import { afterDecline } from './after-decline.js';
import { cancelOrder, isCancelPending } from './cancel-order.js';
import { decideEntry } from './decide-entry.js';
import { newEntry } from './new-entry.js';
import { outcomeUnknown } from './outcome-unknown.js';
import { plannedEntries } from './planned-entries.js';
import { checkAgainstOrder, isClosed, type ReadOrder, readAmounts } from './ready-order.js';
import { knownTender } from './replacement.js';
import { type Sending, sendPlanned } from './send-entry.js';
import { inSubmissionOrder } from './submission-order.js';
import type { DigestedTender } from './tender.js';
import type { Work } from './work.js';

/**
 * Goes on with what an earlier call left, and then sends what the journal does not know yet: one tender at a time,
 * the next one when the last is decided.
 */
export async function payTenders(work: Work, offered: readonly DigestedTender[]): Promise<void> {
  const first = await readAmounts(work);
  const { bound, unsent, unanswered } = adoptTenders(work.book.record, offered);
  for (const [key, tender] of bound) work.tenders.set(key, tender);
  checkCurrency(work.orderId, unsent, first.amounts.currency);
  if (isCancelPending(work) && first.order.status !== 'CANCELLED' && work.mayRepeat) return cancelOrder(work);

  const earlier = undecidedEntries(work.book.record);
  if (!(await decideEarlier(work, earlier))) return;
  for (const entry of unanswered) if (!(await askAgain(work, entry))) return;
  if (unsent.length === 0 && plannedEntries(work).length === 0) return;

  const read = earlier.length + unanswered.length > 0 ? await readAmounts(work) : first;
  if (takesNoPayment(work, read)) return;
  await plan(work, unsent, read);
  await sendAll(work);
}

/** Payments that were sent by an earlier call come first. */
async function decideEarlier(work: Work, earlier: readonly PaymentEntry[]): Promise<boolean> {
  let allDecided = true;
  for (const entry of earlier) {
    const goesOn = await goOn(work, entry.key, await decideEntry(work, entry.key));
    allDecided &&= goesOn;
    if (!goesOn && work.mayRepeat) return false;
  }
  return allDecided;
}

/** A decline that a process did not live to answer. */
async function askAgain(work: Work, entry: PaymentEntry): Promise<boolean> {
  const last = lastSent(work.book.record, entry);
  // A handler that answers differently now is asked about the first tender of the chain.
  const { key } = (await knownTender(work, last)) ? last : entry;
  return goOn(work, key, { kind: 'declined', error: null, payment: null });
}

/** Whether the next tender may go out after this end; asks about declines until they are settled. */
async function goOn(work: Work, key: string, end: Sending): Promise<boolean> {
  let latest = end;
  for (;;) {
    switch (latest.kind) {
      case 'done':
      case 'nothing_remains':
        return true;
      case 'processing':
      case 'payment_under_way':
      case 'order_closed':
        return false;
      case 'unknown':
        if (work.mayRepeat) throw outcomeUnknown(work, key, latest.cause);
        return false;
      case 'declined': {
        if (!work.mayRepeat) return true;
        const next = await afterDecline(work, key, latest);
        if (next === 'stopped') return false;
        if (next === 'replaced') return true;
        latest = next;
      }
    }
  }
}

/** A closed order takes no payment. Where the journal knows nothing of it, the caller may have mixed up orders. */
function takesNoPayment(work: Work, { order }: ReadOrder): boolean {
  if (!isClosed(order)) return false;
  const isCancelled = order.status === 'CANCELLED';
  if (isCancelled && allEntries(work.book.record).length > 0) return true;
  throw new PaymentStateError(
    `Order ${work.orderId} has the status ${order.status}, and takes no payment. Nothing was sent. Check out a cart again.`,
    { orderId: work.orderId, reason: isCancelled ? 'order_cancelled' : 'order_closed' },
  );
}

/** Writes down what is to be sent; what an earlier call planned and never sent gives way to it. */
async function plan(work: Work, unsent: readonly DigestedTender[], read: ReadOrder): Promise<void> {
  const { context, book } = work;
  const entries = inSubmissionOrder(unsent).map((tender) => {
    const entry = newEntry(context.newKey(), tender);
    work.tenders.set(entry.key, tender);
    return entry;
  });
  checkAgainstOrder(work, read, [...plannedEntries(work), ...entries]);

  const isStale = (entry: PaymentEntry): boolean => entry.state === 'PLANNED' && !work.tenders.has(entry.key);
  await book.write((record) => {
    const runs = record.runs.map((run) => ({ ...run, entries: run.entries.filter((entry) => !isStale(entry)) }));
    const cleared = { ...record, runs };
    const open = currentRun(cleared);
    if (open && !open.ended) return updateRun(cleared, { entries: [...open.entries, ...entries] });
    const run = { id: context.newKey(), openedAtMs: context.clock.now(), ended: false, cancelKey: null, entries };
    return withRun(cleared, run);
  });
}

/** One tender at a time: payments of one order at once are undefined (interface document, "Payment rules" 3). */
async function sendAll(work: Work): Promise<void> {
  for (;;) {
    const [entry, ...later] = plannedEntries(work);
    if (!entry) return;
    if (!(await goOn(work, entry.key, await sendPlanned(work, entry, later)))) return;
  }
}

function checkCurrency(orderId: string, tenders: readonly DigestedTender[], currency: string): void {
  const other = tenders.find((tender) => tender.currency !== undefined && tender.currency !== currency);
  if (!other) return;
  throw new PaymentStateError(
    `A tender is given in ${other.currency}, and order ${orderId} is in ${currency}. Nothing was sent. Give its amount in ${currency}.`,
    { orderId, reason: 'currency_differs' },
  );
}
