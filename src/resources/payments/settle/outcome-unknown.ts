import type { Order } from '../../../contract/index.js';
import { CallError } from '../../../errors/call.js';
import { OutcomeUnknownError, type Resolution, type ResolveOptions } from '../../../errors/payment.js';
import { replayableUntil } from '../../../http/response/replay-window.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import { entryOf } from '../journal/journal-runs.js';
import { singleFlight } from '../single-flight.js';
import { LeftUnknown, type OrderRun, toItsEnd, withRun } from './order-run.js';
import { waysOut } from './refusals.js';
import type { SettlementRun } from './run.js';
import { settlementFacts } from './settlement.js';
import { sentErrorOf } from './steps.js';

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
export function outcomeUnknown(
  run: SettlementRun,
  parts: OrderRun,
  { key, why, cause }: LostEntry,
): OutcomeUnknownError {
  const { orderId, record, order } = run;
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
    settlement: settlementFacts(record, order),
    resolve: singleFlight<ResolveOptions, Resolution>(
      (options) => resolveEntry(run, parts, key, options),
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
  failed: SettlementRun,
  parts: OrderRun,
  key: string,
  { replay = true, signal, deadline }: ResolveOptions = {},
): Promise<Resolution> {
  const time = { signal, deadline } as TimeLimitOptions;
  let order: Order | undefined;
  try {
    return await withRun({ ...parts, sends: replay, only: key, onDeclined: undefined, time }, async (run) => {
      for (const [tenderKey, tender] of failed.tenders) run.tenders.set(tenderKey, tender);
      const body = failed.bodies.get(key);
      if (body) run.bodies.set(key, body);
      try {
        await toItsEnd(run);
      } finally {
        order = run.order;
      }
      return resolutionOf(run, key);
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
function resolutionOf(run: SettlementRun, key: string): Resolution {
  const { order, payments, failure } = run;
  const { state, paymentId } = entryOf(run.record, key) ?? {};
  if (!order) return { outcome: 'unknown', cause: failure };
  if (state === 'REFUSED' || state === 'PLANNED' || state === undefined) {
    const cause = run.errors.get(key);
    return { outcome: 'not_applied', order, ...(cause ? { cause } : {}) };
  }
  const record = order.payments?.find(({ id }) => id === paymentId) ?? payments.get(key);
  return record && paymentId !== null
    ? { outcome: 'applied', record, order }
    : { outcome: 'unknown', order, ...(failure === undefined ? {} : { cause: failure }) };
}
