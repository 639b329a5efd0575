import type { ResolvedPolling } from '../../orders/polling.js';
import { startTimeLimit, type TimeLimitOptions } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import { lockOrder } from '../journal/order-lock.js';
import type { DeclineHandler } from './decline.js';
import { inTurn } from './order-queue.js';
import type { SettleContext, Work } from './work.js';

/** Whose payments are worked on, and how. */
export interface OrderWork {
  readonly orderId: string;
  readonly context: SettleContext;
  readonly journal: PaymentJournal;
  readonly polling: ResolvedPolling;
  readonly onDeclined: DeclineHandler | undefined;
  readonly mayRepeat: boolean;
  readonly time: TimeLimitOptions;
}

const PAYMENT_CALL = { method: 'POST', path: '/orders/{order_id}/payments' };

/** Runs `act` while this process, and in it this call alone, works on the payments of the order. */
export async function withOrder<T>(options: OrderWork, act: (work: Work) => Promise<T>): Promise<T> {
  const { orderId, context, journal, polling, onDeclined, mayRepeat, time } = options;
  const { clock, leaseMs, newKey, digests } = context;
  const limit = startTimeLimit(clock, time, PAYMENT_CALL);
  try {
    return await inTurn(orderId, limit.signal, async () => {
      const { signal } = limit;
      const { newSalt } = digests;
      const book = await lockOrder({ journal, orderId, clock, leaseMs, owner: newKey(), newSalt, signal });
      try {
        return await act({
          orderId,
          context,
          journal,
          book,
          limit,
          polling,
          onDeclined,
          mayRepeat,
          tenders: new Map(),
          bodies: new Map(),
          exhausted: new Set(),
          payments: new Map(),
          reasons: new Map(),
          order: undefined,
          serverAheadMs: 0,
        });
      } finally {
        await book.release();
      }
    });
  } finally {
    limit.end();
  }
}
