import type { Clock } from '../../../../src/platform/clock.js';

/** A clock that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Moves on, firing due timers in their order, and lets what they started go on. */
  advance(milliseconds: number): Promise<void>;
  /** Timers not yet fired; those of somebody who waits, and all. */
  pending(): { foreground: number; all: number };
}

export function virtualClock(startMs = Date.parse('2026-01-15T14:30:00Z')): VirtualClock {
  let now = startMs;
  const timers = new Set<{ at: number; callback: () => void; background: boolean }>();
  return {
    now: () => now,
    setTimer(callback, delayMs, options) {
      const timer = { at: now + Math.max(0, delayMs), callback, background: options?.background ?? false };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await settle();
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = due.at;
        due.callback();
      }
      now = end;
      await settle();
    },
    pending: () => ({ foreground: [...timers].filter((timer) => !timer.background).length, all: timers.size }),
  };
}

/** Lets promises that are ready go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
