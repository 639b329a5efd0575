import { type Clock, monotonicNow } from '../platform/clock.js';
import type { Store } from '../stores/store.js';

export interface LeaseOptions {
  /** Its operations must end: see `boundedStore`. */
  readonly store: Store;
  readonly clock: Clock;
  readonly key: string;
  /** Written under the key; no other holder may have the same. */
  readonly holder: string;
  /** How long the key stays taken after its holder has died, in milliseconds. */
  readonly ttlMs: number;
  /** How long the work may take, in milliseconds; then the lease is renewed no more, and its signal ends. @defaultValue no limit */
  readonly longestMs?: number | undefined;
}

/** A right that ends with time, and is renewed while the work of its holder goes on. */
export interface Lease {
  /** Aborted when the lease is lost, or when the work takes longer than it may. */
  readonly signal: AbortSignal;
  /**
   * Whether no other holder can have it at this moment, on this process's monotonic clock: what must not happen twice is
   * asked just before it happens, since a process that was stopped hears of nothing in between.
   */
  isHeld(): boolean;
  /** Stops renewing, and leaves the key as it is. */
  stop(): void;
  /** Gives the key back, unless another holder has it by now. */
  release(): Promise<void>;
}

/**
 * Takes the key; `undefined` while another holder has it.
 *
 * A holder that dies renews nothing, so that the key is free again after `ttlMs` at the latest. A lease is no proof: a
 * process that was stopped for longer than `ttlMs` still believes to hold it. It avoids double work, and nothing more.
 *
 * @throws What the store throws. The key may then have been taken, so it is given back.
 */
export async function takeLease(options: LeaseOptions): Promise<Lease | undefined> {
  const { store, clock, key, holder, ttlMs } = options;
  const askedAt = monotonicNow(clock);
  try {
    return (await store.setIfAbsent(key, holder, { ttlMs })) ? hold(options, askedAt) : undefined;
  } catch (error) {
    store.compareAndDelete(key, holder).catch(() => {}); // It expires by itself.
    throw error;
  }
}

const LOST = 'The lease was lost: another holder may be at work.';

function hold(
  { store, clock, key, holder, ttlMs, longestMs = Number.POSITIVE_INFINITY }: LeaseOptions,
  askedAt: number,
): Lease {
  const controller = new AbortController();
  const endsAt = monotonicNow(clock) + longestMs;
  // From the request on, and not from the response: the store counts from some moment in between.
  let validUntil = askedAt + ttlMs;
  let isHeld = true;
  let cancelTimer = (): void => {};

  const stop = (): void => {
    isHeld = false;
    cancelTimer();
  };
  const lose = (why: string): void => {
    stop();
    controller.abort(new Error(why));
  };
  const renew = async (): Promise<void> => {
    const now = monotonicNow(clock);
    if (now >= endsAt) return lose(`The work took longer than ${longestMs} ms.`);
    try {
      const isRenewed = await store.compareAndSet(key, holder, holder, { ttlMs });
      if (!isHeld) return;
      if (!isRenewed) return lose(LOST);
      validUntil = now + ttlMs;
    } catch {
      // A store that fails once may respond the next time; the lease is over only when it has expired.
      if (!isHeld) return;
      if (monotonicNow(clock) >= validUntil) return lose(LOST);
    }
    arm();
  };
  const arm = (): void => {
    const delayMs = Math.max(1, Math.min(ttlMs / 3, endsAt - monotonicNow(clock)));
    cancelTimer = clock.setTimer(() => void renew(), delayMs, { background: true });
  };

  arm();
  return {
    signal: controller.signal,
    isHeld: () => isHeld && monotonicNow(clock) < validUntil,
    stop,
    async release() {
      stop();
      await store.compareAndDelete(key, holder);
    },
  };
}
