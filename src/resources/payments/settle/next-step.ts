import type { Order, Payment } from '../../../contract/index.js';
import { pollDelayMs } from '../../polling.js';
import {
  amountsOf,
  centsOf,
  centsToSend,
  chargeableCents,
  isUpToDate,
  type OrderAmounts,
  plannedCents,
} from '../amounts.js';
import { allEntries, chargedCents, currentRun, undecidedEntries } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { judge, type WhyUnknown } from '../lost-response.js';
import { instantOf, isUnknownStatus, seenPayment, standingOf } from '../matching.js';
import { expectedPayment } from './entry-payment.js';
import type { Change, Known, Reading } from './known.js';
import { type Refusal, refusals } from './refusals.js';
import { goneCents, hasPaymentUnderWay } from './settlement.js';
import { inSubmissionOrder, type OfferedTender } from './tenders.js';

/** A step that only writes down what is known by now. */
export type NotingStep =
  /** The payment record is the outcome of the entry: note how it stands. */
  | { readonly kind: 'adopt'; readonly key: string; readonly payment: Payment }
  /** No sending of the key moved money. */
  | { readonly kind: 'decline'; readonly key: string }
  | { readonly kind: 'plan' }
  /** Others pay the whole balance: the tender that takes what remains is left out. */
  | { readonly kind: 'leave_out'; readonly key: string }
  | { readonly kind: 'note'; readonly change: Change };

/** What to do next. Each step is one effect; what comes of it is known at the next call. */
export type Step =
  | NotingStep
  /** Read the order in so many milliseconds; `what` names what is waited for. */
  | { readonly kind: 'look'; readonly what: string; readonly afterMs: number; readonly toleratesFailure: boolean }
  | { readonly kind: 'ask'; readonly key: string }
  | { readonly kind: 'cancel'; readonly idempotencyKey: string | null }
  | { readonly kind: 'send'; readonly key: string; readonly cents: number }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'unknown'; readonly key: string; readonly why: WhyUnknown | 'sent_too_often' | 'balance' }
  | { readonly kind: 'done' };

/** Sendings of one key within one call. */
export const MOST_SENDINGS = 3;
/** Readings of a call that may send nothing, for a payment that the order does not show. */
const MOST_IDLE_LOOKS = 3;

const DONE: Step = { kind: 'done' };

/**
 * The protocol of a settlement, as one decision over what is known (docs/payments.md). The questions stand in the order
 * in which they are asked; the first that has an answer gives the step.
 */
export function nextStep(known: Known): Step {
  const { reading } = known;
  if (!reading) return { kind: 'look', what: 'first', afterMs: 0, toleratesFailure: false };
  const amounts = amountsOf(reading.order);
  if (!amounts) return refuse(refusals.amountsUnreadable(known.orderId));
  const now: Now = {
    ...known,
    reading,
    order: reading.order,
    amounts,
    goneCents: goneCents(known.record, reading.order),
  };
  return (
    doesNotFit(now) ??
    cancelGoesOn(now) ??
    undecided(now) ??
    declineToAnswer(now) ??
    toPlan(now) ??
    toSend(now) ??
    finish(now)
  );
}

interface Now extends Known {
  readonly reading: Reading;
  readonly order: Order;
  readonly amounts: OrderAmounts;
  readonly goneCents: number;
}

/** Whether journal, order and tenders belong together at all. */
function doesNotFit({ orderId, record, order, amounts, unsent }: Now): Step | undefined {
  const written = instantOf(record.orderCreatedAt ?? undefined);
  const shown = instantOf(order.created_at);
  if (written !== undefined && shown !== undefined && written !== shown) return refuse(refusals.anotherOrder(orderId));
  const other = unsent.find(({ currency }) => currency !== undefined && currency !== amounts.currency);
  return other && refuse(refusals.currencyDiffers(orderId, other.currency ?? '', amounts.currency));
}

/** A cancel that was decided on goes first: its key is in the record before it leaves. */
function cancelGoesOn({ record, order, sends, only }: Now): Step | undefined {
  const run = currentRun(record);
  if (!sends || only !== undefined || run === undefined || run.ended || run.cancelKey === null) return undefined;
  return order.status === 'CANCELLED' ? DONE : { kind: 'cancel', idempotencyKey: run.cancelKey };
}

/** One tender at a time: while one is undecided, nothing else happens (interface document, "Payment rules" 3). */
function undecided(now: Now): Step | undefined {
  const entries = undecidedEntries(now.record).filter(({ key }) => now.only === undefined || key === now.only);
  let rests = false;
  for (const entry of entries) {
    const step = entry.paymentId === null ? lost(now, entry) : followed(now, entry, entry.paymentId);
    if (step) return step;
    rests = true;
  }
  return rests || now.only !== undefined ? DONE : undefined;
}

/** Rules 3 to 6: the response was lost. `undefined` where a call that may send nothing has looked enough. */
function lost(now: Now, entry: PaymentEntry): Step | undefined {
  const { key } = entry;
  const { doubt, watch, wasReadSince, sentNow, skewMs } = now.about(entry);
  const expected = expectedPayment(now.record, entry, now.order, { ...now.rules, skewMs });
  const seen = wasReadSince && expected ? seenPayment(now.order, expected) : undefined;
  const verdict = judge(doubt, seen, watch, now.limits);
  switch (verdict.kind) {
    case 'found':
      return { kind: 'adopt', key, payment: verdict.record };
    case 'look':
      if (!now.sends && watch.readings >= MOST_IDLE_LOOKS) return undefined;
      return { kind: 'look', what: `lost ${key}`, afterMs: verdict.afterMs, toleratesFailure: true };
    case 'not_applied':
      return { kind: 'decline', key };
    case 'unknown':
      return now.sends ? { kind: 'unknown', key, why: verdict.why } : undefined;
    case 'repeat':
      if (!now.sends) return undefined;
      if (sentNow >= MOST_SENDINGS) return { kind: 'unknown', key, why: 'sent_too_often' };
      return repeat(now, entry);
  }
}

/** Rule 5: a repetition is a sending like any other, and the balance must still cover it (rule 7). */
function repeat(now: Now, entry: PaymentEntry): Step {
  const cents = entry.cents ?? 0;
  if (now.pauseMs > 0) return pause(now);
  if (!now.reading.isFresh) return readNow(now);
  if (hasPaymentUnderWay(now.order, now.record, now.rules.isFinal)) {
    return waitFor(now, `others ${entry.key}`) ?? { kind: 'unknown', key: entry.key, why: 'balance' };
  }
  if (chargeableCents(now.amounts, now.record, now.goneCents) < cents)
    return { kind: 'unknown', key: entry.key, why: 'balance' };
  return { kind: 'send', key: entry.key, cents };
}

/** The service has it, and said so: it is followed to COMPLETED or FAILED, and never repeated. */
function followed(now: Now, entry: PaymentEntry, paymentId: string): Step | undefined {
  const { order, rules, amounts } = now;
  const payment = order.payments?.find(({ id }) => id === paymentId);
  if (payment && standingOf(payment, rules.isFinal) !== 'under_way') return { kind: 'adopt', key: entry.key, payment };
  if (payment && isPaidByTheOrder(payment, entry, { order, amounts, rules })) {
    return { kind: 'adopt', key: entry.key, payment: { ...payment, status: 'COMPLETED' } };
  }
  return waitFor(now, `follow ${entry.key}`);
}

interface Shown {
  readonly order: Order;
  readonly amounts: OrderAmounts;
  readonly rules: Known['rules'];
}

/** A status that nobody knows, of a payment that the order counts as paid and processes no longer. */
function isPaidByTheOrder(
  payment: Payment,
  { baseline, cents }: PaymentEntry,
  { order, amounts, rules }: Shown,
): boolean {
  if (!isUnknownStatus(payment, rules.isFinal) || rules.isFinal?.(payment) === 'under_way') return false;
  if (order.payment_status !== 'PAID' && order.payment_status !== 'PARTIALLY_PAID') return false;
  const before = baseline?.paidCents ?? Number.POSITIVE_INFINITY;
  return amounts.paidCents >= before + (centsOf(payment.amount) ?? cents ?? 0);
}

/** Payment rule 4: the handler is asked about each decline, with the order as it is now. */
function declineToAnswer(now: Now): Step | undefined {
  const { sends, isStopped, isCancelled, declined, order } = now;
  if (isCancelled && order.status !== 'CANCELLED') return { kind: 'cancel', idempotencyKey: null };
  if (isStopped) return finish(now);
  const [key] = declined;
  if (!sends || key === undefined) return undefined;
  // Where nothing is due, there is nothing that another tender could pay.
  const isPaid = chargeableCents(now.amounts, now.record, now.goneCents) === 0;
  if (order.status === 'CANCELLED' || isPaid) return finish(now);
  return now.reading.isFresh ? { kind: 'ask', key } : readNow(now);
}

/** Writes down what is to be sent, once what an earlier call left is decided. */
function toPlan(now: Now): Step | undefined {
  const { orderId, record, order, unsent, raised, sends } = now;
  if (!sends || unsent.length === 0) return undefined;
  if (!now.reading.isFresh) return readNow(now);
  if (isClosed(order)) {
    // Where the journal knows nothing of a cancelled order, the caller may have mixed up orders.
    if (order.status === 'CANCELLED' && allEntries(record).length > 0) return DONE;
    return refuse(refusals.orderClosed(orderId, order.status));
  }
  if (raised) return refuse(refusals.raisedAmount(orderId, raised));
  const misfit = tendersDoNotFit(now, unsent);
  return misfit ? refuse(misfit) : { kind: 'plan' };
}

/** Why tenders cannot pay this order, if they cannot; told before one of them is sent. */
export function tendersDoNotFit(
  known: Pick<Known, 'orderId' | 'record'> & {
    readonly order: Order;
    readonly amounts: OrderAmounts;
    readonly goneCents: number;
  },
  tenders: readonly Pick<OfferedTender, 'method' | 'amount'>[],
): Refusal | undefined {
  const { orderId, record, order, amounts } = known;
  const sumCents = plannedCents(tenders);
  const balanceCents = chargeableCents(amounts, record, known.goneCents);
  if (sumCents > balanceCents) return refusals.amountExceedsBalance(orderId, sumCents, balanceCents);
  const mode = order.handoff_mode ?? order.handoff?.mode;
  if (mode === 'DELIVERY' && tenders.some(({ method }) => method === 'CASH')) {
    return refusals.cashForDelivery(orderId);
  }
  return undefined;
}

/** The next tender, when the order shows all that was charged and nothing is under way (rule 7). */
function toSend(now: Now): Step | undefined {
  const { orderId, record, order, amounts, rules } = now;
  const [entry, ...later] = entriesToSend(now);
  if (!entry || !now.sends) return undefined;
  if (now.pauseMs > 0) return pause(now);
  if (!now.reading.isFresh) return readNow(now);
  if (isClosed(order)) return finish(now);
  if (!isUpToDate(amounts, record, now.goneCents)) {
    return waitFor(now, `sum ${entry.key}`) ?? refuse(refusals.amountPaidDiffers(orderId, chargedCents(record)));
  }
  if (hasPaymentUnderWay(order, record, rules.isFinal)) return waitFor(now, `others ${entry.key}`) ?? finish(now);
  const balanceCents = chargeableCents(amounts, record, now.goneCents);
  const cents = centsToSend(entry, { balanceCents, later });
  if (cents === 'too_much') {
    return refuse(refusals.amountExceedsBalance(orderId, entry.cents ?? Number(entry.amount), balanceCents));
  }
  return cents === 0 ? { kind: 'leave_out', key: entry.key } : { kind: 'send', key: entry.key, cents };
}

/** A declined tender that is retried comes before those planned; its amount is fixed. */
function entriesToSend({ record, tenders, retried }: Now): PaymentEntry[] {
  const entries = currentRun(record)?.entries ?? [];
  const again = allEntries(record).filter(({ key }) => key === retried);
  return [...again, ...inSubmissionOrder(entries.filter(({ state, key }) => state === 'PLANNED' && tenders.has(key)))];
}

/** Nothing more is sent: the order is read until it shows all that was charged. */
function finish(now: Now): Step {
  const { orderId, record, order, amounts } = now;
  // The response of a cancel is final, and a reading right after it may lag behind.
  if (order.status === 'CANCELLED') return DONE;
  if (!now.reading.isFresh) return readNow(now);
  if (isUpToDate(amounts, record, now.goneCents)) return DONE;
  return waitFor(now, 'last') ?? refuse(refusals.amountPaidDiffers(orderId, chargedCents(record)));
}

/** A reading without a wait; where readings fail, the next ones wait, and in the end the failure is the caller's. */
function readNow({ waited, polling }: Now): Step {
  const { ms, readings } = waited.what === 'fresh' ? waited : { ms: 0, readings: 0 };
  const afterMs = readings === 0 ? 0 : pollDelayMs(polling, readings - 1);
  return { kind: 'look', what: 'fresh', afterMs, toleratesFailure: ms < polling.maxWaitMs };
}

/** The next reading while the run waits for `what`; `undefined` when `polling.maxWaitMs` has passed. */
function waitFor({ waited, polling }: Now, what: string): Step | undefined {
  const { ms, readings } = waited.what === what ? waited : { ms: 0, readings: 0 };
  const leftMs = polling.maxWaitMs - ms;
  if (leftMs <= 0) return undefined;
  return { kind: 'look', what, afterMs: Math.min(pollDelayMs(polling, readings), leftMs), toleratesFailure: true };
}

/** The order is read anew after a pause: it may have changed meanwhile. */
function pause({ pauseMs }: Now): Step {
  return { kind: 'look', what: 'pause', afterMs: pauseMs, toleratesFailure: true };
}

/** An order that takes no payment any more. */
export function isClosed({ status }: Order): boolean {
  return status === 'CANCELLED' || status === 'FAILED' || status === 'VOIDED';
}

function refuse(refusal: Refusal): Step {
  return { kind: 'refuse', refusal };
}
