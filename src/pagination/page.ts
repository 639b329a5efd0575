import { PaginationError } from '../errors/response.js';
import { CursorTrail } from './cursor-trail.js';

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

/** One page of a list. */
export class Page<T> {
  /** The records of this page. */
  readonly data: T[];
  /** Cursor of the next page, or `null` on the last one. Opaque: it can be kept, and never parsed. */
  readonly nextCursor: string | null;
  readonly #source: PageSource<T>;
  readonly #trail: CursorTrail;
  readonly #announcesMore: boolean;

  /** @internal Made by the client. */
  constructor(envelope: PageEnvelopeLike<T>, source: PageSource<T>, trail: CursorTrail = CursorTrail.from(undefined)) {
    const { has_more: hasMore, next_cursor: cursor } = envelope?.pagination ?? {};
    if (!Array.isArray(envelope?.data)) {
      throw new PaginationError(`${source.name} was answered without an array "data"; this is not a page of a list.`);
    }
    this.data = envelope.data;
    // `has_more` decides: a service may repeat the last cursor on the last page.
    this.nextCursor = hasMore === false || typeof cursor !== 'string' || cursor === '' ? null : cursor;
    this.#announcesMore = hasMore === true;
    this.#source = source;
    this.#trail = trail;
  }

  /** True when there is another page. */
  hasNextPage(): boolean {
    return this.nextCursor !== null || this.#announcesMore;
  }

  /**
   * The next page, or `null` on the last one.
   *
   * @throws {PaginationError} More is announced without a cursor, or a cursor came twice: the list has no end.
   */
  async getNextPage(): Promise<Page<T> | null> {
    const cursor = this.nextCursor;
    if (cursor === null) {
      if (!this.#announcesMore) return null;
      throw new PaginationError(`${this.#source.name} announced more records, but gave no cursor to get them with.`);
    }
    if (this.#trail.has(cursor)) {
      throw new PaginationError(`${this.#source.name} gave the same cursor twice; the list would never end.`);
    }
    return new Page(await this.#source.fetchPage(cursor), this.#source, this.#trail.with(cursor));
  }
}
