import type { Payment } from '../../../contract/index.js';
import type { UnprocessableEntityError } from '../../../errors/api.js';
import { amountsOf } from '../amounts.js';
import { entryOf } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import type { Tender } from '../tender-body.js';
import type { Decline, DeclineAnswer } from './decline.js';
import { checkTender, type DigestedTender } from './tender.js';
import { chargeableCents } from './tender-amount.js';
import { isYoungEnough, type Work } from './work.js';

export interface DeclineParts {
  readonly error: UnprocessableEntityError | null;
  readonly payment: Payment | null;
}

/** Asks the caller's handler about a declined entry; without one, or without its tender, the answer is to stop. */
export async function askHandler(work: Work, entry: PaymentEntry, parts: DeclineParts): Promise<DeclineAnswer> {
  const offered = work.onDeclined && (await knownTender(work, entry));
  if (!work.onDeclined || !offered) return 'stop';
  const decline = declineOf(work, entry, parts);
  return work.onDeclined({ ...decline, tender: offered.tender });
}

function declineOf(work: Work, entry: PaymentEntry, { error, payment }: DeclineParts): Omit<Decline, 'tender'> {
  const { orderId, order, book } = work;
  const amounts = order && amountsOf(order);
  const currency = amounts?.currency ?? 'USD';
  return {
    orderId,
    amount: { amount: entry.cents ?? 0, currency },
    idempotencyKey: entry.key,
    attempt: entry.declines,
    retryable: isRetryable(work, entry),
    payment,
    error,
    amountPaid: { amount: amounts?.paidCents ?? 0, currency },
    balanceDue: { amount: amounts ? chargeableCents(amounts, book.record) : 0, currency },
  };
}

export function isRetryable(work: Work, entry: PaymentEntry): boolean {
  return !work.exhausted.has(entry.key) && isYoungEnough(work, entry);
}

/** A tender that the handler gave, known to the journal by its digest. */
export async function digested(work: Work, answer: Tender): Promise<DigestedTender> {
  const offered = checkTender(answer, 'onDeclined');
  return { ...offered, ...(await work.context.digests.ofTender(offered.tender, work.book.record.salt)) };
}

/** The tender of an entry, from this call or from its handler. */
export async function knownTender(work: Work, entry: PaymentEntry): Promise<DigestedTender | undefined> {
  const known = work.tenders.get(entry.key) ?? (await tenderFromHandler(work, entry));
  if (known) work.tenders.set(entry.key, known);
  return known;
}

/**
 * The tender of an undecided replacement. It was given by the handler of a process that died, so the handler of this
 * one is asked about the same decline again; another answer than then gives nothing.
 */
async function tenderFromHandler(work: Work, entry: PaymentEntry): Promise<DigestedTender | undefined> {
  const replaced = entry.replaces === null ? undefined : entryOf(work.book.record, entry.replaces);
  if (!replaced) return undefined;
  const answer = await askHandler(work, replaced, { error: null, payment: null });
  if (typeof answer === 'string') return undefined;
  const offered = await digested(work, answer);
  const isSame = offered.digest === entry.digest && offered.amount === entry.amount && offered.method === entry.method;
  return isSame ? offered : undefined;
}
