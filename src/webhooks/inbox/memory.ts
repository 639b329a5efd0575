import { inTurn, KeyedMutex } from '../../concurrency/mutex.js';
import { type Clock, monotonicNow, systemClock } from '../../platform/clock.js';
import type { DeadLetter, Inbox, InboxEntry, InboxWorker } from './inbox.js';
import { retryDelayMs } from './retry-delay.js';

/** Options of `memoryInbox`. */
export interface MemoryInboxOptions {
  /** Where time comes from; a test gives one that it moves. @defaultValue the system's clock */
  clock?: Clock | undefined;
  /** How often an entry is tried before it is a dead letter. @defaultValue 10 */
  attempts?: number | undefined;
}

/** How soon an entry whose subject is in other hands is tried again. */
const BUSY_MS = 1_000;

const AT_ONCE = Number.NEGATIVE_INFINITY;

interface Kept {
  readonly entry: InboxEntry;
  attempts: number;
  error: string;
  /** Not tried before that, on the monotonic clock. */
  dueAt: number;
}

/**
 * An inbox in memory, for tests: it loses everything with its process. Failed entries are tried again after 1 s, 2 s, 4 s, …
 *
 * @example
 * const receiver = createWebhookReceiver({ secrets, inbox: memoryInbox({ clock: service.clock }) });
 */
export function memoryInbox(options: MemoryInboxOptions = {}): Inbox {
  return new MemoryInbox(options.clock ?? systemClock, options.attempts ?? 10);
}

class MemoryInbox implements Inbox {
  readonly #clock: Clock;
  readonly #mostAttempts: number;
  readonly #known = new Set<string>();
  /** Entries that wait, by subject, oldest first. */
  readonly #waiting = new Map<string, Kept[]>();
  readonly #dead = new Map<string, Kept>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #turns = new KeyedMutex();
  #worker: InboxWorker | undefined;
  #stopping = new AbortController();

  constructor(clock: Clock, mostAttempts: number) {
    this.#clock = clock;
    this.#mostAttempts = mostAttempts;
  }

  async write(entry: InboxEntry): Promise<'written' | 'duplicate'> {
    if (this.#known.has(entry.id)) return 'duplicate';
    this.#known.add(entry.id);
    this.#enqueue({ entry: structuredClone(entry), attempts: 0, error: '', dueAt: AT_ONCE });
    return 'written';
  }

  start(worker: InboxWorker): Promise<void> {
    return inTurn(this.#turns, 'workers', async () => {
      await this.#stop();
      this.#worker = worker;
      this.#stopping = new AbortController();
      for (const subject of this.#waiting.keys()) this.#run(subject);
    });
  }

  stop(): Promise<void> {
    return inTurn(this.#turns, 'workers', () => this.#stop());
  }

  async #stop(): Promise<void> {
    this.#worker = undefined;
    await Promise.all(this.#active.values());
    this.#stopping.abort();
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    return [...this.#dead.values()].map(({ entry, attempts, error }) => ({ entry, attempts, error }));
  }

  async retry(id: string): Promise<boolean> {
    const kept = this.#dead.get(id);
    if (!kept) return false;
    this.#dead.delete(id);
    this.#enqueue({ ...kept, attempts: 0, dueAt: AT_ONCE });
    return true;
  }

  #enqueue(kept: Kept): void {
    const { subject } = kept.entry;
    this.#waiting.set(subject, [...(this.#waiting.get(subject) ?? []), kept]);
    this.#run(subject);
  }

  #run(subject: string): void {
    if (!this.#worker || this.#active.has(subject)) return;
    const run = this.#handleAll(subject).finally(() => this.#active.delete(subject));
    this.#active.set(subject, run);
  }

  async #handleAll(subject: string): Promise<void> {
    for (;;) {
      const worker = this.#worker;
      const [kept] = this.#waiting.get(subject) ?? [];
      // A later event of the subject does not bring the retry forward.
      if (!worker || !kept || kept.dueAt > monotonicNow(this.#clock)) return;
      try {
        const outcome = await worker.handle(structuredClone(kept.entry), {
          attempt: kept.attempts + 1,
          signal: this.#stopping.signal,
          tx: undefined,
        });
        if (outcome === 'busy') {
          this.#runLater(subject, kept, BUSY_MS);
          return;
        }
      } catch (error) {
        kept.attempts += 1;
        kept.error = error instanceof Error ? error.message : String(error);
        if (kept.attempts < this.#mostAttempts) {
          this.#runLater(subject, kept, retryDelayMs(kept.attempts));
          return;
        }
        this.#dead.set(kept.entry.id, kept);
      }
      this.#removeFirst(subject);
    }
  }

  #runLater(subject: string, kept: Kept, delayMs: number): void {
    kept.dueAt = monotonicNow(this.#clock) + delayMs;
    const again = (): void => {
      kept.dueAt = AT_ONCE;
      this.#run(subject);
    };
    this.#clock.setTimer(again, delayMs, { background: true });
  }

  #removeFirst(subject: string): void {
    const rest = (this.#waiting.get(subject) ?? []).slice(1);
    if (rest.length > 0) this.#waiting.set(subject, rest);
    else this.#waiting.delete(subject);
  }
}
