import type { ResolvedPolling } from '../../polling.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import { startTimeLimit } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import { lockOrder } from '../journal/order-lock.js';
import { emptyRecord, journalId, parseRecord } from '../journal/record.js';
import { ask } from './ask.js';
import type { DeclineHandler } from './decline.js';
import { nextStep, type Step } from './next-step.js';
import { inTurn } from './order-queue.js';
import { refusalError } from './refusals.js';
import { type SettleContext, SettlementRun } from './run.js';
import { adopt, cancel, decline, leaveOut, plan, send } from './steps.js';

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

/** Runs `act` while this process, and in it this call alone, works on the payments of the order. */
export async function withRun<T>(parts: OrderRun, act: (run: SettlementRun) => Promise<T>): Promise<T> {
  const { context, orderId, journal, time } = parts;
  const { clock, closing, digests, leaseMs, origin, newKey } = context;
  const id = journalId(orderId);
  const limit = startTimeLimit(clock, time, { ...PAYMENT_CALL, closing });
  const recordOf = (text: string | undefined) =>
    text === undefined ? emptyRecord(id, digests.newSalt(), origin) : parseRecord(id, text, origin);
  try {
    // Nothing of this call was sent before it has the order, so that the end of the client ends these waits.
    const signal = limit.waits;
    return await inTurn(id, signal, async () => {
      const book = await lockOrder({ journal, orderId: id, clock, owner: newKey(), signal, leaseMs, recordOf });
      // Who has lost the order sends nothing more, and ends what is under way.
      limit.endWith(book.lost);
      try {
        const recordDigests = await digests.forRecord(book.record.salt, signal);
        return await act(new SettlementRun({ ...parts, book, limit, digests: recordDigests }));
      } finally {
        await book.release();
      }
    });
  } finally {
    limit.end();
  }
}

/** Takes one step after the other until none is left. */
export async function toItsEnd(run: SettlementRun): Promise<void> {
  for (;;) {
    const step = nextStep(run.known());
    if (step.kind === 'done') return;
    await take(run, step);
  }
}

function take(run: SettlementRun, step: Exclude<Step, { kind: 'done' }>): Promise<void> {
  switch (step.kind) {
    case 'look':
      return run.read(step);
    case 'adopt':
      return adopt(run, step.key, step.payment);
    case 'decline':
      return decline(run, step.key);
    case 'plan':
      return plan(run);
    case 'leave_out':
      return leaveOut(run, step.key);
    case 'send':
      return send(run, step);
    case 'ask':
      return ask(run, step.key);
    case 'cancel':
      return cancel(run, step.idempotencyKey);
    case 'unknown':
      throw new LeftUnknown(step.key, step.why);
    case 'refuse':
      throw refusalError(run.orderId, step.refusal);
  }
}

/** Ends a run whose entry cannot be decided now; it never leaves this folder. */
export class LeftUnknown extends Error {
  readonly key: string;
  readonly why: string;

  constructor(key: string, why: string) {
    super(why);
    this.key = key;
    this.why = why;
  }
}
