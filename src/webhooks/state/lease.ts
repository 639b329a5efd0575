import { type Clock, monotonicNow } from '../../platform/clock.js';
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
  /** The work is not done: whoever comes next may take the key. Never rejects: the lease expires by itself. */
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
  try {
    if (await store.setIfAbsent(key, token, { ttlMs: leaseMs })) return new HeldLease(options, token);
    const holder = await store.get(key);
    if (holder === DONE) return 'done';
    // It may have expired between the two reads.
    const isFree = holder === undefined && (await store.setIfAbsent(key, token, { ttlMs: leaseMs }));
    return isFree ? new HeldLease(options, token) : 'busy';
  } catch (error) {
    // A store that did not respond in time may still execute the write: nobody would renew that lease.
    store.compareAndDelete(key, token).catch(() => {});
    throw error;
  }
}

class HeldLease implements Lease {
  readonly #options: LeaseOptions;
  readonly #token: string;
  readonly #controller = new AbortController();
  readonly #startedAt: number;
  #renewedAt: number;
  #held = true;
  #cancelTimer = () => {};

  constructor(options: LeaseOptions, token: string) {
    this.#options = options;
    this.#token = token;
    this.#startedAt = this.#renewedAt = monotonicNow(options.clock);
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async complete(ttlMs: number): Promise<void> {
    this.#letGo();
    // Whoever holds the key by now: the work is done.
    await this.#options.store.set(this.#options.key, DONE, { ttlMs });
  }

  async release(): Promise<void> {
    this.#letGo();
    await this.#options.store.compareAndDelete(this.#options.key, this.#token).catch(() => {});
  }

  async #renew(): Promise<void> {
    const { store, clock, key, leaseMs, longestHandlerMs } = this.#options;
    const now = monotonicNow(clock);
    if (now - this.#startedAt >= longestHandlerMs) {
      return this.#lose(`The handlers took longer than ${longestHandlerMs} ms.`);
    }
    try {
      if (!(await store.compareAndSet(key, this.#token, this.#token, { ttlMs: leaseMs }))) {
        return this.#lose('The lease was lost: another process may have taken it.');
      }
      this.#renewedAt = now;
    } catch {
      // A store that fails once may respond the next time; the lease is over only when it would have expired.
      if (monotonicNow(clock) - this.#renewedAt >= leaseMs) return this.#lose('The lease could not be renewed.');
    }
    this.#arm();
  }

  #arm(): void {
    if (!this.#held) return;
    const { clock, leaseMs, longestHandlerMs } = this.#options;
    const remainingMs = this.#startedAt + longestHandlerMs - monotonicNow(clock);
    const delayMs = Math.min(leaseMs / 3, Math.max(1, remainingMs));
    this.#cancelTimer = clock.setTimer(() => void this.#renew(), delayMs, { background: true });
  }

  #letGo(): void {
    this.#held = false;
    this.#cancelTimer();
  }

  #lose(why: string): void {
    if (!this.#held) return;
    this.#letGo();
    this.#controller.abort(new Error(why));
  }
}
