/**
 * The cursors that led to a page. Pages of one walk share one map, so that a long list is not copied at every page; a
 * walk that leaves from an earlier page gets a map of its own.
 */
export class CursorTrail {
  readonly #places: Map<string, number>;
  readonly #length: number;

  private constructor(places: Map<string, number>, length: number) {
    this.#places = places;
    this.#length = length;
  }

  /** @param start - the cursor that the first page was asked for with, if any. */
  static from(start: string | undefined): CursorTrail {
    const empty = new CursorTrail(new Map(), 0);
    return start === undefined ? empty : empty.with(start);
  }

  has(cursor: string): boolean {
    return (this.#places.get(cursor) ?? Number.POSITIVE_INFINITY) < this.#length;
  }

  with(cursor: string): CursorTrail {
    const isNewest = this.#places.size === this.#length;
    const places = isNewest ? this.#places : new Map([...this.#places].slice(0, this.#length));
    places.set(cursor, this.#length);
    return new CursorTrail(places, this.#length + 1);
  }
}
