import { type Clock, monotonicNow } from '../../../platform/clock.js';
import type { PaymentJournal } from './journal.js';
import { isOpenText } from './open-runs.js';
import { THIRTY_DAYS_MS } from './retention.js';

/** How many orders without an open run are remembered; the one written longest ago goes first. */
const MOST_ENDED = 20_000;

/**
 * The journal of a client without a store: this process's memory. Orders with an open run are never forgotten, the
 * others after 30 days, and earlier when there are more than 20,000 of them.
 */
export function memoryJournal(clock: Clock, mostEnded = MOST_ENDED): Required<PaymentJournal> {
  const open = new Map<string, string>();
  const ended = new Map<string, { text: string; writtenMs: number }>();

  const present = (id: string): string | undefined => open.get(id) ?? ended.get(id)?.text;
  const sweep = (): void => {
    for (const [id, { writtenMs }] of ended) {
      if (ended.size <= mostEnded && monotonicNow(clock) - writtenMs <= THIRTY_DAYS_MS) return;
      ended.delete(id);
    }
  };
  return {
    async read(orderId) {
      return present(orderId.toLowerCase());
    },
    async write(orderId, expected, next) {
      const id = orderId.toLowerCase();
      if (present(id) !== expected) return false;
      open.delete(id);
      ended.delete(id);
      if (isOpenText(next)) open.set(id, next);
      else ended.set(id, { text: next, writtenMs: monotonicNow(clock) });
      sweep();
      return true;
    },
    async *open() {
      yield* [...open.keys()];
    },
    async forget(orderId, expected) {
      const id = orderId.toLowerCase();
      if (present(id) !== expected) return false;
      open.delete(id);
      ended.delete(id);
      return true;
    },
  };
}
