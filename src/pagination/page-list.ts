import { RequestValidationError } from '../errors/local.js';
import type { CallResult } from '../http/execute.js';
import { CursorTrail } from './cursor-trail.js';
import { Items } from './items.js';
import { Page, type PageEnvelopeLike, type PageSource } from './page.js';

// biome-ignore lint/suspicious/noExplicitAny: as in Promise itself, so that a handler may name the error it expects
type Reason = any;

/** What a list does with its pages: fetch one, and how eagerly. */
export interface ListSource<T> {
  readonly name: string;
  /** Where the list begins, when that is not the first page. */
  readonly startCursor?: string | undefined;
  fetch(cursor: string | undefined): PromiseLike<PageEnvelopeLike<T>> & {
    withResponse(): Promise<CallResult<PageEnvelopeLike<T>>>;
  };
  /** True to fetch the next page while the items of the present one are used. */
  readonly prefetch: boolean;
}

/**
 * A list of the service. Await it for its first page, or iterate over every item of every page.
 *
 * The first request leaves at the first `await` or iteration; a loop that stops fetches nothing more.
 *
 * @see Interface document, "Pagination"
 */
export class PageList<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #source: ListSource<T>;
  readonly #pageSource: PageSource<T>;
  #first: Promise<CallResult<Page<T>>> | undefined;

  /** @internal Made by the client. */
  constructor(source: ListSource<T>) {
    this.#source = source;
    this.#pageSource = { name: source.name, fetchPage: async (cursor) => source.fetch(cursor) };
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#firstPage().then(onFulfilled, onRejected);
  }

  /** As of a promise of the first page. */
  catch<Rejected = never>(
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<T> | Rejected> {
    return this.#firstPage().catch(onRejected);
  }

  /** As of a promise of the first page. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.#firstPage().finally(onFinally);
  }

  /** The first page together with `status`, `headers`, `requestId` and `attempts`. */
  withResponse(): Promise<CallResult<Page<T>>> {
    this.#first ??= this.#fetchFirst();
    return this.#first;
  }

  /**
   * Every page, one after the other.
   *
   * @throws {PaginationError} The list has no end: see `Page.getNextPage`.
   * @see Interface document, "Pagination"
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> | null = await this.#firstPage();
    while (page) {
      const next: Promise<Page<T> | null> | undefined = this.#source.prefetch ? page.getNextPage() : undefined;
      // Handled here already: the loop may end before it looks at the next page.
      next?.catch(() => {});
      yield page;
      page = await (next ?? page.getNextPage());
    }
  }

  /** Every item of every page. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return new Items(this.pages());
  }

  /**
   * The items as an array, `limit` of them at most. A list may be long, so the limit has no default.
   *
   * @throws {RequestValidationError} There is no `limit`; nothing was sent.
   * @throws {PaginationError} The list has no end: see `Page.getNextPage`.
   * @see Interface document, "Pagination"
   */
  async toArray({ limit }: { limit: number }): Promise<T[]> {
    if (!(typeof limit === 'number' && limit >= 0)) {
      throw new RequestValidationError('toArray needs a "limit": how many items at most; Infinity for all.', {
        problems: [{ field: 'limit', message: 'must be a number of 0 or more' }],
      });
    }
    const items: T[] = [];
    if (limit === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  #firstPage(): Promise<Page<T>> {
    return this.withResponse().then(({ data }) => data);
  }

  async #fetchFirst(): Promise<CallResult<Page<T>>> {
    const result = await this.#source.fetch(undefined).withResponse();
    const trail = CursorTrail.from(this.#source.startCursor);
    return { ...result, data: new Page(result.data, this.#pageSource, trail) };
  }
}
