import type { PaymentRequest } from '../../../contract/index.js';
import { ConfigurationError } from '../../../errors/local.js';
import { amountsOf, chargeableCents } from '../amounts.js';
import { addReplacement, allEntries, currentRun, entryOf, updateEntry } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { paymentBody } from '../tender-body.js';
import { type Decline, type DeclineAnswer, MOST_REPLACEMENTS, MOST_RETRIES, retryPauseMs } from './decline.js';
import { failedPayment } from './entry-payment.js';
import type { Change, SentBody, Snapshot } from './known.js';
import { tendersDoNotFit } from './next-step.js';
import { refusalError, refusals } from './refusals.js';
import { goneCents } from './settlement.js';
import { type DigestedTender, lastSent, newEntry } from './tenders.js';

/** What a handler gives back: a tender is checked, copied and digested by then. */
export type GivenAnswer = Extract<DeclineAnswer, string> | DigestedTender;

/** What asking needs of a run. */
export interface Handler {
  known(): Snapshot;
  /** Notes what was found on the way. */
  note(change: Change): Promise<void>;
  /** Asks the handler of the caller. */
  answer(decline: Decline): Promise<GivenAnswer>;
}

/** Asks the handler about a declined entry; what comes of its answer. */
export async function ask(key: string, handler: Handler): Promise<Change> {
  const { record, declined } = handler.known();
  await handler.note({ found: { declined: declined.filter((one) => one !== key) } });
  const first = entryOf(record, key);
  if (!first) return {};
  // A handler that answers differently now is asked about the first tender of the chain.
  const last = lastSent(record, first);
  const isKnown = last.state === 'REFUSED' && (await tenderOf(last, handler)) !== undefined;
  const entry = isKnown ? last : first;
  await handler.note(failedRecordOf(handler.known(), entry));
  const answer = await answerOf(entry, handler);
  switch (answer) {
    case undefined:
    case 'stop':
      return { found: { isStopped: true } };
    case 'cancel_order':
      return { found: { isCancelled: true } };
    case 'retry':
      return isRetryable(handler.known(), entry)
        ? { found: { retried: entry.key }, pauseMs: retryPauseMs(entry.declines) }
        : { found: { isStopped: true } };
    default:
      return replacedBy(handler.known(), entry, answer);
  }
}

/** The response of a decline names no record; the order may show one (gap PAY-7). */
function failedRecordOf({ record, reading, rules, about, payments }: Snapshot, entry: PaymentEntry): Change {
  if (entry.paymentId !== null || !reading) return {};
  const payment = failedPayment(record, entry, reading.order, { ...rules, skewMs: about(entry).skewMs });
  if (!payment) return {};
  return {
    found: { payments: new Map([...payments, [entry.key, payment]]) },
    record: (held) => updateEntry(held, entry.key, { paymentId: payment.id }),
  };
}

/** The handler's answer; `undefined` without a handler, or without the tender that it is to be asked about. */
async function answerOf(entry: PaymentEntry, handler: Handler): Promise<GivenAnswer | undefined> {
  const offered = handler.known().hasHandler ? await tenderOf(entry, handler) : undefined;
  return offered && handler.answer({ ...declineOf(handler.known(), entry), tender: offered.given });
}

function declineOf(known: Snapshot, entry: PaymentEntry): Omit<Decline, 'tender'> {
  const { orderId, reading, record, payments, errors } = known;
  const amounts = reading && amountsOf(reading.order);
  const currency = amounts?.currency ?? 'USD';
  const dueCents = amounts ? chargeableCents(amounts, record, goneCents(record, reading.order)) : 0;
  return {
    orderId,
    amount: { amount: entry.cents ?? 0, currency },
    idempotencyKey: entry.key,
    attempt: entry.declines,
    retryable: isRetryable(known, entry),
    payment: payments.get(entry.key) ?? null,
    error: errors.get(entry.key) ?? null,
    amountPaid: { amount: amounts?.paidCents ?? 0, currency },
    balanceDue: { amount: dueCents, currency },
  };
}

function isRetryable({ exhausted, about }: Snapshot, entry: PaymentEntry): boolean {
  return !exhausted.has(entry.key) && entry.declines <= MOST_RETRIES && !about(entry).doubt.isTooOld;
}

/** Another tender takes the place of the declined one: checked like the first ones, under a key of its own. */
function replacedBy(known: Snapshot, declined: PaymentEntry, tender: DigestedTender): Change {
  const { orderId, record, reading, tenders, context } = known;
  const amounts = reading && amountsOf(reading.order);
  if (!amounts) throw refusalError(refusals.amountsUnreadable(orderId));
  if (tender.currency !== undefined && tender.currency !== amounts.currency) {
    throw refusalError(refusals.currencyDiffers(orderId, tender.currency, amounts.currency));
  }
  if (allEntries(record).filter(({ replaces }) => replaces !== null).length >= MOST_REPLACEMENTS) {
    throw refusalError(refusals.tooManyReplacements(orderId, MOST_REPLACEMENTS));
  }
  const planned = newEntry(context.newKey(), tender, declined.key);
  const others = (currentRun(record)?.entries ?? []).filter(
    ({ state, key }) => state === 'PLANNED' && tenders.has(key),
  );
  const { order } = reading;
  const held = { orderId, record, order, amounts, goneCents: goneCents(record, order) };
  const misfit = tendersDoNotFit(held, [planned, ...others]);
  if (misfit) throw refusalError(misfit);
  return {
    found: { tenders: new Map([...tenders, [planned.key, tender]]) },
    record: (present) => addReplacement(present, planned),
  };
}

/** The tender of an entry, from this call or from its handler. */
async function tenderOf(entry: PaymentEntry, handler: Handler): Promise<DigestedTender | undefined> {
  const given = handler.known().tenders.get(entry.key);
  if (given) return given;
  const asked = await tenderFromHandler(entry, handler);
  if (asked) await handler.note({ found: { tenders: new Map([...handler.known().tenders, [entry.key, asked]]) } });
  return asked;
}

/**
 * The tender of an undecided replacement. It was given by the handler of a process that died, so the handler of this
 * one is asked about the same decline again; another answer than then gives nothing.
 */
async function tenderFromHandler(entry: PaymentEntry, handler: Handler): Promise<DigestedTender | undefined> {
  const replaced = entry.replaces === null ? undefined : entryOf(handler.known().record, entry.replaces);
  const answer = replaced && (await answerOf(replaced, handler));
  if (answer === undefined || typeof answer === 'string') return undefined;
  if (answer.amount !== entry.amount || answer.method !== entry.method) return undefined;
  return (await answer.matches(entry.digest)) === 'same' ? answer : undefined;
}

/**
 * The body of an entry: of one that goes out again the same bytes as before.
 *
 * @throws {PaymentStateError} The call brought another tender than the one that was sent, or none.
 */
export async function bodyOf(entry: PaymentEntry, cents: number, handler: Handler): Promise<SentBody> {
  const { orderId, bodies, context } = handler.known();
  const sent = bodies.get(entry.key);
  if (sent) return sent;
  const offered = await tenderOf(entry, handler);
  if (!offered) throw refusalError(refusals.tenderDiffers(orderId, entry));
  const body = written(() => paymentBody(offered.tender, cents, context.rules));
  const hasLeft = entry.sendings > 0 && entry.bodyDigest !== null;
  if (hasLeft && (await offered.matchesBody(entry.bodyDigest ?? '', body)) !== 'same') {
    throw refusalError(refusals.bodyDiffers(orderId, entry));
  }
  const made = { body, digest: hasLeft ? (entry.bodyDigest ?? '') : await offered.ofBody(body) };
  await handler.note({ found: { bodies: new Map([...bodies, [entry.key, made]]) } });
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
