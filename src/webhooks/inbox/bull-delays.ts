import { monotonicNow, systemClock } from '../../platform/clock.js';
import type { BullQueueLike } from './bull-clients.js';

/** Of the delayed entries, those that are due first. */
const MOST_LOOKED_AT = 100;

interface Seen {
  readonly since: number;
  readonly attemptsMade: number;
}

/**
 * Ends delays that have passed. BullMQ counts them by the wall clock of whichever process looks: one that was set back by
 * an hour would leave an entry that has a second to wait where it is for an hour. This counts how long a process has seen
 * an entry wait, on its monotonic clock.
 */
export class BullDelays {
  readonly #queue: BullQueueLike;
  #seen = new Map<string, Seen>();

  constructor(queue: BullQueueLike) {
    this.#queue = queue;
  }

  /** Looks once; entries that have been seen for as long as they were to wait are handled next. */
  async look(): Promise<void> {
    const now = monotonicNow(systemClock);
    const seen = new Map<string, Seen>();
    for (const job of await this.#queue.getDelayed(0, MOST_LOOKED_AT - 1)) {
      const { id, delay, attemptsMade } = job;
      if (id === undefined) continue;
      const before = this.#seen.get(id);
      const since = before?.attemptsMade === attemptsMade ? before.since : now;
      // It may have left the delayed ones since they were read.
      if (now - since >= delay && before) await job.promote().catch(() => {});
      else seen.set(id, { since, attemptsMade });
    }
    this.#seen = seen;
  }
}
