import { ConfigurationError } from '../../../errors/local.js';
import type { Closing } from '../../../http/exchange/closing.js';
import type { Clock } from '../../../platform/clock.js';
import { refuseUnknownOptions } from '../../known-options.js';
import { startTimeLimit, type TimeLimitOptions } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import type { Tender } from '../tender-body.js';
import type { ResumeOptions } from './settle.js';
import type { Settlement } from './settlement.js';

/** Which orders are gone on with, and how. */
export interface ResumeAllOptions extends Pick<ResumeOptions, 'journal' | 'onDeclined' | 'polling' | 'signal'> {
  /**
   * The tenders of an order, as they were given to `settle`. Without them, and where it gives `undefined`, nothing is
   * sent for the order: it is read, and what it shows is taken over.
   */
  tenders?: ((orderId: string) => readonly Tender[] | undefined | Promise<readonly Tender[] | undefined>) | undefined;
  /** Milliseconds for all orders together. */
  deadline?: number | undefined;
}

/** How one order was gone on with. */
export type ResumedOrder =
  | {
      /** The order that was being paid. */
      readonly orderId: string;
      /** What its settlement has come to; `status` tells whether all is paid. */
      readonly settlement: Settlement;
    }
  | {
      /** The order that was being paid. */
      readonly orderId: string;
      /** Why it could not be resumed; the journal keeps it for the next time. */
      readonly error: unknown;
    };

export interface ResumeAllDeps {
  readonly clock: Clock;
  readonly closing?: Closing | undefined;
  readonly journal: PaymentJournal;
  readonly resume: (orderId: string, options: ResumeOptions) => Promise<Settlement>;
}

const OPTIONS: Readonly<Record<keyof ResumeAllOptions, true>> = {
  journal: true,
  tenders: true,
  onDeclined: true,
  polling: true,
  signal: true,
  deadline: true,
};

const READ_CALL = { method: 'GET', path: '/orders/{order_id}' };

/** Goes on with the orders that the journal names as open, one after the other. */
export async function resumeAll(
  { clock, closing, journal, resume }: ResumeAllDeps,
  options: ResumeAllOptions,
): Promise<ResumedOrder[]> {
  refuseUnknownOptions(options, OPTIONS);
  const { tenders, onDeclined, polling, signal, deadline } = options;
  if (typeof journal.open !== 'function') {
    throw new ConfigurationError(
      'This journal has no open(), so that nobody knows which orders to go on with. fileJournal and storeJournal have; ' +
        'give one of them, or call resume for each order.',
    );
  }
  const limit = startTimeLimit(clock, { signal, deadline } as TimeLimitOptions, { ...READ_CALL, closing });
  try {
    const results: ResumedOrder[] = [];
    for (const orderId of await limit.bound(idsOf(journal.open()))) {
      limit.waits.throwIfAborted();
      try {
        const given = await limit.ask(() => tenders?.(orderId));
        const settlement = await resume(orderId, { tenders: given, onDeclined, polling, ...limit.forCall() });
        results.push({ orderId, settlement });
      } catch (error) {
        limit.waits.throwIfAborted();
        results.push({ orderId, error });
      }
    }
    return results;
  } finally {
    limit.end();
  }
}

/** All of them first: going on with an order changes what is open. */
async function idsOf(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all;
}
