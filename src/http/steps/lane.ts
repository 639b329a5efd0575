import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import { watchEnd } from '../exchange/wait.js';
import { Pace } from './pace.js';

/** A pace that was not needed for this long, in milliseconds, is forgotten. */
const FORGOTTEN_AFTER_MS = 60_000;

/** For so long, in milliseconds, a call that was refused before waits for others to go first after a cool-down. */
const YIELDS_MS = 5;

interface Waiter {
  /** How often the call was sent before. */
  readonly attempts: number;
  /** Until then others go first while calls may well be refused; an instant of the monotonic reading. */
  readonly yieldsUntil: number;
  readonly grant: () => void;
}

/** The calls of one width after a cool-down: they leave one after the other, at the pace that the service takes. */
export class Lane {
  readonly #clock: Clock;
  readonly #pace = new Pace();
  readonly #queue = new Set<Waiter>();
  /** Calls that may leave, and have not yet. */
  #granted = 0;
  #usedAt: number;
  #cancelTimer = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#usedAt = monotonicNow(clock);
  }

  /** True when no call has needed it for a minute. */
  isForgotten(now: number): boolean {
    return this.#queue.size === 0 && this.#granted === 0 && now - this.#usedAt >= FORGOTTEN_AFTER_MS;
  }

  /** Gives the right to leave at once, if there is room and no other call waits. One that `yields` lets others go first. */
  tryGrant(yields: boolean): boolean {
    const now = monotonicNow(this.#clock);
    if (this.#queue.size > 0 || this.#pace.delayMs(now, this.#granted) > 0) return false;
    if (yields && this.#pace.isProbing) return false;
    this.#pace.rest(now);
    this.#granted += 1;
    return true;
  }

  /**
   * Waits for the right to leave. While nothing is known of the pace, a call waits for the responses of those before it,
   * for at most its own time-out; then it goes itself. Once the pace is known, a wait that the call's `maxWait` or
   * deadline does not allow fails at once.
   */
  waitForGrant(call: Call, yields: boolean): Promise<void> {
    const clock = this.#clock;
    const { deadlineAt, maxWait, timeout } = call.settings;
    const startedAt = monotonicNow(clock);
    const expectedMs = this.#expectedMs(startedAt);
    if (expectedMs > maxWait || startedAt + expectedMs >= deadlineAt) {
      return Promise.reject(pausedFailure(expectedMs));
    }
    const patienceMs = Math.min(timeout, maxWait);
    return new Promise((resolve, reject) => {
      let cancelTimer = (): void => {};
      const finish = (settle: () => void): void => {
        cancelTimer();
        stopWatching();
        this.#queue.delete(waiter);
        settle();
      };
      const yieldsUntil = yields ? startedAt + YIELDS_MS : startedAt;
      const waiter: Waiter = { attempts: call.log.attempts, yieldsUntil, grant: () => finish(resolve) };
      const onTime = (): void => {
        const now = monotonicNow(clock);
        if (now >= deadlineAt) return finish(() => reject(new Failure({ kind: 'deadline', written: false })));
        const isStalled = this.#pace.perSecond === undefined && now - this.#stalledSince(startedAt) >= patienceMs;
        if (isStalled) {
          this.#granted += 1;
          return finish(resolve);
        }
        if (now - startedAt >= maxWait) return finish(() => reject(pausedFailure(Math.max(1, this.#expectedMs(now)))));
        arm(now);
      };
      const arm = (now: number): void => {
        const due = Math.min(deadlineAt, startedAt + maxWait, this.#stalledSince(startedAt) + patienceMs);
        cancelTimer = clock.setTimer(onTime, Math.max(1, due > now ? due - now : patienceMs));
      };
      const stopWatching = watchEnd(call, (failure) => finish(() => reject(failure)));
      this.#queue.add(waiter);
      arm(startedAt);
      this.#pump();
    });
  }

  /** Gives a right back that was not used. */
  giveBack(): void {
    this.#granted = Math.max(0, this.#granted - 1);
    this.#pump();
  }

  /** A call that has the right leaves. */
  leave(now: number): void {
    this.#granted = Math.max(0, this.#granted - 1);
    this.#pace.leave(now);
    this.#usedAt = now;
    this.#pump();
  }

  ended(isAccepted: boolean): void {
    this.#pace.ended(monotonicNow(this.#clock), isAccepted);
    this.#pump();
  }

  refused(sentAt: number, pauseEndsAt: number): void {
    const now = monotonicNow(this.#clock);
    this.#pace.refused(now, sentAt, pauseEndsAt);
    this.#usedAt = Math.max(now, pauseEndsAt);
    this.#pump();
  }

  #pump(): void {
    this.#cancelTimer();
    const now = monotonicNow(this.#clock);
    this.#pace.grow(now);
    for (let waiter = this.#next(); waiter; waiter = this.#next()) {
      const yieldMs = this.#pace.isProbing ? waiter.yieldsUntil - now : 0;
      const delayMs = Math.max(this.#pace.delayMs(now, this.#granted), yieldMs);
      if (delayMs > 0) {
        if (Number.isFinite(delayMs)) {
          // In the background: each waiter has a timer of its own that holds the process.
          this.#cancelTimer = this.#clock.setTimer(() => this.#pump(), Math.ceil(delayMs), { background: true });
        }
        return;
      }
      this.#granted += 1;
      waiter.grant();
    }
  }

  /** Who waits longest; while calls may well be refused, who was refused least: so nobody's attempts are used up. */
  #next(): Waiter | undefined {
    const [first] = this.#queue;
    if (!first || !this.#pace.isProbing) return first;
    let least = first;
    for (const waiter of this.#queue) {
      if (waiter.attempts === 0) return waiter;
      if (waiter.attempts < least.attempts) least = waiter;
    }
    return least;
  }

  #stalledSince(startedAt: number): number {
    return Math.max(startedAt, this.#pace.endedAt);
  }

  #expectedMs(now: number): number {
    if (this.#pace.perSecond === undefined) return 0;
    return this.#pace.delayMs(now, this.#granted) + this.#pace.spanMs(this.#queue.size);
  }
}

export function pausedFailure(remainingMs: number): Failure {
  return new Failure({ kind: 'paused', written: false, retryAfterSeconds: Math.ceil(remainingMs / 1000) });
}
