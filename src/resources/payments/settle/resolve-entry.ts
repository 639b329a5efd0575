import type { Order } from '../../../contract/index.js';
import type { Resolution, ResolveOptions } from '../../../errors/payment.js';
import { entryOf } from '../journal/journal-runs.js';
import { decideEntry, type EntryEnd } from './decide-entry.js';
import { withOrder } from './order-work.js';
import { readOrder, type Work } from './work.js';

/**
 * `resolve` of the error of a settlement: the same protocol as in `settle`, for one entry, under the same lock, and
 * with its outcome in the journal.
 */
export function resolveEntry(failed: Work, key: string): (options?: ResolveOptions) => Promise<Resolution> {
  return ({ replay = true, signal, deadline } = {}) =>
    withOrder({ ...failed, mayRepeat: replay, onDeclined: undefined, time: { signal, deadline } }, async (work) => {
      for (const [tenderKey, tender] of failed.tenders) work.tenders.set(tenderKey, tender);
      const body = failed.bodies.get(key);
      if (body) work.bodies.set(key, body);
      return resolutionOf(work, key, await endOf(work, key));
    });
}

/** Another call may have decided the entry in the meantime. */
async function endOf(work: Work, key: string): Promise<EntryEnd> {
  const state = entryOf(work.book.record, key)?.state;
  if (state === 'DONE') return { kind: 'done' };
  if (state === 'REFUSED' || state === 'PLANNED') return { kind: 'declined', error: null, payment: null };
  return decideEntry(work, key);
}

async function resolutionOf(work: Work, key: string, end: EntryEnd): Promise<Resolution> {
  if (end.kind === 'unknown') return { outcome: 'unknown', ...shown(work.order), cause: end.cause };
  const order = end.kind === 'done' ? await readOrder(work) : (work.order ?? (await readOrder(work)));
  if (end.kind === 'declined') return { outcome: 'not_applied', order, ...(end.error ? { cause: end.error } : {}) };
  const { paymentId } = entryOf(work.book.record, key) ?? {};
  const record = order.payments?.find(({ id }) => id === paymentId) ?? work.payments.get(key);
  return record ? { outcome: 'applied', record, order } : { outcome: 'unknown', order };
}

const shown = (order: Order | undefined): { order?: Order } => (order ? { order } : {});
