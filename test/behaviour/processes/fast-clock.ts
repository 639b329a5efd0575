import type { Clock } from '../../../src/platform/clock.js';

/** Time that runs faster than it does, and alike in all processes that are given the same `epoch` (milliseconds). */
export function fastClock(speed: number, epoch: number): Clock {
  return {
    now: () => epoch + (Date.now() - epoch) * speed,
    monotonic: () => performance.now() * speed,
    setTimer(callback, delayMs, options) {
      const timer = setTimeout(callback, Math.max(0, delayMs) / speed);
      if (options?.background) timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
