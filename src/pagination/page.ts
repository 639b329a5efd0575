import { PaginationError } from '../errors/response.js';
import { CursorTrail } from './cursor-trail.js';
import { Items } from './items.js';

/** What a page needs to know to get the next one. */
export interface PageSource<T> {
  /** `GET /orders`, for messages. */
  readonly name: string;
  fetchPage(cursor: string | undefined): Promise<PageEnvelopeLike<T>>;
}

/** The envelope as far as it is trusted (interface document, "Pagination envelope"). */
export interface PageEnvelopeLike<T> {
  readonly data: T[];
  readonly pagination?: { readonly has_more?: boolean; readonly next_cursor?: string | null } | undefined;
}

/** Pages without a record, one after the other, after which a list is taken for one without an end. */
const MOST_EMPTY_PAGES = 100;

/**
 * One page of a list. Iterate over it for its records; with `for await`, for those of all following pages too.
 */
export class Page<T> implements Iterable<T>, AsyncIterable<T> {
  /** The records of this page. */
  readonly data: T[];
  /** Cursor of the next page, or `null` on the last one. Opaque: it can be kept, and never parsed. */
  readonly nextCursor: string | null;
  readonly #source: PageSource<T>;
  readonly #trail: CursorTrail;
  readonly #announcesMore: boolean;
  /** Pages without a record up to and with this one. */
  readonly #emptyPages: number;

  /** @internal Made by the client. */
  constructor(
    envelope: PageEnvelopeLike<T>,
    source: PageSource<T>,
    trail: CursorTrail = CursorTrail.from(undefined),
    emptyPagesBefore = 0,
  ) {
    const { has_more: hasMore, next_cursor: cursor } = envelope?.pagination ?? {};
    if (!Array.isArray(envelope?.data)) {
      throw new PaginationError(`The response to ${source.name} has no array "data"; this is not a page of a list.`);
    }
    this.data = envelope.data;
    // `has_more` decides: a service may repeat the last cursor on the last page.
    this.nextCursor = hasMore === false || typeof cursor !== 'string' || cursor === '' ? null : cursor;
    this.#announcesMore = hasMore === true;
    this.#source = source;
    this.#trail = trail;
    this.#emptyPages = this.data.length === 0 ? emptyPagesBefore + 1 : 0;
  }

  /** The records of this page. */
  [Symbol.iterator](): IterableIterator<T> {
    return this.data[Symbol.iterator]();
  }

  /** The records of this page and of all that follow. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    return new Items(pagesFrom(this));
  }

  /** True when there is another page. */
  hasNextPage(): boolean {
    return this.nextCursor !== null || this.#announcesMore;
  }

  /**
   * The next page, or `null` on the last one.
   *
   * @throws {PaginationError} More is announced without a cursor, a cursor came twice, or a hundred pages in a row were
   *   empty: the list has no end.
   * @see Interface document, "Pagination"
   */
  async getNextPage(): Promise<Page<T> | null> {
    const cursor = this.nextCursor;
    if (cursor === null) {
      if (!this.#announcesMore) return null;
      throw new PaginationError(`${this.#source.name} announced more records, but gave no cursor to get them with.`);
    }
    if (this.#emptyPages >= MOST_EMPTY_PAGES) {
      throw new PaginationError(
        `${this.#source.name} gave ${MOST_EMPTY_PAGES} pages without a record one after the other, and announced more; ask for the next one by its cursor if that is right.`,
      );
    }
    if (this.#trail.has(cursor)) {
      throw new PaginationError(`${this.#source.name} gave the same cursor twice; the list would never end.`);
    }
    const envelope = await this.#source.fetchPage(cursor);
    return pageAfter(envelope, this.#source, this.#trail.with(cursor), this.#emptyPages);
  }
}

/** Outside the class: a class that names itself inside gets another name in the build. */
function pageAfter<T>(...parts: ConstructorParameters<typeof Page<T>>): Page<T> {
  return new Page(...parts);
}

async function* pagesFrom<T>(first: Page<T>): AsyncGenerator<Page<T>, void, undefined> {
  for (let page: Page<T> | null = first; page; page = await page.getNextPage()) yield page;
}
