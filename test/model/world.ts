import { isAtWork } from './threads.js';

interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

/** True time of a history, and what is still to happen in it. Nothing here waits for a real clock. */
export class World {
  readonly #due: Due[] = [];
  #now: number;
  #order = 0;
  /** Work outside the event loop (threads): time stands still meanwhile. */
  #atWork = 0;
  readonly #trace: string[] | undefined;
  readonly #startMs: number;

  constructor(options: { startMs?: number; isTraced?: boolean } = {}) {
    this.#startMs = options.startMs ?? Date.UTC(2026, 0, 31, 10);
    this.#now = this.#startMs;
    this.#trace = options.isTraced ? [] : undefined;
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(0, delayMs), order: this.#order, run, isOff: false };
    this.#order += 1;
    push(this.#due, due);
    return () => {
      due.isOff = true;
    };
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#atWork += 1;
    try {
      return await work();
    } finally {
      this.#atWork -= 1;
    }
  }

  note(text: string): void {
    this.#trace?.push(`${((this.#now - this.#startMs) / 1000).toFixed(3).padStart(10)} ${text}`);
  }

  get trace(): readonly string[] {
    return this.#trace ?? [];
  }

  /** Lets time pass until `isOver`; false when nothing more can happen, or `limitMs` of true time are over. */
  async run(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.#now + limitMs;
    for (;;) {
      await this.#rest();
      if (isOver()) return true;
      const due = pop(this.#due);
      if (!due) {
        this.#now = end;
        return false;
      }
      if (due.isOff) continue;
      if (due.at > end) {
        push(this.#due, due);
        this.#now = end;
        return false;
      }
      this.#now = due.at;
      due.run();
    }
  }

  async pass(ms: number): Promise<void> {
    await this.run(() => false, ms);
  }

  /** Lets everything run that is ready. */
  async #rest(): Promise<void> {
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#atWork > 0 || isAtWork());
  }
}

/** A binary heap: earliest first, and of the same instant what was asked for first. */
function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function push(heap: Due[], due: Due): void {
  heap.push(due);
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1;
    if (!isBefore(heap[i] as Due, heap[parent] as Due)) break;
    swap(heap, i, parent);
    i = parent;
  }
}

function pop(heap: Due[]): Due | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || first === last) return first;
  heap[0] = last;
  for (let i = 0; ; ) {
    const [left, right] = [2 * i + 1, 2 * i + 2];
    let least = i;
    if (left < heap.length && isBefore(heap[left] as Due, heap[least] as Due)) least = left;
    if (right < heap.length && isBefore(heap[right] as Due, heap[least] as Due)) least = right;
    if (least === i) return first;
    swap(heap, i, least);
    i = least;
  }
}

function swap(heap: Due[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Due, heap[a] as Due];
}
