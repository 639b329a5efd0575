import type { Headers } from '../exchange/call.js';

/** The names of a response's headers, as bytes and as they are read. */
interface Layout {
  readonly bytes: readonly Uint8Array[];
  readonly names: readonly string[];
}

/** Responses with more headers are read without a layout. */
const MOST_HEADERS = 64;

/**
 * The last layout for each number of headers. A service sends the same names in the same order nearly always: bytes that
 * equal those of the last time need not be made names again, nor looked for among those of this response.
 */
const layouts: (Layout | undefined)[] = [];

/**
 * Headers as undici's parser gives them, name and value by turns: names in lower case, values of a repeated name joined.
 *
 * undici would read them itself, for a sixteenth of a call: it looks for each name in a table, and among those it has.
 */
export function readHeaders(raw: readonly Buffer[]): Headers {
  const layout = layouts[raw.length];
  if (!layout) return readByName(raw);

  const headers: Record<string, string> = {};
  for (let index = 0; index < layout.names.length; index += 1) {
    if (!isSame(layout.bytes[index]!, raw[index * 2]!)) return readByName(raw);
    headers[layout.names[index]!] = textOf(raw[index * 2 + 1]!);
  }
  return headers;
}

function readByName(raw: readonly Buffer[]): Headers {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = textOf(raw[at]!).toLowerCase();
    const before = headers.get(name);
    const value = textOf(raw[at + 1]!);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  // In an object it is no name like others.
  headers.delete('__proto__');
  const names = [...headers.keys()];
  if (names.length * 2 === raw.length && names.length <= MOST_HEADERS) {
    const bytes = names.map((_name, index) => Uint8Array.from(raw[index * 2]!));
    layouts[raw.length] = { names, bytes };
  }
  return Object.fromEntries(headers);
}

/** In a loop: a call into the runtime costs more than the few bytes of a name. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

const textOf = (bytes: Buffer): string => bytes.toString('latin1');
