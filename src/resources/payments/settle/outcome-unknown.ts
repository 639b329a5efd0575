import { CallError } from '../../../errors/call.js';
import { OutcomeUnknownError } from '../../../errors/payment.js';
import { replayableUntil } from '../../../http/response/replay-window.js';
import { entryOf } from '../journal/journal-runs.js';
import { resolveEntry } from './resolve-entry.js';
import { settlementFacts } from './settlement.js';
import type { Work } from './work.js';

/** The error for an entry that cannot be decided now. Its journal entry stays, and binds its tender. */
export function outcomeUnknown(work: Work, key: string, cause: unknown): OutcomeUnknownError {
  const { orderId, book, order } = work;
  const { startedAtMs, method, cents } = entryOf(book.record, key) ?? {};
  const message =
    `It is not known whether a payment of order ${orderId} (${method}, ${cents} cents) was executed. Do not pay again with a new key: ` +
    'call settle again with the same tenders, or resolve() of this error; both read the order before they repeat anything.';
  const facts = {
    method: 'POST',
    path: '/orders/{order_id}/payments',
    attempts: cause instanceof CallError ? cause.attempts : 0,
    idempotencyKey: key,
    replayableUntil: typeof startedAtMs === 'number' ? new Date(replayableUntil(startedAtMs)) : undefined,
    orderId,
    settlement: settlementFacts(book.record, order),
    resolve: resolveEntry(work, key),
  };
  return new OutcomeUnknownError(message, facts, { cause: causeOf(cause) });
}

/** What lost the answer, rather than the error that says so. */
function causeOf(cause: unknown): unknown {
  return cause instanceof OutcomeUnknownError ? (cause.cause ?? cause) : cause;
}
