import { onAbort } from './on-abort.js';

/**
 * Time as a parameter: the system's clock in production, a virtual one in tests.
 *
 * It has two readings. Wall time may step backwards and forwards (NTP, a resumed machine); it serves tokens, keys and
 * dates. The monotonic reading never steps; every duration (time-outs, deadlines, waits, leases) is measured with it.
 */
export interface Clock {
  /** Wall time: milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Milliseconds since an arbitrary origin; never decreases, and ignores steps of the wall clock.
   *
   * A clock without it is read with `now()`: right for a clock that never steps.
   */
  monotonic?(): number;
  /**
   * Runs `callback` once, `delayMs` milliseconds from now on the monotonic reading, and returns a function that
   * cancels it.
   *
   * A timer marked `background` must not keep a process alive; one without the mark belongs to a call that
   * is awaited, and holds the process until it fires or is cancelled.
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
  /** True for work that no caller awaits (renewals, sweeps, time-outs beside an open socket). @defaultValue false */
  background?: boolean;
}

/** Timers above this many milliseconds fire at once in JavaScript runtimes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The monotonic reading of a clock, in milliseconds. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now();
}

/** The clock of the system. Timers are looked up at each call, so that fake timers installed later are honoured. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
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
    const ignore =
      signal &&
      onAbort(signal, () => {
        cancel();
        reject(signal.reason);
      });
    const cancel = clock.setTimer(
      () => {
        ignore?.();
        resolve();
      },
      delayMs,
      options,
    );
  });
}
