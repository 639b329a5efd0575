import { z } from 'zod';

/**
 * An enumeration that the service may extend: the values known today, and any text that comes later.
 *
 * The editor offers the known values; a value that this package does not know is still a valid one ("Versioning",
 * rule 3), so that every `switch` over an open enumeration needs a `default`.
 */
export type Open<Known extends string> = Known | (string & {});

/** A schema that takes any text as a value of the open enumeration `Values`: unknown values are never an error. */
export function openEnum<Values extends string>(): z.ZodType<Values> {
  return z.string() as unknown as z.ZodType<Values>;
}
