import { type LeaseOptions, takeLease } from '../../concurrency/lease.js';
import { uniqueName } from '../../platform/unique-name.js';

/** Marks an event whose handlers have run, in the place of the lease. A holder's name begins with another letter. */
const DONE = 'done';

/** An event that this process may handle. */
export interface EventLease {
  /** Aborted when the lease is lost, or when the work takes longer than it may. */
  readonly signal: AbortSignal;
  /** The event is handled: no process takes it again within `ttlMs`. */
  complete(ttlMs: number): Promise<void>;
  /** The event is not handled: any process may take it. Never rejects: the lease expires by itself. */
  release(): Promise<void>;
}

/**
 * Takes an event that is not handled yet.
 *
 * @returns `done` when it is handled, `busy` while another holder is at work.
 * @throws What the store throws.
 */
export async function takeEvent(options: Omit<LeaseOptions, 'holder'>): Promise<EventLease | 'busy' | 'done'> {
  const { store, key } = options;
  const holder = `lease:${uniqueName()}`;
  let lease = await takeLease({ ...options, holder });
  if (!lease) {
    const mark = await store.get(key);
    if (mark === DONE) return 'done';
    // It may have expired between the two reads.
    lease = mark === undefined ? await takeLease({ ...options, holder }) : undefined;
  }
  if (!lease) return 'busy';
  const { signal, stop, release } = lease;
  return {
    signal,
    async complete(ttlMs) {
      stop();
      // Whichever process holds the key by now: the work is done.
      await store.set(key, DONE, { ttlMs });
    },
    release: () => release().catch(() => {}),
  };
}
