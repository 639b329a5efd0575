/** A timer that waits. */
export interface Timer {
  readonly callback: () => void;
  readonly dueAtMs: number;
  readonly background: boolean;
  /** The how manieth it was to be set. */
  readonly number: number;
}

interface Entry {
  readonly timer: Timer;
  /** Where it stands in the heap. */
  at: number;
}

/** Timers by the instant at which they are due: a binary heap, so that thousands of them cost little. */
export class TimerQueue {
  readonly #heap: Entry[] = [];
  readonly #entries = new Map<Timer, Entry>();

  get first(): Timer | undefined {
    return this.#heap[0]?.timer;
  }

  add(timer: Timer): void {
    const entry = { timer, at: this.#heap.length };
    this.#entries.set(timer, entry);
    this.#heap.push(entry);
    this.#rise(entry);
  }

  /** Does nothing for one that is not there any more. */
  remove(timer: Timer): void {
    const entry = this.#entries.get(timer);
    if (!entry) return;
    this.#entries.delete(timer);
    const last = this.#heap.pop()!;
    if (last === entry) return;
    this.#place(last, entry.at);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(entry: Entry): void {
    while (entry.at > 0) {
      const above = this.#heap[(entry.at - 1) >> 1]!;
      if (!isBefore(entry.timer, above.timer)) return;
      this.#swap(entry, above);
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const [left, right] = [this.#heap[2 * entry.at + 1], this.#heap[2 * entry.at + 2]];
      const below = left && right && isBefore(right.timer, left.timer) ? right : left;
      if (!below || !isBefore(below.timer, entry.timer)) return;
      this.#swap(entry, below);
    }
  }

  #swap(one: Entry, other: Entry): void {
    const { at } = one;
    this.#place(one, other.at);
    this.#place(other, at);
  }

  #place(entry: Entry, at: number): void {
    this.#heap[at] = entry;
    entry.at = at;
  }
}

/** Of two timers for the same instant, the one that was set first comes first. */
export function isBefore(one: Timer, other: Timer): boolean {
  const byTime = one.dueAtMs - other.dueAtMs;
  return byTime < 0 || (byTime === 0 && one.number < other.number);
}
