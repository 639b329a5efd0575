import { KeyedMutex } from '../../../concurrency/mutex.js';
import { unlessAborted } from '../../../platform/unless-aborted.js';
import type { ResolvedPolling } from '../../polling.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import { startTimeLimit } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import { lockOrder } from '../journal/order-lock.js';
import { emptyRecord, journalId, parseRecord } from '../journal/record.js';
import type { SettleContext } from './context.js';
import type { DeclineHandler } from './decline.js';
import type { Snapshot } from './known.js';
import { nextStep, type Step } from './next-step.js';
import { SettlementRun } from './run.js';

/** Whose payments are worked on, and how. */
export interface OrderRun {
  readonly context: SettleContext;
  readonly orderId: string;
  readonly journal: PaymentJournal;
  readonly polling: ResolvedPolling;
  readonly onDeclined: DeclineHandler | undefined;
  readonly sends: boolean;
  readonly only: string | undefined;
  readonly time: TimeLimitOptions;
}

const PAYMENT_CALL = { method: 'POST', path: '/orders/{order_id}/payments' };

/** One call at a time for each order, in this process. */
const orders = new KeyedMutex();

/** Runs `act` while this process, and in it this call alone, works on the payments of the order. */
export async function withRun<T>(orderRun: OrderRun, act: (run: SettlementRun) => Promise<T>): Promise<T> {
  const { context, orderId, journal, time } = orderRun;
  const { clock, random, closing, digests, leaseMs, origin, newKey } = context;
  const id = journalId(orderId);
  const limit = startTimeLimit(clock, time, { ...PAYMENT_CALL, closing });
  const recordOf = (text: string | undefined) =>
    text === undefined ? emptyRecord(id, digests.newSalt(), origin) : parseRecord(id, text, origin);
  const place = orders.enter(id);
  try {
    // Nothing of this call was sent before it has the order, so that the end of the client ends these waits.
    const signal = limit.waits;
    await unlessAborted(place.earlier ?? Promise.resolve(), signal);
    // A payment that is under way when the client closes ends by itself, and what came of it is written down.
    const heldSignal = limit.signal;
    const book = await lockOrder({
      journal,
      orderId: id,
      clock,
      random,
      owner: newKey(),
      signal,
      heldSignal,
      leaseMs,
      recordOf,
    });
    // Who has lost the order sends nothing more, and ends what is under way.
    limit.endWith(book.lost);
    try {
      const recordDigests = await digests.forRecord(book.record.salt, signal);
      return await act(new SettlementRun({ ...orderRun, book, limit, digests: recordDigests }));
    } finally {
      await book.release();
    }
  } finally {
    place.leave();
    limit.end();
  }
}

/** Takes one step after the other until none is left. */
export async function toItsEnd(run: SettlementRun, decide: (known: Snapshot) => Step = nextStep): Promise<void> {
  for (;;) {
    const step = decide(run.known());
    if (step.kind === 'done') return;
    await run.take(step);
  }
}
