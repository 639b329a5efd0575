import { RequestValidationError } from '../../errors/local.js';

/** A value of a query: `undefined` is left out, a `Date` becomes ISO 8601. */
export type QueryValue = string | number | boolean | Date | undefined;
/** Query parameters by name. */
export type Query = Readonly<Record<string, QueryValue>>;

/** The query with its question mark, or an empty text. `undefined` is left out; a `Date` becomes ISO 8601. */
export function queryText(query: Query | undefined): string {
  if (query === undefined) return '';
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) pairs.push(`${encodeURIComponent(name)}=${encoded(name, value)}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encoded(name: string, value: unknown): string {
  const text = textOf(value);
  try {
    if (text !== undefined) return encodeURIComponent(text);
  } catch {
    // A lone surrogate.
  }
  throw new RequestValidationError(
    `The query parameter "${name}" is not a well-formed text, a finite number, a boolean or a valid Date. Nothing was sent.`,
    { problems: [{ field: name, message: 'must be a text, a finite number, a boolean or a valid Date' }] },
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}
