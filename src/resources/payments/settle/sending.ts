import type { Order, Payment } from '../../../contract/index.js';
import { APIError, AuthenticationError, RateLimitError, UnprocessableEntityError } from '../../../errors/api.js';
import { OutcomeUnknownError } from '../../../errors/payment.js';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from '../../../http/steps/backoff.js';
import { isTransient } from '../../is-transient.js';
import { baselineOf } from '../amounts.js';
import { entryOf, updateEntry } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { NotSentError, proofOf } from '../lost-response.js';
import { seenPayment } from '../matching.js';
import { adopted, declined } from './change.js';
import type { SettleContext } from './context.js';
import { expectedPayment } from './entry-payment.js';
import type { Change, SentBody, Snapshot } from './known.js';
import { refusalError, refusals } from './refusals.js';

/**
 * Rule 1: what the journal says before a request leaves. Whoever reads it knows that the request may have left, and
 * everything to find it again.
 */
export function beforeSending(
  { reading, now }: Snapshot,
  { key, sendings, inDoubt, firstSentAt }: PaymentEntry,
  { cents, digest }: Pick<SentBody, 'digest'> & { readonly cents: number },
): Change {
  if (!reading) throw new Error('A payment was to be sent for an order that was not read.');
  const baseline = baselineOf(reading.order);
  return {
    found: { retried: undefined },
    record: (record) =>
      updateEntry(record, key, {
        state: 'SENT',
        cents,
        bodyDigest: digest,
        sendings: sendings + 1,
        inDoubt: inDoubt + 1,
        // A key that was declined keeps its age: it is repeated within 24 hours of its first sending only.
        firstSentAt: firstSentAt ?? now,
        lastSentAt: now,
        endedAt: null,
        lateRefusal: null,
        baseline,
        paymentId: null,
        chargedCents: null,
      }),
  };
}

/** An order in place of the payment is searched; a response that shows no payment proves nothing (gap PAY-2). */
export function afterResponse(known: Snapshot, key: string, response: Payment | Order): Change {
  if ('payments' in response && Array.isArray(response.payments)) {
    const order = response as Order;
    const payment = paymentIn(order, known, key);
    const change = payment ? adopted(known, key, payment) : showsNoPayment();
    return { ...change, order };
  }
  const payment = response as Partial<Payment> | null | undefined;
  const isRecord = typeof payment?.id === 'string' && typeof payment.status === 'string';
  if (isRecord && !('payments' in response)) return adopted(known, key, response as Payment);
  return showsNoPayment();
}

function paymentIn(order: Order, { record, rules, about }: Snapshot, key: string): Payment | undefined {
  const entry = entryOf(record, key);
  const expected = entry && expectedPayment(record, entry, order, { ...rules, skewMs: about(entry).skewMs });
  return expected && seenPayment(order, expected).record;
}

function showsNoPayment(): Change {
  return { found: { failure: new Error('The response shows no payment.') } };
}

/** A sending that gave no payment. */
export interface FailedSending {
  /** The entry before the sending. */
  readonly before: PaymentEntry;
  readonly error: unknown;
  /** How often this key was sent before in this call without being executed. */
  readonly timesNotExecuted: number;
  /** What is left of the deadline, in milliseconds. */
  readonly leftMs: number;
}

/** Rules 3 and 4: what a sending without a payment proves. */
export function afterFailure(known: Snapshot, failed: FailedSending): Change {
  const { before, error } = failed;
  const { key } = before;
  const proof = proofOf(error);
  switch (proof.kind) {
    case 'not_executed':
      return { ...takenBack(before), sending: { key, was: 'not_executed' }, ...nextAttempt(known, failed) };
    case 'refused': {
      const errors = error instanceof APIError ? new Map([...known.errors, [key, error]]) : known.errors;
      if (before.inDoubt > 0) {
        const facts = { inDoubt: before.inDoubt, lateRefusal: proof.lateRefusal };
        return { found: { errors, failure: error }, record: (record) => updateEntry(record, key, facts) };
      }
      if (error instanceof UnprocessableEntityError) {
        const change = declined({ ...known, errors }, key);
        return { ...change, found: { ...change.found, errors } };
      }
      const back = takenBack(before);
      return { ...back, found: { ...back.found, errors }, error };
    }
    case 'unknown': {
      const found = { failure: error };
      if (!proof.hasEnded) return { found };
      const endedAt = known.now;
      return { found, sending: { key, was: 'ended' }, record: (record) => updateEntry(record, key, { endedAt }) };
    }
  }
}

/** This sending was not executed: the entry is as it was before it. Its amount and its bytes stay fixed. */
function takenBack(before: PaymentEntry): Change {
  const { state, inDoubt, firstSentAt, lastSentAt, endedAt, lateRefusal, baseline, paymentId, chargedCents } = before;
  const facts = { state, inDoubt, firstSentAt, lastSentAt, endedAt, lateRefusal, baseline, paymentId, chargedCents };
  return {
    found: state === 'REFUSED' ? { retried: before.key } : {},
    record: (record) => updateEntry(record, before.key, facts),
  };
}

/** Sendings in a row that came too late for the lease: a journal, or a machine, that is far too slow. */
const MOST_LATE = 10;

/** Rule 2: the wait before the next attempt is the run's, between two steps. */
function nextAttempt({ orderId, context }: Snapshot, { error, timesNotExecuted, leftMs }: FailedSending): Change {
  if (error instanceof NotSentError && error.reason === 'lease') {
    return timesNotExecuted < MOST_LATE ? {} : { error: refusalError(refusals.tooSlow(orderId)) };
  }
  // What is too old to be sent is looked for: the next step sees its age.
  if (error instanceof NotSentError) return {};
  const { maxRetries, maxWait } = context;
  const isWorthIt = isTransient(error) || (error instanceof AuthenticationError && timesNotExecuted === 0);
  if (!isWorthIt || timesNotExecuted >= maxRetries) return { error };
  const waitMs = waitBefore(error, timesNotExecuted, context);
  return waitMs > maxWait || waitMs >= leftMs ? { error } : { pauseMs: waitMs };
}

function waitBefore(error: unknown, times: number, { random, maxWait }: SettleContext): number {
  if (error instanceof AuthenticationError) return 0;
  const asked = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
  if (asked === undefined) return backoffMs(times, random());
  const waitMs = waitAfter429Ms(asked, times);
  return waitMs + jitterAfter429Ms(random(), maxWait - waitMs);
}

/** What lost the response, rather than the error that says so. */
export function sentErrorOf(error: unknown): unknown {
  if (error instanceof OutcomeUnknownError && error.cause !== undefined) return error.cause;
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof NotSentError ? cause : error;
}
