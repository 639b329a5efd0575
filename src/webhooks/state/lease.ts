import type { Clock } from '../../platform/clock.js';
import type { Store } from '../../stores/store.js';

/** Marks a key whose work is finished. Leases begin with another letter. */
export const DONE = 'done';

export interface LeaseOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly key: string;
  /** How long the key stays taken after its holder has died. */
  readonly leaseMs: number;
  /** How long the work may take; then the lease is no longer renewed, and the signal ends the work. */
  readonly longestHandlerMs: number;
}

/** A key that is taken, by this process, while it works. */
export interface Lease {
  /** Ends when the lease is lost, or when the work takes longer than it may. */
  readonly signal: AbortSignal;
  /** The work is done: nobody needs to do it again within `ttlMs`. */
  complete(ttlMs: number): Promise<void>;
  /** The work is not done: whoever comes next may take the key. */
  release(): Promise<void>;
}

/**
 * Takes the key, or tells why not: `done`, or `busy` while somebody else works.
 *
 * The lease is renewed while the work goes on. A process that dies renews nothing, so that its work is open again after
 * `leaseMs` at the latest.
 */
export async function takeLease(options: LeaseOptions): Promise<Lease | 'busy' | 'done'> {
  const { store, key, leaseMs } = options;
  const token = `lease:${globalThis.crypto.randomUUID()}`;
  if (await store.setIfAbsent(key, token, { ttlMs: leaseMs })) return hold(options, token);
  const holder = await store.get(key);
  if (holder === DONE) return 'done';
  // It may have expired between the two looks.
  if (holder === undefined && (await store.setIfAbsent(key, token, { ttlMs: leaseMs }))) return hold(options, token);
  return 'busy';
}

function hold({ store, clock, key, leaseMs, longestHandlerMs }: LeaseOptions, token: string): Lease {
  const controller = new AbortController();
  const startedAt = clock.now();
  let renewedAt = startedAt;
  let held = true;
  let cancelTimer = () => {};

  const lose = (why: string): void => {
    held = false;
    controller.abort(new Error(why));
  };
  const renew = async (): Promise<void> => {
    if (!held) return;
    const now = clock.now();
    if (now - startedAt >= longestHandlerMs) return lose(`The handlers took longer than ${longestHandlerMs} ms.`);
    try {
      if (!(await store.compareAndSet(key, token, token, { ttlMs: leaseMs }))) {
        if (held) lose('The lease was lost: another process may be at it.');
        return;
      }
      renewedAt = now;
    } catch {
      // A store that fails once may answer the next time; the lease is over only when it would have expired.
      if (held && clock.now() - renewedAt >= leaseMs) return lose('The lease could not be renewed.');
    }
    arm();
  };
  const arm = (): void => {
    if (!held) return;
    const delayMs = Math.min(leaseMs / 3, Math.max(1, startedAt + longestHandlerMs - clock.now()));
    cancelTimer = clock.setTimer(() => void renew(), delayMs, { background: true });
  };
  const letGo = (): void => {
    held = false;
    cancelTimer();
  };

  arm();
  return {
    signal: controller.signal,
    async complete(ttlMs) {
      letGo();
      // Whoever holds the key by now: the work is done.
      await store.set(key, DONE, { ttlMs });
    },
    async release() {
      letGo();
      await store.compareAndDelete(key, token);
    },
  };
}
