import type { Payment } from '../../../contract/index.js';
import { ConfigurationError } from '../../../errors/local.js';
import { centsOf } from '../amounts.js';
import { allEntries, entryOf, isUndecided, undecidedEntries, updateEntry, updateRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { clearInMs } from '../lost-response.js';
import { seenPayment, standingOf } from '../matching.js';
import { expectedPayment } from './entry-payment.js';
import type { Snapshot } from './known.js';
import type { Step } from './next-step.js';
import { toItsEnd } from './order-run.js';
import { refusalError, refusals } from './refusals.js';
import type { SettlementRun } from './run.js';

/** What the caller knows from the service: the payment of a key, or `null` where it was not executed. */
export interface Word {
  readonly key: string;
  readonly paymentId: string | null;
}

/** @throws {ConfigurationError} The options are no list and no object of texts, or name a key twice. */
export function checkWords(options: {
  notCharged?: readonly string[] | undefined;
  charged?: Readonly<Record<string, string>> | undefined;
}): readonly Word[] {
  const { notCharged = [], charged = {} } = options;
  if (!Array.isArray(notCharged) || !notCharged.every((key) => typeof key === 'string')) {
    throw new ConfigurationError('notCharged is a list of idempotency keys, for example notCharged: [key].');
  }
  const pairs = typeof charged === 'object' && charged !== null ? Object.entries(charged) : [['', 0]];
  if (!pairs.every(([, paymentId]) => typeof paymentId === 'string')) {
    throw new ConfigurationError(
      'charged names a payment id for each key, for example charged: { [key]: payment.id }.',
    );
  }
  const twice = notCharged.find((key) => Object.hasOwn(charged, key));
  if (twice !== undefined) {
    throw new ConfigurationError(`The key ${twice} stands in notCharged and in charged. Nothing was changed.`);
  }
  const written = notCharged.map((key) => ({ key, paymentId: null }));
  return [...written, ...(pairs as [string, string][]).map(([key, paymentId]) => ({ key, paymentId }))];
}

/**
 * Takes the caller's word for payments that decide themselves no longer (docs/payments.md, "A crash"). A payment that
 * shows after all is taken over, whatever the caller was told.
 *
 * @throws {PaymentStateError} `still_decidable`: it may still be executed, or come into sight. `not_undecided`.
 */
export async function takeWords(run: SettlementRun, words: readonly Word[]): Promise<void> {
  if (words.length === 0) return;
  await run.take({ kind: 'look', what: 'first', afterMs: 0, toleratesFailure: false });
  for (const word of words) {
    checkUndecided(run.known(), word);
    await toItsEnd(run, (known) => stepByWord(known, word));
  }
  if (undecidedEntries(run.known().record).length > 0) return;
  await run.note({ record: (record) => updateRun(record, { ended: true }) });
}

function checkUndecided({ orderId, record }: Snapshot, { key }: Word): void {
  const entry = entryOf(record, key);
  if (!entry || !isUndecided(entry)) throw refusalError(refusals.notUndecided(orderId, key));
}

const DONE: Step = { kind: 'done' };

/** What to do about an entry that the caller knows more of than the order shows. */
export function stepByWord(known: Snapshot, { key, paymentId }: Word): Step {
  const entry = entryOf(known.record, key);
  if (!entry || !isUndecided(entry)) return DONE;
  return paymentId === null ? notCharged(known, entry) : charged(known, entry, paymentId);
}

function notCharged(known: Snapshot, entry: PaymentEntry): Step {
  const { orderId, reading, rules } = known;
  const shown = reading?.order.payments?.find(({ id }) => id === entry.paymentId) ?? lostPayment(known, entry);
  if (shown && standingOf(shown, rules.isFinal) === 'under_way') {
    // One that came into sight while this call waited is followed like every other.
    if (known.waited.what !== waitFor(entry)) return refuse(refusals.shownUnderWay(orderId, entry.key));
    return entry.paymentId === shown.id ? DONE : { kind: 'adopt', key: entry.key, payment: shown };
  }
  if (shown) return { kind: 'adopt', key: entry.key, payment: shown };
  return untilHorizon(known, entry) ?? note(entry, { state: 'REFUSED', inDoubt: 0 });
}

function charged(known: Snapshot, entry: PaymentEntry, paymentId: string): Step {
  const { orderId, record, reading, rules } = known;
  const isClaimed = allEntries(record).some((other) => other.key !== entry.key && other.paymentId === paymentId);
  if (isClaimed) return refuse(refusals.claimedTwice(orderId, paymentId));
  const shown = reading?.order.payments?.find(({ id }) => id === paymentId);
  if (shown) {
    const isFollowed = entry.paymentId === paymentId && standingOf(shown, rules.isFinal) === 'under_way';
    return isFollowed ? DONE : { kind: 'adopt', key: entry.key, payment: shown };
  }
  const chargedCents = entry.cents ?? centsOf(entry.amount) ?? 0;
  return untilHorizon(known, entry) ?? note(entry, { state: 'DONE', inDoubt: 0, paymentId, chargedCents });
}

/** Milliseconds between readings while a call waits for the horizon. */
const LOOK_MS = 5000;

/**
 * Before the horizon nobody's word can be right: the request may still be executed. Where no clock proves how long ago
 * it left, this call itself waits for the horizon; a later one could prove no more.
 */
function untilHorizon({ orderId, now, limits, about }: Snapshot, entry: PaymentEntry): Step | undefined {
  const inMs = clearInMs(about(entry).doubt, limits);
  if (inMs === 0) return undefined;
  if (entry.lastSentAt?.serviceMs != null && now.serviceMs !== null) {
    return refuse(refusals.stillDecidable(orderId, entry.key, inMs));
  }
  return { kind: 'look', what: waitFor(entry), afterMs: Math.min(inMs, LOOK_MS), toleratesFailure: true };
}

function lostPayment({ record, reading, rules, about }: Snapshot, entry: PaymentEntry): Payment | undefined {
  if (!reading || entry.paymentId !== null) return undefined;
  const expected = expectedPayment(record, entry, reading.order, { ...rules, skewMs: about(entry).skewMs });
  const seen = expected && seenPayment(reading.order, expected);
  return seen?.record ?? seen?.failed;
}

function waitFor({ key }: PaymentEntry): string {
  return `word ${key}`;
}

function note({ key }: PaymentEntry, facts: Partial<PaymentEntry>): Step {
  return { kind: 'note', change: { record: (record) => updateEntry(record, key, facts) } };
}

function refuse(refusal: Parameters<typeof refusalError>[0]): Step {
  return { kind: 'refuse', refusal };
}
