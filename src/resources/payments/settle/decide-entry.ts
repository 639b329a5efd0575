import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import type { UnprocessableEntityError } from '../../../errors/api.js';
import { sleep } from '../../../platform/clock.js';
import { isTransient } from '../../is-transient.js';
import { pollUntil } from '../../orders/polling.js';
import { centsOf } from '../amounts.js';
import { entryOf, updateEntry } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { standingOf } from '../matching.js';
import { attempt } from './attempt.js';
import { findEntryPayment } from './find-entry-payment.js';
import { repeatedBody } from './repeated-body.js';
import { isYoungEnough, readOrder, type Work } from './work.js';

/** What became of an entry that was sent. */
export type EntryEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'declined'; readonly error: UnprocessableEntityError | null; readonly payment: Payment | null }
  /** The service has it, and has not finished with it. */
  | { readonly kind: 'processing' }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** How often a request is repeated within one call. */
const MOST_REPEATS = 4;

/** Sends an entry that was just written down, and finds out what became of it. */
export async function sendEntry(work: Work, key: string, body: PaymentRequest): Promise<EntryEnd> {
  const result = await attempt(work, key, body);
  switch (result.kind) {
    case 'answered':
      return adopt(work, key, result.payment);
    case 'declined':
      return declined(work, key, { error: result.error, payment: null });
    case 'not_executed':
      await takeBack(work, key);
      throw result.error;
    case 'unknown':
      return decideEntry(work, key, { cause: result.cause });
  }
}

/**
 * Finds out what became of an entry whose answer was lost: reads the order, adopts the payment if it is there, and
 * repeats the same key and bytes only if it is not (reliability rules, "The payment protocol" 3 to 5).
 */
export async function decideEntry(work: Work, key: string, { cause }: { cause?: unknown } = {}): Promise<EntryEnd> {
  // The service has it, and said so: it is followed, and never repeated, also when a reading does not show it.
  if (typeof entryOf(work.book.record, key)?.paymentId === 'string') return follow(work, key, { waitFirst: false });

  let latest = cause;
  for (let repeats = 0; ; repeats += 1) {
    const found = await lookUp(work, key, { waitFirst: latest !== undefined }).catch((error: unknown) => {
      latest = error;
      return 'unreadable' as const;
    });
    if (found === 'unreadable') return leaveUnknown(work, key, latest);
    if (found) return adopt(work, key, found);
    // A cancelled order executes no payment, and one that it had would be shown.
    if (work.order?.status === 'CANCELLED') return declined(work, key, { error: null, payment: null });
    // An order that lists no payments at all proves nothing of this one.
    if (!Array.isArray(work.order?.payments)) return leaveUnknown(work, key, latest);
    if (repeats >= MOST_REPEATS || !mayRepeat(work, key)) return leaveUnknown(work, key, latest);

    const body = await repeatedBody(work, key);
    const result = await repeat(work, key, body);
    if (result.kind === 'decided') return result.end;
    latest = result.cause;
  }
}

type Repeat = { readonly kind: 'decided'; readonly end: EntryEnd } | { readonly kind: 'open'; readonly cause: unknown };

async function repeat(work: Work, key: string, body: PaymentRequest): Promise<Repeat> {
  const result = await attempt(work, key, body);
  if (result.kind === 'answered') return { kind: 'decided', end: await adopt(work, key, result.payment) };
  if (result.kind === 'unknown')
    return { kind: 'open', cause: result.cause ?? new Error('The answer shows no payment.') };
  if (result.kind === 'not_executed') {
    if (isTransient(result.error)) return { kind: 'open', cause: result.error };
    return { kind: 'decided', end: await leaveUnknown(work, key, result.error) };
  }
  // The repetition was refused; the first request may have been executed all the same, so the order is read again.
  try {
    const found = await lookUp(work, key, { waitFirst: true });
    if (found && standingOf(found) !== 'failed') return { kind: 'decided', end: await adopt(work, key, found) };
    const end = await declined(work, key, { error: result.error, payment: found ?? null });
    return { kind: 'decided', end };
  } catch (error) {
    return { kind: 'decided', end: await leaveUnknown(work, key, error) };
  }
}

function mayRepeat(work: Work, key: string): boolean {
  const entry = entryOf(work.book.record, key);
  return work.mayRepeat && entry !== undefined && isYoungEnough(work, entry);
}

/**
 * Reads the order until it shows the payment, three times at most: a reading may lag behind a payment.
 *
 * @throws When the order could not be read even once.
 */
async function lookUp(work: Work, key: string, { waitFirst }: { waitFirst: boolean }): Promise<Payment | undefined> {
  const { initialDelayMs } = work.polling;
  const delaysMs = [waitFirst ? initialDelayMs / 4 : 0, initialDelayMs / 2, initialDelayMs];
  let failure: unknown;
  let wasRead = false;
  for (const delayMs of delaysMs) {
    await sleep(work.context.clock, delayMs, work.limit.signal);
    try {
      const found = paymentOf(work, key, await readOrder(work));
      wasRead = true;
      if (found) return found;
    } catch (error) {
      if (!isTransient(error)) throw error;
      failure = error;
    }
  }
  if (!wasRead) throw failure;
  return undefined;
}

function paymentOf(work: Work, key: string, order: Order): Payment | undefined {
  const { record } = work.book;
  const entry = entryOf(record, key);
  return entry && findEntryPayment(order, record, { entry, matches: work.context.overrides.matches });
}

/** Takes a payment record as the outcome of the entry, and follows it to its end. */
export async function adopt(work: Work, key: string, payment: Payment): Promise<EntryEnd> {
  work.payments.set(key, payment);
  const entry = entryOf(work.book.record, key);
  switch (standingOf(payment)) {
    case 'paid':
      await change(work, key, {
        state: 'DONE',
        paymentId: payment.id,
        chargedCents: centsOf(payment.amount) ?? entry?.cents ?? 0,
      });
      return { kind: 'done' };
    case 'failed':
      // The service answered a repetition with the failed payment that it keeps under the key.
      if (entry?.paymentsBefore.includes(payment.id)) work.exhausted.add(key);
      return declined(work, key, { error: null, payment });
    case 'under_way':
      if (entry?.paymentId !== payment.id) await change(work, key, { state: 'SENT', paymentId: payment.id });
      return follow(work, key, { waitFirst: true });
  }
}

/** Reads the order until the payment is COMPLETED or FAILED (interface document, "Payment rules" 3 and 5). */
async function follow(work: Work, key: string, { waitFirst }: { waitFirst: boolean }): Promise<EntryEnd> {
  const { context, polling, limit } = work;
  const read = async (): Promise<Payment | undefined> => {
    try {
      const payment = paymentOf(work, key, await readOrder(work));
      return payment && standingOf(payment) !== 'under_way' ? payment : undefined;
    } catch (error) {
      if (isTransient(error)) return undefined;
      throw error;
    }
  };
  if (waitFirst) await sleep(context.clock, Math.min(polling.initialDelayMs, polling.maxWaitMs), limit.signal);
  const ended = await pollUntil({ clock: context.clock, polling, signal: limit.signal, read });
  return ended ? adopt(work, key, ended) : { kind: 'processing' };
}

async function declined(
  work: Work,
  key: string,
  { error, payment }: { error: UnprocessableEntityError | null; payment: Payment | null },
): Promise<EntryEnd> {
  const declines = (entryOf(work.book.record, key)?.declines ?? 0) + 1;
  const reason = payment?.failure_reason ?? error?.scenario;
  if (reason) work.reasons.set(key, reason);
  await change(work, key, { state: 'REFUSED', paymentId: payment?.id ?? null, declines });
  return { kind: 'declined', error, payment };
}

async function leaveUnknown(work: Work, key: string, cause: unknown): Promise<EntryEnd> {
  await change(work, key, { state: 'UNKNOWN' });
  return { kind: 'unknown', cause };
}

/** Nothing was executed: the entry is as if it had not been sent. A decline before it stays what it was. */
async function takeBack(work: Work, key: string): Promise<void> {
  const wasDeclined = (entryOf(work.book.record, key)?.declines ?? 0) > 0;
  await change(work, key, { state: wasDeclined ? 'REFUSED' : 'PLANNED' });
}

export function change(work: Work, key: string, entry: Partial<PaymentEntry>): Promise<void> {
  return work.book.write((record) => updateEntry(record, key, entry));
}
