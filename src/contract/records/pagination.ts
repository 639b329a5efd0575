/**
 * One page of a list as it travels.
 *
 * @see Interface document, "Pagination envelope"
 */
export interface PageEnvelope<Item> {
  /** The items of this page. */
  data: Item[];
  /** Where the page stands in its list. */
  pagination: PageInfo;
}

/** Where a page stands in its list. */
export interface PageInfo {
  /** True when there are more items. */
  has_more: boolean;
  /** Opaque: pass it on as `cursor`, never parse it. Null or absent on the last page. */
  next_cursor?: string | null;
}

/**
 * Which part of a list to read.
 *
 * @see Interface document, "Pagination" and "Limits"
 */
export interface PageQuery {
  /** Items per page: default 20 and at most 100; for inventories default 100 and at most 500. */
  limit?: number | undefined;
  /** `next_cursor` of the page before; leave it out for the first page. */
  cursor?: string | undefined;
}
