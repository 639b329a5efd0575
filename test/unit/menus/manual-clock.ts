import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../src/platform/clock.js';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves the time forward; timers on the way run in order, and what they started settles before the next one. */
  advance(ms: number): Promise<void>;
  /** How many timers wait. */
  pending(): number;
}

export function manualClock(start: string): ManualClock {
  let now = Date.parse(start);
  let order = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  const nextTimer = () => [...timers].sort(([a, one], [b, other]) => one.at - other.at || a - b)[0];
  return {
    now: () => now,
    setTimer(callback, delayMs) {
      order += 1;
      const own = order;
      timers.set(own, { at: now + delayMs, callback });
      return () => timers.delete(own);
    },
    pending: () => timers.size,
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let next = nextTimer(); next && next[1].at <= until; next = nextTimer()) {
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].callback();
        await settle();
      }
      now = until;
    },
  };
}

/** Lets everything that needs no timer finish. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}
