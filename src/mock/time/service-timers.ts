import { type Clock, monotonicNow } from '../../platform/clock.js';

/** The timers of the service itself on a clock that it shares with its clients; a reset drops them all. */
export class ServiceTimers implements Clock {
  readonly #clock: Clock;
  readonly #offsetMs: () => number;
  readonly #cancels = new Set<() => void>();

  /** `offsetMs`: how far the service's own clock is ahead. */
  constructor(clock: Clock, offsetMs: () => number = () => 0) {
    this.#clock = clock;
    this.#offsetMs = offsetMs;
  }

  now(): number {
    return this.#clock.now() + this.#offsetMs();
  }

  monotonic(): number {
    return monotonicNow(this.#clock);
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    const stop = this.#clock.setTimer(
      () => {
        this.#cancels.delete(cancel);
        callback();
      },
      delayMs,
      // What the store does later never keeps a process alive.
      { background: true },
    );
    const cancel = (): void => {
      this.#cancels.delete(cancel);
      stop();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  clear(): void {
    for (const cancel of [...this.#cancels]) cancel();
  }
}
