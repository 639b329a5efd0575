/** Time as a parameter: the system's clock in production, a virtual one in tests. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Runs `callback` once, `delayMs` milliseconds from now, and returns a function that cancels it.
   *
   * A timer marked `background` must not keep a process alive; one without the mark belongs to a call that
   * somebody awaits, and holds the process until it fires or is cancelled.
   */
  setTimer(callback: () => void, delayMs: number, options?: TimerOptions): () => void;
  /**
   * Tells a virtual clock that the process is at work, though nothing shows it (key derivation in a thread of its own),
   * so that its time stands still meanwhile. Real clocks have no use for it.
   */
  during?<T>(work: () => Promise<T>): Promise<T>;
}

/** What a timer is for. */
export interface TimerOptions {
  /** True for work that nobody awaits (renewals, sweeps, time-outs beside an open socket). @defaultValue false */
  background?: boolean;
}

/** Timers above this many milliseconds fire at once in JavaScript runtimes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of the system. Timers are looked up at each call, so that fake timers installed later are honoured. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs, options) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (remainingMs: number): void => {
      const step = Math.min(remainingMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (remainingMs > step ? arm(remainingMs - step) : callback()), step);
      // Numbers in runtimes that follow the browser; those have no process to keep alive.
      if (options?.background && typeof timer === 'object') timer.unref?.();
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Waits `delayMs` milliseconds; rejects at once with the reason of `signal` when that is aborted. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal, options?: TimerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.setTimer(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      delayMs,
      options,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
