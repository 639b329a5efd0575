import { type Clock, monotonicNow } from '../../platform/clock.js';

/**
 * A timer that fires this many milliseconds late shows that the event loop was blocked: a response may lie unread in the
 * socket, and is read before the attempt ends.
 */
const BLOCKED_MS = 2;

/** What is watched. */
export interface Watched {
  /** On the monotonic reading of the clock. */
  readonly dueAt: number;
  /** Kept by the timer: where it stands among those that are watched; -1 when it does not. */
  place: number;
  expire(): void;
}

/**
 * Bounds every attempt of a client with one timer, armed for the earliest end. A timer and a signal per call would cost
 * a third of the whole call.
 */
export class AttemptTimer {
  readonly #clock: Clock;
  /**
   * In no order, and no Set: the tables that a Set leaves behind form a chain, by which the garbage collector took each call
   * for one that lives on. 20,000 calls held 26 MB more.
   */
  readonly #watched: Watched[] = [];
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel: () => void = () => {};
  readonly #waiting: (() => void)[] = [];

  readonly #onIdle: () => void;

  /** @param onIdle - called whenever the last attempt under way has ended. */
  constructor(clock: Clock, onIdle: () => void = () => {}) {
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /** Calls `expire` of what is watched at its instant, unless it is forgotten before. */
  watch(entry: Watched): void {
    entry.place = this.#watched.push(entry) - 1;
    if (entry.dueAt < this.#armedFor) this.#arm(entry.dueAt);
  }

  forget(entry: Watched): void {
    const { place } = entry;
    if (place < 0) return;
    const last = this.#watched.pop() as Watched;
    if (last !== entry) {
      this.#watched[place] = last;
      last.place = place;
    }
    entry.place = -1;
    if (this.#watched.length > 0) return;
    this.#onIdle();
    if (this.#waiting.length > 0) for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when no attempt is under way. */
  whenIdle(): Promise<void> {
    if (this.#watched.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Cancels the timer of a client that closes, unless attempts are still under way. */
  stop(): void {
    if (this.#watched.length > 0) return;
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #expire(entry: Watched): void {
    if (entry.place < 0) return;
    this.forget(entry);
    entry.expire();
  }

  #arm(dueAt: number): void {
    this.#cancel();
    this.#armedFor = dueAt;
    this.#cancel = this.#clock.setTimer(() => this.#fire(), Math.max(0, dueAt - monotonicNow(this.#clock)), {
      background: true,
    });
  }

  #fire(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = monotonicNow(this.#clock);
    let next = Number.POSITIVE_INFINITY;
    // Of a copy: whoever ends leaves the list, and may begin another attempt.
    for (const entry of [...this.#watched]) {
      if (entry.dueAt > now) next = Math.min(next, entry.dueAt);
      else if (now - entry.dueAt < BLOCKED_MS) this.#expire(entry);
      else afterReading(() => this.#expire(entry));
    }
    if (next < this.#armedFor) this.#arm(next);
  }
}

/** Runs `work` once the event loop has read what lies in its sockets. */
function afterReading(work: () => void): void {
  if (typeof setImmediate === 'function') setImmediate(work);
  else setTimeout(work, 0);
}
