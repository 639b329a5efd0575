import { Buffer } from 'node:buffer';
import { invalidParameter } from '../refusals/refusal.js';

export interface PageRules<T> {
  /** Name of the list; a cursor of one list is refused by another. */
  readonly list: string;
  readonly defaultLimit: number;
  readonly maximumLimit: number;
  /**
   * A number that each row keeps for life and that falls from the newest row to the oldest. Without it the place in
   * `rows` is used, which suits lists that do not change between two pages.
   */
  readonly newestFirst?: (row: T) => number;
}

export interface PageEnvelope<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** One page of `rows`, which come in the order of the list. New records in front do not move the pages behind. */
export function paginate<T>(query: URLSearchParams, rows: readonly T[], rules: PageRules<T>): PageEnvelope<T> {
  const limit = readLimit(query.get('limit'), rules);
  const keyed = rows.map((row, index) => ({ row, key: rules.newestFirst?.(row) ?? index }));
  const after = readCursor(query.get('cursor'), rules.list);
  const start =
    after === undefined ? 0 : keyed.filter(({ key }) => (rules.newestFirst ? key >= after : key <= after)).length;
  const page = keyed.slice(start, start + limit);
  const hasMore = start + limit < keyed.length;
  const last = page.at(-1);
  return {
    data: page.map(({ row }) => row),
    pagination: { has_more: hasMore, next_cursor: hasMore && last ? writeCursor(rules.list, last.key) : null },
  };
}

function readLimit(text: string | null, rules: { defaultLimit: number; maximumLimit: number }): number {
  if (text === null) return rules.defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > rules.maximumLimit) {
    // gap LOC-6
    throw invalidParameter('limit', `limit must be an integer from 1 to ${rules.maximumLimit}.`);
  }
  return limit;
}

const writeCursor = (list: string, key: number): string =>
  Buffer.from(JSON.stringify([list, key])).toString('base64url');

function readCursor(text: string | null, list: string): number | undefined {
  if (text === null) return undefined;
  try {
    const [name, key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown, unknown];
    if (name === list && typeof key === 'number' && writeCursor(list, key) === text) return key;
  } catch {
    // Falls through: whatever was wrong with it, it is not a cursor of this list.
  }
  throw invalidParameter('cursor', 'cursor must be a next_cursor of this list; omit it for the first page.');
}
