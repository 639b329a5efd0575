import type { PaymentRequest } from '../../../contract/index.js';
import { ConfigurationError } from '../../../errors/local.js';
import { amountsOf, chargeableCents } from '../amounts.js';
import { addReplacement, allEntries, currentRun, entryOf } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { paymentBody, type Tender } from '../tender-body.js';
import {
  checkedAnswer,
  type Decline,
  type DeclineAnswer,
  MOST_REPLACEMENTS,
  MOST_RETRIES,
  retryPauseMs,
} from './decline.js';
import { failedPayment } from './entry-payment.js';
import { tendersDoNotFit } from './next-step.js';
import { refusalError, refusals } from './refusals.js';
import type { SentBody, SettlementRun } from './run.js';
import { goneCents } from './settlement.js';
import { checkTender, type DigestedTender, lastSent, newEntry } from './tenders.js';

/** Asks the handler about a declined entry, and does what it answers. */
export async function ask(run: SettlementRun, key: string): Promise<void> {
  run.declined = run.declined.filter((one) => one !== key);
  const first = entryOf(run.record, key);
  if (!first) return;
  // A handler that answers differently now is asked about the first tender of the chain.
  const last = lastSent(run.record, first);
  const entry = last.state === 'REFUSED' && (await tenderOf(run, last)) ? last : first;
  await takeFailedRecord(run, entry);
  const answer = await answerOf(run, entry);
  switch (answer) {
    case undefined:
    case 'stop':
      run.isStopped = true;
      return;
    case 'cancel_order':
      run.isCancelled = true;
      return;
    case 'retry':
      if (!isRetryable(run, entry)) {
        run.isStopped = true;
        return;
      }
      run.retried = entry.key;
      run.pause(retryPauseMs(entry.declines));
      return;
    default:
      return replace(run, entry, answer);
  }
}

/** The response of a decline names no record; the order may show one (gap PAY-7). */
async function takeFailedRecord(run: SettlementRun, entry: PaymentEntry): Promise<void> {
  if (entry.paymentId !== null || !run.order) return;
  const { skewMs } = run.knowledgeOf(entry);
  const payment = failedPayment(run.record, entry, run.order, { ...run.context.rules, skewMs });
  if (!payment) return;
  run.payments.set(entry.key, payment);
  await run.writeEntry(entry.key, { paymentId: payment.id });
}

/** The handler's answer; `undefined` without a handler, or without the tender that it is to be asked about. */
async function answerOf(run: SettlementRun, entry: PaymentEntry): Promise<DeclineAnswer | undefined> {
  const { onDeclined } = run;
  const offered = onDeclined && (await tenderOf(run, entry));
  if (!onDeclined || !offered) return undefined;
  const decline = { ...declineOf(run, entry), tender: offered.given };
  const answer = await run.limit.ask(() => onDeclined(decline));
  // Meanwhile the order may have changed.
  run.event();
  return checkedAnswer(answer);
}

function declineOf(run: SettlementRun, entry: PaymentEntry): Omit<Decline, 'tender'> {
  const { orderId, order, record } = run;
  const amounts = order && amountsOf(order);
  const currency = amounts?.currency ?? 'USD';
  return {
    orderId,
    amount: { amount: entry.cents ?? 0, currency },
    idempotencyKey: entry.key,
    attempt: entry.declines,
    retryable: isRetryable(run, entry),
    payment: run.payments.get(entry.key) ?? null,
    error: run.errors.get(entry.key) ?? null,
    amountPaid: { amount: amounts?.paidCents ?? 0, currency },
    balanceDue: { amount: amounts ? chargeableCents(amounts, record, order && goneCents(record, order)) : 0, currency },
  };
}

function isRetryable(run: SettlementRun, entry: PaymentEntry): boolean {
  return !run.exhausted.has(entry.key) && entry.declines <= MOST_RETRIES && !run.isTooOld(entry);
}

/** Another tender takes the place of the declined one: checked like the first ones, under a key of its own. */
async function replace(run: SettlementRun, declined: PaymentEntry, answer: Tender): Promise<void> {
  const { orderId, record, order } = run;
  const offered = checkTender(answer, 'onDeclined');
  const amounts = order && amountsOf(order);
  if (!amounts) throw refusalError(orderId, refusals.amountsUnreadable(orderId));
  if (offered.currency !== undefined && offered.currency !== amounts.currency) {
    throw refusalError(orderId, refusals.currencyDiffers(orderId, offered.currency, amounts.currency));
  }
  if (allEntries(record).filter(({ replaces }) => replaces !== null).length >= MOST_REPLACEMENTS) {
    throw refusalError(orderId, refusals.tooManyReplacements(orderId, MOST_REPLACEMENTS));
  }
  const tender = await run.digested(offered);
  const planned = newEntry(run.context.newKey(), tender, declined.key);
  const others = (currentRun(record)?.entries ?? []).filter(
    ({ state, key }) => state === 'PLANNED' && run.tenders.has(key),
  );
  const known = { orderId, record, order, amounts, goneCents: goneCents(record, order) };
  const misfit = tendersDoNotFit(known, [planned, ...others]);
  if (misfit?.kind === 'refuse') throw refusalError(orderId, misfit.refusal);
  await run.write((held) => addReplacement(held, planned));
  run.tenders.set(planned.key, tender);
}

/** The tender of an entry, from this call or from its handler. */
export async function tenderOf(run: SettlementRun, entry: PaymentEntry): Promise<DigestedTender | undefined> {
  const known = run.tenders.get(entry.key) ?? (await tenderFromHandler(run, entry));
  if (known) run.tenders.set(entry.key, known);
  return known;
}

/**
 * The tender of an undecided replacement. It was given by the handler of a process that died, so the handler of this
 * one is asked about the same decline again; another answer than then gives nothing.
 */
async function tenderFromHandler(run: SettlementRun, entry: PaymentEntry): Promise<DigestedTender | undefined> {
  const replaced = entry.replaces === null ? undefined : entryOf(run.record, entry.replaces);
  const answer = replaced && (await answerOf(run, replaced));
  if (answer === undefined || typeof answer === 'string') return undefined;
  const offered = await run.digested(checkTender(answer, 'onDeclined'));
  if (offered.amount !== entry.amount || offered.method !== entry.method) return undefined;
  return (await offered.matches(entry.digest)) === 'same' ? offered : undefined;
}

/**
 * The body of an entry: of one that goes out again the same bytes as before.
 *
 * @throws {PaymentStateError} The call brought another tender than the one that was sent, or none.
 */
export async function bodyOf(run: SettlementRun, entry: PaymentEntry, cents: number): Promise<SentBody> {
  const { orderId, bodies, context } = run;
  const sent = bodies.get(entry.key);
  if (sent) return sent;
  const offered = await tenderOf(run, entry);
  if (!offered) throw refusalError(orderId, refusals.tenderDiffers(orderId, entry));
  const body = written(() => paymentBody(offered.tender, cents, context.rules));
  const hasLeft = entry.sendings > 0 && entry.bodyDigest !== null;
  if (hasLeft && (await offered.matchesBody(entry.bodyDigest ?? '', body)) !== 'same') {
    throw refusalError(orderId, refusals.bodyDiffers(orderId, entry));
  }
  const made = { body, digest: hasLeft ? (entry.bodyDigest ?? '') : await offered.ofBody(body) };
  bodies.set(entry.key, made);
  return made;
}

/** An error of the caller's function is named as what it is. */
function written(write: () => PaymentRequest): PaymentRequest {
  try {
    const body = write();
    // What cannot be sent is refused before its key is written down.
    if (JSON.stringify(body) !== undefined) return body;
  } catch (cause) {
    throw new ConfigurationError('payments.toRequest failed (see the cause). This tender was not sent.', { cause });
  }
  throw new ConfigurationError('payments.toRequest gave no object. This tender was not sent.');
}
