import { Buffer } from 'node:buffer';

/** Header names in lower case, from the shapes that callers use. */
export function headerRecord(headers: unknown): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of headerPairs(headers)) {
    if (value !== undefined && value !== null) record[String(name).toLowerCase()] = joined(value);
  }
  return record;
}

function headerPairs(headers: unknown): Iterable<readonly [unknown, unknown]> {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers)) {
    if (Array.isArray(headers[0])) return headers as [unknown, unknown][];
    // undici's flat form: name, value, name, value.
    return Array.from(
      { length: headers.length / 2 },
      (_, index) => [headers[index * 2], headers[index * 2 + 1]] as const,
    );
  }
  if (Symbol.iterator in Object(headers)) return headers as Iterable<[unknown, unknown]>;
  return Object.entries(headers as Record<string, unknown>);
}

const joined = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : String(value));

/** A body of a dispatch as text. */
export async function bodyText(body: unknown): Promise<string | undefined> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  if (Symbol.asyncIterator in Object(body) || Symbol.iterator in Object(body)) {
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  }
  return new Response(body as ConstructorParameters<typeof Response>[0]).text();
}
