import { OnlineOrderingError } from '../../../errors/base.js';
import { CallError } from '../../../errors/call.js';
import { ConfigurationError } from '../../../errors/local.js';
import { OutcomeUnknownError, PaymentStateError, SettlementInterruptedError } from '../../../errors/payment.js';
import { refuseUnknownOptions } from '../../known-options.js';
import { type PaymentPollingOptions, resolvePolling } from '../../polling.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import { amountsOf } from '../amounts.js';
import type { PaymentJournal } from '../journal/journal.js';
import { allEntries, undecidedEntries } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import type { Tender } from '../tender-body.js';
import { ended } from './change.js';
import type { SettleContext } from './context.js';
import type { DeclineHandler } from './decline.js';
import type { Change, Snapshot } from './known.js';
import { type OrderRun, toItsEnd, withRun } from './order-run.js';
import { outcomeUnknown } from './outcome-unknown.js';
import { LeftUnknown } from './refusals.js';
import type { SettlementRun } from './run.js';
import { type Settlement, settlementFacts, settlementOf } from './settlement.js';
import { adoptTenders, checkTenders, type DigestedTender, type OfferedTender } from './tenders.js';
import { checkWords, takeWords, type Word } from './word-of-caller.js';

/** How an order is paid. */
export interface SettleOptions {
  /**
   * How the order is to be paid in all, in any order. A tender that the journal shows as charged does not go out
   * again; identical ones are counted.
   */
  tenders: readonly Tender[];
  /** Where keys are written down before their requests leave. @defaultValue the client's `store` */
  journal?: PaymentJournal | undefined;
  /** Asked after each decline. @defaultValue stop */
  onDeclined?: DeclineHandler | undefined;
  /**
   * How a payment under way is followed. It does not shorten the search for a payment whose response was lost.
   * @defaultValue 2 s, doubling to 30 s, for 5 minutes
   */
  polling?: PaymentPollingOptions | undefined;
  /** Ends it at once, waits and handlers included. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it, waits for other runs and handlers included. */
  deadline?: number | undefined;
}

/** How a settlement that ended early goes on. */
export interface ResumeOptions extends Omit<SettleOptions, 'tenders'> {
  /** The tenders of the call that ended early. Without them nothing is sent. */
  tenders?: readonly Tender[] | undefined;
  /**
   * Keys of payments of which you know from the service that they were not executed: a way out for a payment whose
   * response was lost, and that the order does not show. Taken from the horizon of its last sending on.
   */
  notCharged?: readonly string[] | undefined;
  /**
   * By key, the `id` of the payment of which you know from the service that it is this one: a way out where the order
   * shows it under another method or amount, or not at all. Taken from the horizon of its last sending on.
   */
  charged?: Readonly<Record<string, string>> | undefined;
}

/** Pays an order; without tenders, finds out how an earlier call ended. */
export async function settle(context: SettleContext, orderId: string, options: ResumeOptions): Promise<Settlement> {
  checkOptions(options);
  const offered = options.tenders === undefined ? [] : checkTenders(options.tenders);
  const words = checkWords(options);
  const orderRun: OrderRun = {
    context,
    orderId,
    journal: options.journal ?? context.journal,
    polling: resolvePolling(options.polling),
    onDeclined: options.onDeclined,
    sends: options.tenders !== undefined,
    only: undefined,
    time: { signal: options.signal, deadline: options.deadline } as TimeLimitOptions,
  };
  return withRun(orderRun, (run) => settleRun(run, orderRun, { offered, words }));
}

interface Asked {
  readonly offered: readonly OfferedTender[];
  readonly words: readonly Word[];
}

async function settleRun(run: SettlementRun, orderRun: OrderRun, { offered, words }: Asked): Promise<Settlement> {
  try {
    await takeWords(run, words);
    await run.note(await tendersFound(run, offered));
    await toItsEnd(run);
    const settlement = settlementFrom(run.known());
    await run.note(ended(run.known()));
    return settlement;
  } catch (error) {
    throw withFacts(run.known(), error, orderRun);
  }
}

const OPTIONS: Readonly<Record<keyof ResumeOptions, true>> = {
  tenders: true,
  journal: true,
  onDeclined: true,
  polling: true,
  signal: true,
  deadline: true,
  notCharged: true,
  charged: true,
};

function checkOptions(options: ResumeOptions): void {
  refuseUnknownOptions(options, OPTIONS);
  const { journal, onDeclined } = options;
  if (onDeclined !== undefined && typeof onDeclined !== 'function') {
    throw new ConfigurationError(
      'onDeclined is not a function; give one that answers a decline, or leave it out to stop.',
    );
  }
  if (journal !== undefined && (typeof journal?.read !== 'function' || typeof journal.write !== 'function')) {
    throw new ConfigurationError(
      'journal has no read and write; give fileJournal("./payments"), storeJournal(store) or one of your own. ' +
        'Nothing was sent.',
    );
  }
}

/** Compares the tenders of this call with the journal. */
async function tendersFound(run: SettlementRun, offered: readonly OfferedTender[]): Promise<Change> {
  const tenders: DigestedTender[] = [];
  for (const tender of offered) tenders.push(await run.digested(tender));
  const { record } = run.known();
  const entries = allEntries(record).filter(({ state }) => state !== 'PLANNED');
  const same = new Map<DigestedTender, Set<string>>();
  for (const tender of tenders) {
    const keys = new Set<string>();
    for (const entry of entries) if (await isInstrument(tender, entry)) keys.add(entry.key);
    same.set(tender, keys);
  }
  const isSame = (entry: PaymentEntry, tender: DigestedTender): boolean => same.get(tender)?.has(entry.key) ?? false;
  const { bound, unsent, unanswered, raised } = adoptTenders(record, tenders, isSame);
  return { found: { tenders: bound, unsent, declined: unanswered, raised: raised[0]?.charged } };
}

/** With a key of digests that was replaced since, method and amount decide: nothing is charged twice for it. */
async function isInstrument(tender: DigestedTender, entry: PaymentEntry): Promise<boolean> {
  if (tender.method !== entry.method) return false;
  const match = await tender.matches(entry.digest);
  return match === 'same' || (match === 'other_key' && tender.amount === entry.amount);
}

function settlementFrom({ orderId, record, reading, payments, reasons, rules }: Snapshot): Settlement {
  const amounts = reading && amountsOf(reading.order);
  if (!amounts) throw new Error('A settlement ended without a reading of its order.');
  const { order } = reading;
  return settlementOf({ orderId, record, order, amounts, payments, reasons, isFinal: rules.isFinal });
}

/** What was charged and what is left goes with every error, once something was sent. */
function withFacts(known: Snapshot, error: unknown, orderRun: OrderRun): unknown {
  const { orderId, record, reading, sends, failure } = known;
  if (error instanceof LeftUnknown) {
    return outcomeUnknown(known, orderRun, { key: error.key, why: error.why, cause: failure });
  }
  if (error instanceof OutcomeUnknownError || !allEntries(record).some(({ state }) => state !== 'PLANNED'))
    return error;
  const lost = undecidedEntries(record).find(({ paymentId }) => paymentId === null);
  if (lost && sends && error instanceof CallError) {
    return outcomeUnknown(known, orderRun, { key: lost.key, why: 'interrupted', cause: failure ?? error });
  }
  const settlement = settlementFacts(record, reading?.order);
  if (error instanceof PaymentStateError) {
    const { reason, cause } = error;
    return new PaymentStateError(error.message, { orderId, reason, settlement }, { cause });
  }
  // An error of the caller's own handler or journal may tell more than a message should.
  const why = error instanceof OnlineOrderingError ? error.message : 'See its cause.';
  return new SettlementInterruptedError(
    `The payments of order ${orderId} were interrupted: ${why} What was charged so far stays charged (settlement); the same call goes on.`,
    { orderId, settlement },
    { cause: error },
  );
}
