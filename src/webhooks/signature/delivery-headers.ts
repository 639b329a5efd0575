/** Headers in the forms that servers hand over: a record in any case, or a `Headers` object. */
export type DeliveryHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | {
      /** The value of a header, whatever the case of its name; `null` when it is not there. */
      get(name: string): string | null;
    };

/** The value of one header, whatever the case of its name; several values are joined by commas, as on the wire. */
export function readHeader(headers: DeliveryHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return joined((headers as { get(name: string): unknown }).get(name));
  const record = headers as Record<string, string | readonly string[] | undefined>;
  const lowerName = name.toLowerCase();
  // Own properties only: a header called `constructor` must not find the one that every object has.
  if (Object.hasOwn(record, lowerName)) return joined(record[lowerName]);
  for (const key of Object.keys(record)) {
    if (key.length === name.length && key.toLowerCase() === lowerName) return joined(record[key]);
  }
  return undefined;
}

/** Anything that is no text is as good as missing: servers hand over what they like. */
function joined(value: unknown): string | undefined {
  const text: unknown = Array.isArray(value) ? value.join(',') : value;
  return typeof text === 'string' ? text : undefined;
}
