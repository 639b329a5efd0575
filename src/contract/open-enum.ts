import { z } from 'zod';
import { annotate } from './annotation.js';

/**
 * An enumeration that the service may extend: the values known today, and any text that comes later.
 *
 * The editor offers the known values; a value that this package does not know is still a valid one ("Versioning",
 * rule 3), so that every `switch` over an open enumeration needs a `default`.
 */
export type Open<Known extends string> = Known | (string & {});

/**
 * A schema that takes any text as a value of an open enumeration: unknown values are never an error.
 *
 * @param known - The values known today.
 */
export function openEnum<const Known extends string>(known: readonly Known[]): z.ZodType<Open<Known>> {
  return annotate(z.string() as unknown as z.ZodType<Open<Known>>, { known });
}
