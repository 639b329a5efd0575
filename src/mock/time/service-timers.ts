import { type Clock, monotonicNow } from '../../platform/clock.js';

/** The timers of the service itself on a clock that it shares with its clients; a reset drops them all. */
export class ServiceTimers implements Clock {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
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
