import { OnlineOrderingError } from '../../../errors/base.js';
import { ConfigurationError } from '../../../errors/local.js';
import { OutcomeUnknownError, PaymentStateError, SettlementInterruptedError } from '../../../errors/payment.js';
import { refuseUnknownOptions } from '../../known-options.js';
import { type PaymentPollingOptions, resolvePolling } from '../../orders/polling.js';
import type { PaymentJournal } from '../journal/journal.js';
import { allEntries, undecidedEntries, updateRun } from '../journal/journal-runs.js';
import type { Tender } from '../tender-body.js';
import type { DeclineHandler } from './decline.js';
import { withOrder } from './order-work.js';
import { payTenders } from './pay-tenders.js';
import { settledOrder } from './ready-order.js';
import { type Settlement, settlementFacts, settlementOf } from './settlement.js';
import type { DigestedTender } from './tender.js';
import { checkTenders, type OfferedTender } from './tender.js';
import type { SettleContext, Work } from './work.js';
import { writeOff } from './write-off.js';

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
  /** How a payment under way is followed. @defaultValue 2 s, doubling to 30 s, for 5 minutes */
  polling?: PaymentPollingOptions | undefined;
  /** Ends it at once, waits included. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it, waits for other runs included. */
  deadline?: number | undefined;
}

/** How a settlement that ended early goes on. */
export interface ResumeOptions extends Omit<SettleOptions, 'tenders'> {
  /** The tenders of the call that ended early. Without them nothing is sent. */
  tenders?: readonly Tender[] | undefined;
  /**
   * Keys of payments of which you know from the service that they were not executed: the way out for a payment whose
   * answer was lost, that the order does not show, and that is too old to be sent again.
   */
  notCharged?: readonly string[] | undefined;
}

/** Pays an order; without tenders, finds out how an earlier call ended. */
export async function settle(context: SettleContext, orderId: string, options: ResumeOptions): Promise<Settlement> {
  checkOptions(options);
  const offered = options.tenders === undefined ? [] : checkTenders(options.tenders);
  const settling = withOrder(
    {
      orderId,
      context,
      journal: options.journal ?? context.journal,
      polling: resolvePolling(options.polling),
      onDeclined: options.onDeclined,
      mayRepeat: options.tenders !== undefined,
      time: { signal: options.signal, deadline: options.deadline },
    },
    (work) => settleOrder(work, offered, options.notCharged),
  );
  return settling.catch((error: unknown) => {
    throw error instanceof OnlineOrderingError ? error : journalUnavailable(orderId, error);
  });
}

/** Errors of a disk or a store that stopped a settlement before it began; later ones come with its facts. */
function journalUnavailable(orderId: string, cause: unknown): PaymentStateError {
  return new PaymentStateError(
    `The journal of order ${orderId} could not be read or written (see the cause), so that nothing was sent. ` +
      'Call again when it can.',
    { orderId, reason: 'journal_unavailable' },
    { cause },
  );
}

const OPTIONS: Readonly<Record<keyof ResumeOptions, true>> = {
  tenders: true,
  journal: true,
  onDeclined: true,
  polling: true,
  signal: true,
  deadline: true,
  notCharged: true,
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

async function settleOrder(
  work: Work,
  offered: readonly OfferedTender[],
  notCharged: readonly string[] = [],
): Promise<Settlement> {
  try {
    await writeOff(work, notCharged);
    await payTenders(work, await digestAll(work, offered));
    const { order, amounts } = await settledOrder(work);
    const { orderId, book, payments, reasons } = work;
    const settlement = settlementOf({ orderId, record: book.record, order, amounts, payments, reasons });
    await endRun(work);
    return settlement;
  } catch (error) {
    throw withFacts(work, error);
  }
}

/** One after the other: each costs memory and time on purpose. */
async function digestAll(work: Work, offered: readonly OfferedTender[]): Promise<DigestedTender[]> {
  const tenders: DigestedTender[] = [];
  for (const tender of offered) {
    tenders.push({ ...tender, ...(await work.context.digests.ofTender(tender.tender, work.book.record.salt)) });
  }
  return tenders;
}

/** A run with a payment under way goes on with the next call, and its declines are asked about then. */
async function endRun({ book, mayRepeat }: Work): Promise<void> {
  if (undecidedEntries(book.record).length > 0) return;
  if (mayRepeat && book.record.runs.at(-1)?.ended === false)
    await book.write((record) => updateRun(record, { ended: true }));
}

/** What was charged and what is left goes with every error, once something was sent. */
function withFacts(work: Work, error: unknown): unknown {
  const { orderId, book, order } = work;
  if (error instanceof OutcomeUnknownError || !allEntries(book.record).some(({ state }) => state !== 'PLANNED'))
    return error;
  const settlement = settlementFacts(book.record, order);
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
