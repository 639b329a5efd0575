/** The end of a client: which calls are under way, and what must end when it closes. */
export class Closing {
  #closed = false;
  #calls = 0;
  readonly #listeners = new Set<() => void>();
  #idle: (() => void)[] = [];

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Counts a call that begins. */
  enter(): void {
    this.#calls += 1;
  }

  /** Counts a call that has ended. */
  leave(): void {
    this.#calls -= 1;
    if (this.#calls > 0 || this.#idle.length === 0) return;
    const waiting = this.#idle;
    this.#idle = [];
    for (const wake of waiting) wake();
  }

  /** Calls `listener` when the client closes; returns a function that removes it. For waits: attempts end by themselves. */
  onClose(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** From now on nothing new begins, and every wait ends. */
  close(): void {
    this.#closed = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Resolves when no call is under way. */
  whenIdle(): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idle.push(resolve);
    });
  }
}
