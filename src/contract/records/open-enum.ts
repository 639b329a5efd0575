/**
 * An enumeration that the service may extend: the values known today, and any text that comes later.
 *
 * The editor offers the known values; a value that this package does not know is still a valid one ("Versioning",
 * rule 3), so that every `switch` over an open enumeration needs a `default`.
 */
export type Open<Known extends string> = Known | (string & {});
