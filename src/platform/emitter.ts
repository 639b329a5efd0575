/** Calls a listener. What it throws, or rejects with, is ignored: a listener must never change the work it observes. */
export function notify<Facts extends unknown[]>(listener: (...facts: Facts) => unknown, ...facts: Facts): void {
  try {
    const result = listener(...facts);
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // See above.
  }
}

/** Listeners by event name. One that throws, or rejects, disturbs neither the others nor the caller of `emit`. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => unknown>>();

  /** Adds a listener, and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => unknown): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  has(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    const listeners = this.#listeners.get(name);
    if (!listeners) return;
    for (const listener of [...listeners]) notify(listener as (event: Events[Name]) => unknown, event);
  }
}
