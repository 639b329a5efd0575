import type { Clock, TimerOptions } from '../../src/platform/clock.js';

interface Timer {
  readonly dueAt: number;
  readonly background: boolean;
  readonly callback: () => void;
}

/** Lets everything that is ready run: promises, and callbacks of the event loop's present turns. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  #now: number;
  #stepMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = Date.UTC(2026, 0, 31, 10)) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#stepMs;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Steps the wall reading alone, as NTP or a resumed machine does; negative steps go back. */
  step(ms: number): void {
    this.#stepMs += ms;
  }

  /** The process was suspended: time has passed, and timers that fell due meanwhile are late until it moves again. */
  suspend(ms: number): void {
    this.#now += ms;
  }

  setTimer(callback: () => void, delayMs: number, options?: TimerOptions): () => void {
    const timer = {
      dueAt: this.#now + Math.max(0, delayMs),
      background: options?.background ?? false,
      callback,
    };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time forward; timers that become due run in the order of their instants, and see theirs. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await settle();
    for (let timer = this.#next(target); timer; timer = this.#next(target)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.dueAt);
      timer.callback();
      await settle();
    }
    this.#now = target;
    await settle();
  }

  /** Timers that would keep a process alive. */
  get foregroundTimers(): number {
    return [...this.#timers].filter(({ background }) => !background).length;
  }

  get backgroundTimers(): number {
    return this.#timers.size - this.foregroundTimers;
  }

  #next(target: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= target);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
