import { type Lease, type LeaseOptions, takeLease } from '../../concurrency/lease.js';
import { KeyedMutex } from '../../concurrency/mutex.js';
import { monotonicNow, sleep } from '../../platform/clock.js';
import { uniqueName } from '../../platform/unique-name.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import { within } from '../../platform/within.js';

export interface SubjectLockOptions extends Omit<LeaseOptions, 'key' | 'holder'> {
  readonly prefix: string;
  /** How long to wait for another holder, in milliseconds. */
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
  readonly #mutex = new KeyedMutex();

  constructor(options: SubjectLockOptions) {
    this.#options = options;
  }

  /** Runs the work alone; `busy` when another holder does not release the subject in time. */
  async run<Result>(subject: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | 'busy'> {
    const { clock, lockWaitMs } = this.#options;
    const endsAt = monotonicNow(clock) + lockWaitMs;
    const place = this.#mutex.enter(subject);
    try {
      // Those who came earlier never fail: what fails is the wait.
      const isLate =
        place.earlier && (await within(clock, lockWaitMs, 'the lock', () => place.earlier).catch(() => true));
      if (isLate) return 'busy';
      const lease = await this.#take(subject, endsAt);
      return lease ? await underLease(lease, work) : 'busy';
    } finally {
      place.leave();
    }
  }

  async #take(subject: string, endsAt: number): Promise<Lease | undefined> {
    const { clock, prefix } = this.#options;
    for (;;) {
      const lease = await takeLease({ ...this.#options, key: `${prefix}lock:${subject}`, holder: uniqueName() });
      if (lease || monotonicNow(clock) >= endsAt) return lease;
      await sleep(clock, POLL_MS);
    }
  }
}

async function underLease<Result>(lease: Lease, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  try {
    const result = await unlessAborted(work(lease.signal), lease.signal);
    await lease.release().catch(() => {});
    return result;
  } catch (error) {
    // Not awaited: if the store is what failed, the delivery has waited for it long enough.
    lease.release().catch(() => {});
    throw error;
  }
}
