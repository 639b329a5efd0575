import { type Clock, monotonicNow, sleep } from '../../platform/clock.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import { type Lease, type LeaseOptions, takeLease } from './lease.js';

export interface SubjectLockOptions extends Omit<LeaseOptions, 'key'> {
  readonly prefix: string;
  /** How long to wait for another holder. */
  readonly lockWaitMs: number;
}

/** How often a lock held by another process is tried again. */
const POLL_MS = 50;

/**
 * One at a time for each subject (an order, a location's stock), in this process and in all that share the store.
 *
 * Without it, an older event whose handler is slow would overwrite what a newer one has written meanwhile, and a
 * delivery and the reconciler would both handle the change that they both just found unhandled.
 */
export class SubjectLocks {
  readonly #options: SubjectLockOptions;
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(options: SubjectLockOptions) {
    this.#options = options;
  }

  /** Runs the work alone; `busy` when another holder does not let go in time. */
  async run<Result>(subject: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | 'busy'> {
    const before = this.#queues.get(subject);
    const turn = this.#afterOthers(before, subject, work);
    const settled = turn.then(
      () => {},
      () => {},
    );
    // Waiters queue behind everybody who came before, even when one of those gives up.
    const tail = Promise.all([before, settled]);
    this.#queues.set(subject, tail);
    void tail.then(() => this.#queues.get(subject) === tail && this.#queues.delete(subject));
    return turn;
  }

  async #afterOthers<Result>(
    before: Promise<unknown> | undefined,
    subject: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | 'busy'> {
    const { clock, lockWaitMs: waitMs } = this.#options;
    const endsAt = monotonicNow(clock) + waitMs;
    if (before && !(await settlesWithin(before, waitMs, clock))) return 'busy';
    const lease = await this.#take(subject, endsAt);
    if (lease === undefined) return 'busy';
    try {
      const result = await unlessAborted(work(lease.signal), lease.signal);
      await lease.release();
      return result;
    } catch (error) {
      // Not awaited: if the store is what failed, the delivery has waited for it long enough.
      void lease.release();
      throw error;
    }
  }

  async #take(subject: string, endsAt: number): Promise<Lease | undefined> {
    const { clock, prefix } = this.#options;
    for (;;) {
      const lease = await takeLease({ ...this.#options, key: `${prefix}lock:${subject}` });
      if (typeof lease !== 'string') return lease;
      if (monotonicNow(clock) >= endsAt) return undefined;
      await sleep(clock, POLL_MS);
    }
  }
}

async function settlesWithin(before: Promise<unknown>, waitMs: number, clock: Clock): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<false>((resolve) => {
    cancel = clock.setTimer(() => resolve(false), waitMs);
  });
  const first = await Promise.race([before.then(() => true as const), late]);
  cancel();
  return first;
}
