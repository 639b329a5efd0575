import { ConfigurationError } from '../../../errors/local.js';
import { centsOf } from '../amounts.js';
import { allEntries, entryOf, isUndecided, undecidedEntries, updateRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { clearInMs } from '../lost-answer.js';
import { seenPayment, standingOf } from '../matching.js';
import { expectedPayment } from './entry-payment.js';
import { type Refusal, refusalError, refusals } from './refusals.js';
import type { SettlementRun } from './run.js';
import { adopt } from './steps.js';

/** What the caller knows from the service: keys that were not executed, and payments that are those of keys. */
export interface Word {
  readonly notCharged: readonly string[];
  readonly charged: ReadonlyMap<string, string>;
}

/** @throws {ConfigurationError} The options are no list and no object of texts, or name a key twice. */
export function checkWord(options: {
  notCharged?: readonly string[] | undefined;
  charged?: Readonly<Record<string, string>> | undefined;
}): Word {
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
  return { notCharged, charged: new Map(pairs as [string, string][]) };
}

/**
 * Takes the caller's word for payments that decide themselves no longer (docs/payments.md, "A crash"). A payment that
 * shows after all is taken over, whatever the caller was told.
 *
 * @throws {PaymentStateError} `still_decidable`: it may still be executed, or come into sight. `not_undecided`.
 */
export async function applyWord(run: SettlementRun, { notCharged, charged }: Word): Promise<void> {
  if (notCharged.length === 0 && charged.size === 0) return;
  await run.read({ what: 'first', afterMs: 0, toleratesFailure: false });
  for (const key of notCharged) await writeOff(run, undecidedEntry(run, key));
  for (const [key, paymentId] of charged) await takeCharge(run, undecidedEntry(run, key), paymentId);
  if (undecidedEntries(run.record).length > 0) return;
  await run.write((record) => updateRun(record, { ended: true }));
}

function undecidedEntry(run: SettlementRun, key: string): PaymentEntry {
  const entry = entryOf(run.record, key);
  if (!entry || !isUndecided(entry)) throw refused(run, refusals.notUndecided(run.orderId, key));
  return entry;
}

async function writeOff(run: SettlementRun, entry: PaymentEntry): Promise<void> {
  const payments = run.order?.payments ?? [];
  const shown = payments.find(({ id }) => id === entry.paymentId) ?? lostPayment(run, entry);
  if (shown) {
    if (standingOf(shown, run.context.rules.isFinal) === 'under_way') {
      throw refused(run, refusals.shownUnderWay(run.orderId, entry.key));
    }
    return adopt(run, entry.key, shown);
  }
  await passHorizon(run, entry);
  const late = lostPayment(run, entry);
  if (late) return adopt(run, entry.key, late);
  await run.writeEntry(entry.key, { state: 'REFUSED', inDoubt: 0 });
}

async function takeCharge(run: SettlementRun, entry: PaymentEntry, paymentId: string): Promise<void> {
  const claimed = allEntries(run.record).some((other) => other.key !== entry.key && other.paymentId === paymentId);
  if (claimed) throw refused(run, refusals.claimedTwice(run.orderId, paymentId));
  const shown = run.order?.payments?.find(({ id }) => id === paymentId);
  if (shown) return adopt(run, entry.key, shown);
  await passHorizon(run, entry);
  await run.writeEntry(entry.key, {
    state: 'DONE',
    inDoubt: 0,
    paymentId,
    chargedCents: entry.cents ?? centsOf(entry.amount) ?? 0,
  });
}

/** Milliseconds between readings while a call waits for the horizon. */
const LOOK_MS = 5000;

/**
 * Before the horizon nobody's word can be right: the request may still be executed. Where no clock proves how long ago
 * it left, this call itself waits for the horizon; a later one could prove no more.
 */
async function passHorizon(run: SettlementRun, entry: PaymentEntry): Promise<void> {
  for (;;) {
    const inMs = clearInMs(run.knowledgeOf(entry).doubt, run.context.rules.limits);
    if (inMs === 0) return;
    if (entry.lastSentAt?.serviceMs != null && run.time.now().serviceMs !== null) {
      throw refused(run, refusals.stillDecidable(run.orderId, entry.key, inMs));
    }
    await run.read({ what: `word ${entry.key}`, afterMs: Math.min(inMs, LOOK_MS), toleratesFailure: true });
  }
}

function lostPayment(run: SettlementRun, entry: PaymentEntry) {
  if (!run.order || entry.paymentId !== null) return undefined;
  const { skewMs } = run.knowledgeOf(entry);
  const expected = expectedPayment(run.record, entry, run.order, { ...run.context.rules, skewMs });
  const seen = expected && seenPayment(run.order, expected);
  return seen?.record ?? seen?.failed;
}

function refused(run: SettlementRun, refusal: Refusal) {
  return refusalError(run.orderId, refusal);
}
