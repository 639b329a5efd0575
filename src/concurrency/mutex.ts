/** A place in the queue of a key. */
export interface Place {
  /** Resolves when all who came earlier have left; `undefined` when there is none. Never rejects. */
  readonly earlier: Promise<void> | undefined;
  /** Lets the next one in, once all who came earlier have left, too. */
  leave(): void;
}

/**
 * One holder at a time for each key, in this process, in the order in which they came.
 *
 * Each one decides how long it waits for the earlier ones, and leaves in any case:
 *
 * ```ts
 * const place = mutex.enter(key);
 * try {
 *   await place.earlier;
 *   return await work();
 * } finally {
 *   place.leave();
 * }
 * ```
 *
 * One that gives up its wait leaves the others in their places: none comes in before the ones ahead of it have left.
 */
export class KeyedMutex {
  /** The end of the queue of each key. */
  readonly #tails = new Map<string, Promise<void>>();

  enter(key: string): Place {
    const earlier = this.#tails.get(key);
    let leave = (): void => {};
    const mine = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const tail = earlier ? earlier.then(() => mine) : mine;
    this.#tails.set(key, tail);
    // Not when this one leaves: if it gave up, those ahead of it may still be at work.
    void tail.then(() => this.#tails.get(key) === tail && this.#tails.delete(key));
    return { earlier, leave };
  }

  /** How many keys have a holder, or one that waits. */
  get size(): number {
    return this.#tails.size;
  }
}

/** Does a piece of work once all that came earlier under its key are done. */
export async function inTurn<Result>(mutex: KeyedMutex, key: string, work: () => Promise<Result>): Promise<Result> {
  const place = mutex.enter(key);
  try {
    await place.earlier;
    return await work();
  } finally {
    place.leave();
  }
}
