/** As much of a page as its items need. */
interface PageOfItems<T> {
  readonly data: readonly T[];
}

/**
 * The items of pages, one after the other, as an async generator gives them. Written out, since a generator takes two more
 * turns of the queue for each item: 0.3 ms for 2,000 orders, a fiftieth of the walk over their pages.
 */
export class Items<T> implements AsyncGenerator<T, void, undefined> {
  readonly #pages: AsyncGenerator<PageOfItems<T>, void, undefined>;
  #items: readonly T[] = [];
  #index = 0;
  /** What was asked for last, while that is not settled: what is asked for meanwhile comes after it. */
  #last: Promise<unknown> | undefined;

  constructor(pages: AsyncGenerator<PageOfItems<T>, void, undefined>) {
    this.#pages = pages;
  }

  next(): Promise<IteratorResult<T, void>> {
    if (!this.#last && this.#index < this.#items.length) return Promise.resolve(this.#take());
    return this.#inTurn(() => this.#takeFromPages());
  }

  return(): Promise<IteratorResult<T, void>> {
    return this.#inTurn(() => this.#end());
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    return this.#inTurn(async () => {
      await this.#end();
      throw error;
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #take(): IteratorYieldResult<T> {
    const value = this.#items[this.#index] as T;
    this.#index += 1;
    return { value, done: false };
  }

  async #takeFromPages(): Promise<IteratorResult<T, void>> {
    while (this.#index >= this.#items.length) {
      const { value: page, done } = await this.#pages.next();
      if (done) return { value: undefined, done };
      this.#items = page.data;
      this.#index = 0;
    }
    return this.#take();
  }

  async #end(): Promise<IteratorReturnResult<void>> {
    this.#items = [];
    await this.#pages.return();
    return { value: undefined, done: true };
  }

  #inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last ? this.#last.then(step) : step();
    const settled = (): void => {
      if (this.#last === last) this.#last = undefined;
    };
    const last = result.then(settled, settled);
    this.#last = last;
    return result;
  }
}
