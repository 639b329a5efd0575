import type { Order, Payment } from '../../../contract/index.js';
import { APIError, AuthenticationError, RateLimitError, UnprocessableEntityError } from '../../../errors/api.js';
import { OutcomeUnknownError } from '../../../errors/payment.js';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from '../../../http/steps/backoff.js';
import { isTransient } from '../../is-transient.js';
import { baselineOf, centsOf } from '../amounts.js';
import { allEntries, currentRun, entryOf, updateEntry, updateRun, withRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { NotSentError, proofOf } from '../lost-answer.js';
import { seenPayment, standingOf } from '../matching.js';
import { bodyOf } from './ask.js';
import { expectedPayment } from './entry-payment.js';
import type { Step } from './next-step.js';
import { refusalError, refusals } from './refusals.js';
import type { SendingBefore, SettlementRun } from './run.js';
import { inSubmissionOrder, newEntry } from './tenders.js';

/** A payment record is the outcome of the entry: notes how it stands. */
export async function adopt(run: SettlementRun, key: string, payment: Payment): Promise<void> {
  const entry = entryOf(run.record, key);
  run.payments.set(key, payment);
  switch (standingOf(payment, run.context.rules.isFinal)) {
    case 'paid':
      return run.writeEntry(key, {
        state: 'DONE',
        inDoubt: 0,
        paymentId: payment.id,
        chargedCents: takenCents(payment, entry),
      });
    case 'failed':
      // The service answered a repetition with the failed payment that it keeps under the key.
      if (entry?.baseline?.paymentIds.includes(payment.id)) run.exhausted.add(key);
      return decline(run, key, payment);
    case 'under_way':
      if (entry?.paymentId !== payment.id) await run.writeEntry(key, { state: 'SENT', paymentId: payment.id });
  }
}

/**
 * What a payment took of the order: what was asked, or what its record shows where that is less. A record that shows
 * more (a surcharge of the card, gap PAY-4) pays no more of the order.
 */
function takenCents(payment: Payment, entry: PaymentEntry | undefined): number {
  const shown = centsOf(payment.amount);
  const asked = entry?.cents ?? undefined;
  return shown === undefined || asked === undefined ? (shown ?? asked ?? 0) : Math.min(shown, asked);
}

/** No sending of the key moved money. */
export async function decline(run: SettlementRun, key: string, payment?: Payment): Promise<void> {
  const declines = (entryOf(run.record, key)?.declines ?? 0) + 1;
  const reason = payment?.failure_reason ?? run.errors.get(key)?.scenario;
  if (reason) run.reasons.set(key, reason);
  await run.writeEntry(key, {
    state: 'REFUSED',
    inDoubt: 0,
    lateRefusal: null,
    paymentId: payment?.id ?? null,
    declines,
  });
  if (run.sends) run.declined = [...run.declined, key];
}

/** Writes down what is to be sent; what an earlier call planned and never sent gives way to it. */
export async function plan(run: SettlementRun): Promise<void> {
  const { newKey, clock } = run.context;
  const entries = inSubmissionOrder(run.unsent).map((tender) => {
    const entry = newEntry(newKey(), tender);
    run.tenders.set(entry.key, tender);
    return entry;
  });
  const isStale = (entry: PaymentEntry): boolean => entry.state === 'PLANNED' && !run.tenders.has(entry.key);
  await run.write((record) => {
    const runs = record.runs.map((one) => ({ ...one, entries: one.entries.filter((entry) => !isStale(entry)) }));
    const cleared = { ...record, runs, orderCreatedAt: run.order?.created_at ?? null };
    const open = currentRun(cleared);
    if (open && !open.ended) return updateRun(cleared, { entries: [...open.entries, ...entries] });
    return withRun(cleared, { id: newKey(), openedAtMs: clock.now(), ended: false, cancelKey: null, entries });
  });
  run.unsent = [];
}

/** Others pay the whole balance: nothing remains for a tender that takes what remains. */
export function leaveOut(run: SettlementRun, key: string): Promise<void> {
  return run.write((record) =>
    updateRun(record, { entries: currentRun(record)?.entries.filter((entry) => entry.key !== key) ?? [] }),
  );
}

/**
 * Cancels the order; the service voids or refunds what was paid. The key is durable first, so that a run that ends here,
 * for whatever reason, is ended by the same cancel.
 *
 * @throws {ConflictError} The store has begun to prepare the order; what was paid stays paid.
 */
export async function cancel(run: SettlementRun, key: string | null): Promise<void> {
  const { api, newKey } = run.context;
  const idempotencyKey = key ?? newKey();
  if (key === null) await run.write((record) => updateRun(record, { cancelKey: idempotencyKey }));
  run.event();
  try {
    run.shown(await api.cancel(run.orderId, { ...run.limit.forCall(), idempotencyKey }));
  } catch (error) {
    run.limit.signal.throwIfAborted();
    // The response may be lost, and the order cancelled; if not, the next call of settle cancels with the same key.
    await run.read({ what: 'cancel', afterMs: 0, toleratesFailure: true });
    if (run.order?.status === 'CANCELLED') return;
    const isRefused = error instanceof APIError && error.outcome === 'refused' && !isTransient(error);
    if (isRefused) await run.write((record) => updateRun(record, { cancelKey: null }));
    throw error;
  }
}

/** Sends an entry: the journal first, then one attempt, then what it proves. */
export async function send(run: SettlementRun, { key, cents }: Extract<Step, { kind: 'send' }>): Promise<void> {
  const entry = entryOf(run.record, key);
  if (!entry || !run.order) throw new Error('An entry that is not in the journal was to be sent.');
  const { body, digest } = await bodyOf(run, entry, cents);
  const before = run.sendingOf(key);
  const now = run.time.now();
  // After this, whoever reads the journal knows that the request may have left, and everything to find it again.
  await run.writeEntry(key, {
    state: 'SENT',
    cents,
    bodyDigest: digest,
    sendings: entry.sendings + 1,
    inDoubt: entry.inDoubt + 1,
    // A key that was declined keeps its age: it is repeated within 24 hours of its first sending only.
    firstSentAt: entry.firstSentAt ?? now,
    lastSentAt: now,
    endedAt: null,
    lateRefusal: null,
    baseline: baselineOf(run.order),
    paymentId: null,
    chargedCents: null,
  });
  run.retried = undefined;
  const check = (): void => {
    if (!run.book.mayStillSend()) throw new NotSentError('lease');
    if (entry.sendings > 0 && run.isTooOld(entry)) throw new NotSentError('key_too_old');
  };
  try {
    await understand(run, key, await run.pay(key, body, check));
  } catch (error) {
    await afterFailure(run, { entry, before, error: sentErrorOf(error) });
  }
}

/** An order in place of the payment is searched; a response that shows no payment proves nothing (gap PAY-2). */
async function understand(run: SettlementRun, key: string, answer: Payment | Order): Promise<void> {
  if ('payments' in answer && Array.isArray(answer.payments)) {
    run.shown(answer as Order);
    const entry = entryOf(run.record, key);
    const { skewMs } = entry ? run.knowledgeOf(entry) : {};
    const expected = entry && expectedPayment(run.record, entry, answer as Order, { ...run.context.rules, skewMs });
    const payment = expected && seenPayment(answer as Order, expected).record;
    if (payment) return adopt(run, key, payment);
  }
  const payment = answer as Partial<Payment> | null | undefined;
  const isRecord = typeof payment?.id === 'string' && typeof payment.status === 'string';
  if (isRecord && !('payments' in answer)) return adopt(run, key, answer as Payment);
  run.failure = new Error('The response shows no payment.');
}

interface Failed {
  /** The entry before the sending. */
  readonly entry: PaymentEntry;
  readonly before: SendingBefore;
  readonly error: unknown;
}

/** Rules 3 and 4: what a sending without a payment proves. */
async function afterFailure(run: SettlementRun, { entry, before, error }: Failed): Promise<void> {
  const { key } = entry;
  const proof = proofOf(error);
  switch (proof.kind) {
    case 'not_executed':
      run.notExecuted(key, before);
      await takeBack(run, entry);
      run.limit.signal.throwIfAborted();
      return tryAgainLater(run, key, error);
    case 'refused':
      if (error instanceof APIError) run.errors.set(key, error);
      if (entry.inDoubt > 0) {
        run.failure = error;
        return run.writeEntry(key, { inDoubt: entry.inDoubt, lateRefusal: proof.lateRefusal });
      }
      if (error instanceof UnprocessableEntityError) return decline(run, key);
      await takeBack(run, entry);
      throw error;
    case 'unknown':
      run.failure = error;
      if (!proof.hasEnded) return;
      run.ended(key);
      await run.writeEntry(key, { endedAt: run.time.now() });
  }
}

/** What lost the response, rather than the error that says so. */
export function sentErrorOf(error: unknown): unknown {
  if (error instanceof OutcomeUnknownError && error.cause !== undefined) return error.cause;
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof NotSentError ? cause : error;
}

/** This sending was not executed: the entry is as it was before it. Its amount and its bytes stay fixed. */
async function takeBack(run: SettlementRun, before: PaymentEntry): Promise<void> {
  const { state, inDoubt, firstSentAt, lastSentAt, endedAt, lateRefusal, baseline, paymentId, chargedCents } = before;
  const facts = { state, inDoubt, firstSentAt, lastSentAt, endedAt, lateRefusal, baseline, paymentId, chargedCents };
  await run.write((record) => updateEntry(record, before.key, facts));
  if (state === 'REFUSED') run.retried = before.key;
}

/** Sendings in a row that came too late for the lease: a journal, or a machine, that is far too slow. */
const MOST_LATE = 10;

/** Rule 2: the wait before the next attempt is the run's, between two steps. */
function tryAgainLater(run: SettlementRun, key: string, error: unknown): void {
  const { maxRetries, maxWait, random } = run.context;
  const times = run.countNotExecuted(key);
  if (error instanceof NotSentError && error.reason === 'lease') {
    if (times < MOST_LATE) return;
    throw refusalError(run.orderId, refusals.tooSlow(run.orderId));
  }
  // What is too old to be sent is looked for: the next step sees its age.
  if (error instanceof NotSentError) return;
  const isWorthIt = isTransient(error) || (error instanceof AuthenticationError && times === 0);
  if (!isWorthIt || times >= maxRetries) throw error;
  const waitMs = waitBefore(error, times, random, maxWait);
  if (waitMs > maxWait || waitMs >= run.limit.leftMs()) throw error;
  run.pause(waitMs);
}

function waitBefore(error: unknown, times: number, random: () => number, maxWait: number): number {
  if (error instanceof AuthenticationError) return 0;
  const asked = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
  if (asked === undefined) return backoffMs(times, random());
  const waitMs = waitAfter429Ms(asked, times);
  return waitMs + jitterAfter429Ms(random(), maxWait - waitMs);
}

/** A run whose payments are decided ends; one with a payment under way goes on with the next call. */
export async function endRun(run: SettlementRun): Promise<void> {
  const { record } = run;
  if (!run.sends || currentRun(record)?.ended !== false) return;
  if (allEntries(record).some(({ state }) => state === 'SENT' || state === 'UNKNOWN')) return;
  await run.write((held) => updateRun(held, { ended: true }));
}
