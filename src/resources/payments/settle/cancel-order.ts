import { isTransient } from '../../is-transient.js';
import { currentRun, updateRun } from '../journal/journal-runs.js';
import { readOrder, type Work } from './work.js';

/**
 * Cancels the order; the service voids or refunds what was paid. The key is durable first, so that a run that dies
 * here is ended by the same cancel.
 *
 * @throws {ConflictError} The store has begun to prepare the order; what was paid stays paid.
 */
export async function cancelOrder(work: Work): Promise<void> {
  const { book, context, limit, orderId } = work;
  const idempotencyKey = currentRun(book.record)?.cancelKey ?? context.newKey();
  await book.write((record) => updateRun(record, { cancelKey: idempotencyKey }));
  try {
    work.order = await context.api.cancel(orderId, { ...limit.forCall(), idempotencyKey });
  } catch (error) {
    // The answer may be lost, and the order cancelled; if not, the next call of settle cancels with the same key.
    if (isTransient(error) && (await readOrder(work)).status === 'CANCELLED') return;
    if (!isTransient(error)) await book.write((record) => updateRun(record, { cancelKey: null }));
    throw error;
  }
}

/** Whether a run ended between the decision to cancel and the end of the cancel. */
export function isCancelPending(work: Work): boolean {
  const run = currentRun(work.book.record);
  return run !== undefined && run.cancelKey !== null && !run.ended;
}
