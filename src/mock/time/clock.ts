import { performance } from 'node:perf_hooks';
import { type Clock, monotonicNow, systemClock, type TimerOptions } from '../../platform/clock.js';
import type { Activity } from './activity.js';
import { type Duration, milliseconds } from './duration.js';
import { isBefore, type Timer, TimerQueue } from './timer-queue.js';
import { VIRTUAL_START_MS } from './timestamp.js';

/** The last moment of a year with four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Real time without a timer or a request, after which `runUntil` gives up. */
const GIVE_UP_MS = 4000;
/** Real time without a sign of life before background timers alone (renewals, time-outs) are run. */
const BACKGROUND_GRACE_MS = 20;

/**
 * The service's clock, which a client can share: `new OnlineOrdering({ clock: service.clock, … })`.
 *
 * A virtual clock stands still until a test moves it; a real one runs, and can be moved ahead in the same way.
 */
export class MockClock implements Clock {
  #runs: boolean;
  /** Whether the wall reading is the machine's; a clock that was ever stopped has a wall time of its own. */
  #followsMachine: boolean;
  readonly #activity: Activity;
  readonly #giveUpMs: number;
  readonly #foreground = new TimerQueue();
  readonly #background = new TimerQueue();
  /** How many timers were set. */
  #timers = 0;
  /** Takes back the timers of the system that wait for the first of each queue. */
  #disarm: () => void = () => {};
  #moved: () => void = () => {};
  #offsetMs: number;
  /** How far the wall reading was stepped away from the monotonic one. */
  #stepMs = 0;

  constructor(kind: 'virtual' | 'real', activity: Activity, giveUpMs = GIVE_UP_MS) {
    this.#runs = kind === 'real';
    this.#followsMachine = this.#runs;
    this.#activity = activity;
    this.#giveUpMs = giveUpMs;
    this.#offsetMs = kind === 'virtual' ? VIRTUAL_START_MS : 0;
  }

  /** Wall time on this clock: milliseconds since the Unix epoch. */
  now(): number {
    const ownMs = this.#followsMachine ? systemClock.now() + Math.ceil(this.#offsetMs) : Math.floor(this.#flowMs());
    return ownMs + this.#stepMs;
  }

  /** Milliseconds that only `advance`, `runUntil` and, for a real clock, real time move; `step` leaves them alone. */
  monotonic(): number {
    return this.#flowMs();
  }

  /**
   * Steps the wall reading by `duration`, backwards with `{ back: true }`, as NTP or a resumed machine does. Timers and
   * the monotonic reading are not moved.
   */
  step(duration: Duration, { back = false }: { back?: boolean } = {}): void {
    const byMs = back ? -milliseconds(duration) : milliseconds(duration);
    this.#demandDate(byMs);
    this.#stepMs += byMs;
    this.#moved();
  }

  /** Whether time passes by itself. */
  get isRunning(): boolean {
    return this.#runs;
  }

  /** Lets time stand still until it is advanced, as on a virtual clock. */
  stop(): void {
    if (!this.isRunning) return;
    const nowMs = this.now();
    const flowMs = this.#flowMs();
    this.#runs = false;
    this.#followsMachine = false;
    this.#offsetMs = flowMs;
    this.#stepMs = nowMs - Math.floor(flowMs);
    this.#arm();
    this.#moved();
  }

  /** @internal Calls `listener` when the clock was moved, stopped or started. */
  onMove(listener: () => void): void {
    this.#moved = listener;
  }

  /** Lets time pass by itself from where it stands, as on a real clock. */
  start(): void {
    if (this.isRunning) return;
    const flowMs = this.#flowMs();
    this.#runs = true;
    this.#offsetMs = flowMs - monotonicNow(systemClock);
    this.#arm();
    this.#moved();
  }

  /** Every record has dates: a clock beyond them would end the service. */
  #demandDate(byMs: number): void {
    const toMs = this.now() + byMs;
    if (toMs >= 0 && toMs <= LAST_MS) return;
    throw new TypeError('The clock cannot be moved there: it keeps dates from 1970 to 9999. Write a shorter duration.');
  }

  #flowMs(): number {
    return this.#runs ? monotonicNow(systemClock) + this.#offsetMs : this.#offsetMs;
  }

  setTimer(callback: () => void, delayMs: number, options: TimerOptions = {}): () => void {
    const dueAtMs = this.#flowMs() + Math.max(0, delayMs);
    this.#timers += 1;
    const timer: Timer = { callback, dueAtMs, background: options.background ?? false, number: this.#timers };
    const queue = this.#queueOf(timer);
    queue.add(timer);
    if (queue.first === timer) this.#arm();
    return () => this.#drop(timer);
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#activity.during(work);
  }

  /**
   * Moves the clock ahead, for example by `'25h'`: what falls due runs in order, each with time for its promises to
   * settle before the next.
   */
  async advance(duration: Duration): Promise<void> {
    const byMs = milliseconds(duration);
    this.#demandDate(byMs);
    const target = this.#flowMs() + byMs;
    await this.#activity.quiet();
    for (let timer = this.#next(target); timer; timer = this.#next(target)) {
      this.#fire(timer);
      await this.#activity.quiet();
    }
    this.#moveTo(target);
    await this.#activity.quiet();
    this.#moved();
  }

  /**
   * Runs `promise` to its end without waiting: whenever the process is idle and no request is under way, the clock
   * moves to its next timer.
   *
   * @throws Error when nothing is left that could settle the promise.
   */
  async runUntil<T>(promise: PromiseLike<T>): Promise<T> {
    let settled = false;
    const end = (): void => {
      settled = true;
    };
    promise.then(end, end);
    let aliveAt = performance.now();
    while (!settled) {
      await this.#activity.quiet();
      if (settled) break;
      if (await this.#step()) aliveAt = performance.now();
      else if (!(await this.#activity.staysQuiet(BACKGROUND_GRACE_MS))) aliveAt = performance.now();
      else if (!settled && performance.now() - aliveAt > this.#giveUpMs) throw nothingToWaitFor();
    }
    return promise;
  }

  /** Runs everything up to the next foreground timer; where there are background timers only, after a grace. */
  async #step(): Promise<boolean> {
    const awaited = this.#foreground.first;
    if (!awaited && this.#background.first && !(await this.#activity.staysQuiet(BACKGROUND_GRACE_MS))) return true;
    const timer = this.#next(awaited?.dueAtMs ?? Number.POSITIVE_INFINITY);
    if (timer) this.#fire(timer);
    return timer !== undefined;
  }

  #next(untilMs: number): Timer | undefined {
    const [awaited, other] = [this.#foreground.first, this.#background.first];
    const timer = awaited && other ? (isBefore(other, awaited) ? other : awaited) : (awaited ?? other);
    return timer && timer.dueAtMs <= untilMs ? timer : undefined;
  }

  #fire(timer: Timer): void {
    this.#moveTo(timer.dueAtMs);
    this.#drop(timer);
    timer.callback();
  }

  #drop(timer: Timer): void {
    const queue = this.#queueOf(timer);
    const wasFirst = queue.first === timer;
    queue.remove(timer);
    if (wasFirst) this.#arm();
  }

  #queueOf({ background }: Timer): TimerQueue {
    return background ? this.#background : this.#foreground;
  }

  #moveTo(instantMs: number): void {
    const aheadMs = instantMs - this.#flowMs();
    if (aheadMs <= 0) return;
    this.#offsetMs += aheadMs;
    this.#arm();
  }

  /** While time passes by itself, the system waits for the first of each queue. */
  #arm(): void {
    this.#disarm();
    this.#disarm = () => {};
    if (!this.#runs) return;
    const cancels = [this.#foreground.first, this.#background.first].map((timer) => {
      if (!timer) return () => {};
      const { background, dueAtMs } = timer;
      return systemClock.setTimer(() => this.#fireAll(dueAtMs), dueAtMs - this.#flowMs(), { background });
    });
    this.#disarm = () => {
      for (const cancel of cancels) cancel();
    };
  }

  /** Runs what is due at an instant that the system may tell a moment early, and what fell due since. */
  #fireAll(dueAtMs: number): void {
    this.#moveTo(dueAtMs);
    const nowMs = this.#flowMs();
    for (let timer = this.#next(nowMs); timer; timer = this.#next(nowMs)) this.#fire(timer);
  }
}

function nothingToWaitFor(): Error {
  return new Error(
    'runUntil waits for a promise that no timer and no request of this service can settle. Give its client `clock: service.clock`, and `dispatcher: service.dispatcher` or `fetch: service.fetch`.',
  );
}
