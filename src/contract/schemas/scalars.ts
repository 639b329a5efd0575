import { z } from 'zod';
import { annotate } from './annotation.js';
import { once } from './once.js';
import { ISO_DATE_TIME } from './rules.js';

/** An id in a response: UUIDs are the rule "unless stated", so any text that is not empty is taken. */
export const id = once(() => annotate(z.string().min(1), { format: 'uuid' }));

/** Text that stands for something and has no form of its own: never parsed, only compared. */
export const opaque = once(() => z.string().min(1));

/** A date-time in a response, as ISO 8601 writes it; whatever its precision and its offset are. */
export const timestamp = once(() =>
  annotate(z.string().regex(ISO_DATE_TIME, { error: 'is not a date-time' }), { format: 'date-time' }),
);

/** An id in a request body. `source` says where it comes from. */
export function uuid(source: string) {
  const error = explain(`a UUID: ${source}`);
  return z.guid({ error });
}

/** Whole cents in a request body, 0 included. */
export function cents(meaning: string) {
  const error = explain(`a whole number of cents, 0 or more (1250 for 12.50): ${meaning}`);
  return z.int({ error }).min(0, { error });
}

/** A number of units in a request body. */
export function units() {
  const error = explain('a whole number, 1 or more');
  return z.int({ error }).min(1, { error });
}

/**
 * Says what to write instead of a missing or wrong value; never repeats the value, which may be personal.
 *
 * @param wanted - Completes the sentence "must be …".
 */
export function explain(wanted: string): (issue: { readonly input: unknown }) => string {
  return (issue) => (issue.input === undefined ? `is missing; it must be ${wanted}` : `must be ${wanted}`);
}

/** The same for a union: a discriminant that is missing or unknown is refused with `values`, other input with `wanted`. */
export function explainUnion(wanted: string, values: readonly string[]): z.core.$ZodErrorMap {
  const choice = `must be one of ${values.join(', ')}`;
  return (issue) => (issue.code === 'invalid_union' ? choice : explain(wanted)(issue));
}
