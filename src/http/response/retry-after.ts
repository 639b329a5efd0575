import type { HttpResponse } from '../exchange/message.js';

/**
 * Seconds of a `Retry-After` header: whole seconds (the longest, where it is given several times), or an HTTP date,
 * which counts from the response's own `Date` where that is given. Anything else counts as absent.
 *
 * Interface document, "Limits".
 */
export function retryAfterSeconds(headers: HttpResponse['headers'], nowMs: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  if (SECONDS.test(value)) return Math.max(...value.split(',').map(Number));
  if (!HTTP_DATE.test(value)) return undefined;

  // The oldest of the three forms names no zone, and is GMT as the others are.
  const until = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  const from = Date.parse(headers.date ?? '');
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, Math.ceil((until - (Number.isNaN(from) ? nowMs : from)) / 1000));
}

/** Whole seconds; several where a proxy added a header of its own, of which the longest holds. */
const SECONDS = /^\d+(?:\s*,\s*\d+)*$/;

/** The three forms of an HTTP date. `Date.parse` alone would take `-5`, `1.5` or `Please wait 30` for a date. */
const HTTP_DATE =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
