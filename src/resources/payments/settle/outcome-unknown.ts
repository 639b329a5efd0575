import type { Order } from '../../../contract/index.js';
import { CallError } from '../../../errors/call.js';
import { OutcomeUnknownError, type Resolution, type ResolveOptions } from '../../../errors/payment.js';
import { replayableUntil } from '../../../http/response/replay-window.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import { entryOf } from '../journal/journal-runs.js';
import { singleFlight } from '../single-flight.js';
import type { Snapshot } from './known.js';
import { type OrderRun, toItsEnd, withRun } from './order-run.js';
import { LeftUnknown, waysOut } from './refusals.js';
import { sentErrorOf } from './sending.js';
import { settlementFacts } from './settlement.js';

export interface LostEntry {
  readonly key: string;
  readonly why: string;
  /** What lost its response, or ended the search for it. */
  readonly cause: unknown;
}

/** What was seen, or why nothing was, in words. */
const WHYS: Readonly<Record<string, string>> = {
  sum_rose: 'The order shows more as paid than before, and no payment that accounts for it.',
  new_record: 'The order shows a new payment of another method or amount, which may be this one.',
  late_refusal:
    'Its repetition was refused as a duplicate, or for lack of balance: the first request may have been executed.',
  not_listed: 'The order lists no payments at all.',
  unreadable: 'The order could not be read.',
  too_old: 'Its key is too old to be sent again.',
  sent_too_often: 'Its repetitions were lost as well.',
  balance: 'The balance of the order no longer covers it.',
  interrupted: 'The call ended before that could be decided.',
};

/** The error for an entry that cannot be decided now. Its journal entry stays, and binds its tender. */
export function outcomeUnknown(failed: Snapshot, parts: OrderRun, { key, why, cause }: LostEntry): OutcomeUnknownError {
  const { orderId, record, reading } = failed;
  const { firstSentAt, method, cents } = entryOf(record, key) ?? {};
  const message =
    `It is not known whether a payment of order ${orderId} (${method}, ${cents} cents) was executed. ${WHYS[why] ?? ''} ` +
    'Do not pay again with a new key: call settle again with the same tenders, or resolve() of this error; both read ' +
    `the order before they repeat anything. ${waysOut(key)}`;
  const startedAtMs = firstSentAt ? (firstSentAt.serviceMs ?? firstSentAt.localMs) : undefined;
  const facts = {
    method: 'POST',
    path: '/orders/{order_id}/payments',
    attempts: cause instanceof CallError ? cause.attempts : 0,
    idempotencyKey: key,
    replayableUntil: startedAtMs === undefined ? undefined : new Date(replayableUntil(startedAtMs)),
    orderId,
    settlement: settlementFacts(record, reading?.order),
    resolve: singleFlight<ResolveOptions, Resolution>(
      (options) => resolveEntry(failed, parts, key, options),
      (reason) => ({ outcome: 'unknown', cause: reason }),
    ),
  };
  return new OutcomeUnknownError(message, facts, { cause: sentErrorOf(cause) });
}

/**
 * `resolve` of the error of a settlement: the same protocol as in `settle`, for one entry, under the same lock, and
 * with its outcome in the journal.
 */
async function resolveEntry(
  failed: Snapshot,
  parts: OrderRun,
  key: string,
  { replay = true, signal, deadline }: ResolveOptions = {},
): Promise<Resolution> {
  const time = { signal, deadline } as TimeLimitOptions;
  let order: Order | undefined;
  try {
    return await withRun({ ...parts, sends: replay, only: key, onDeclined: undefined, time }, async (run) => {
      await run.note({ found: { tenders: failed.tenders, bodies: failed.bodies } });
      try {
        await toItsEnd(run);
      } finally {
        order = run.known().reading?.order;
      }
      return resolutionOf(run.known(), key);
    });
  } catch (error) {
    return {
      outcome: 'unknown',
      ...(order ? { order } : {}),
      cause: error instanceof LeftUnknown ? failed.failure : error,
    };
  }
}

/** Another call may have decided the entry in the meantime. */
function resolutionOf({ record: held, reading, payments, errors, failure }: Snapshot, key: string): Resolution {
  const order = reading?.order;
  const { state, paymentId } = entryOf(held, key) ?? {};
  if (!order) return { outcome: 'unknown', cause: failure };
  if (state === 'REFUSED' || state === 'PLANNED' || state === undefined) {
    const cause = errors.get(key);
    return { outcome: 'not_applied', order, ...(cause ? { cause } : {}) };
  }
  const record = order.payments?.find(({ id }) => id === paymentId) ?? payments.get(key);
  return record && paymentId !== null
    ? { outcome: 'applied', record, order }
    : { outcome: 'unknown', order, ...(failure === undefined ? {} : { cause: failure }) };
}
