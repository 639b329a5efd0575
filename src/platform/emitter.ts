/** Listeners by event name; one that throws, or rejects, disturbs nobody. */
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
    for (const listener of [...listeners]) {
      try {
        const result = (listener as (event: Events[Name]) => unknown)(event);
        if (result instanceof Promise) result.catch(() => {});
      } catch {
        // An observer must never change what it observes.
      }
    }
  }
}
