import { nodeBuiltin } from '../../platform/node-builtin.js';
import { charsetOf, textDecoderFor } from './charset.js';

/**
 * Bytes that are made text at a time, unless all are ASCII. The engine decodes a text fast up to its first letter beyond ASCII, and five times slower
 * after it: in one piece, a menu of 155 KB with sixteen such letters takes a fifth more CPU until it is parsed.
 */
const BLOCK_BYTES = 4096;
/** No character of UTF-8 has more bytes. */
const MOST_BYTES = 4;
/** Chunks that are kept; a body that comes in pieces of a byte would take a hundred times its length. */
const MOST_CHUNKS = 64;

/** The text of a body that arrives in chunks. */
export class BodyText {
  readonly #decoder: InstanceType<typeof TextDecoder> | undefined;
  /**
   * Chunks of ASCII alone, until there is another one: they become one text at the end. A text for each, and one of them all,
   * would allocate each body twice, a fourth more for pages of 84 KB.
   */
  #ascii: Uint8Array[] | undefined = [];
  #text = '';
  /** The beginning of a character whose other bytes come with the next chunk. */
  #rest: Uint8Array | undefined;

  /** @throws {RangeError} The runtime does not know the character set. */
  constructor(contentType: string | undefined) {
    this.#decoder = charsetOf(contentType) === undefined ? undefined : textDecoderFor(contentType);
  }

  add(chunk: Uint8Array): void {
    if (this.#decoder) {
      this.#text += this.#decoder.decode(chunk, { stream: true });
      return;
    }
    if (this.#ascii && isAscii(chunk)) {
      if (this.#ascii.push(chunk) < MOST_CHUNKS) return;
      this.#text += this.#asciiText();
      this.#ascii = [];
      return;
    }
    this.#text += this.#asciiText();
    this.#ascii = undefined;
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : bufferOf(chunk);
    const end = beginningOfCutCharacter(bytes);
    this.#rest = end < bytes.length ? bytes.subarray(end) : undefined;
    this.#text += utf8(bytes, end);
  }

  /** The whole, once everything was added. Bytes that are no text are replaced by U+FFFD. */
  end(): string {
    if (this.#decoder) return this.#text + this.#decoder.decode();
    const text = this.#text + this.#asciiText();
    return this.#rest ? text + bufferOf(this.#rest).toString('utf8') : text;
  }

  #asciiText(): string {
    return this.#ascii && this.#ascii.length > 0 ? Buffer.concat(this.#ascii).toString('latin1') : '';
  }
}

/** The text of a whole body. Throws a `RangeError` for a character set that the runtime does not know. */
export function textOf(bytes: Uint8Array, contentType: string | undefined): string {
  if (charsetOf(contentType) !== undefined) return textDecoderFor(contentType).decode(bytes);
  const buffer = bufferOf(bytes);
  return utf8(buffer, buffer.length);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function utf8(bytes: Buffer, end: number): string {
  if (end <= BLOCK_BYTES) return bytes.toString('utf8', 0, end);
  const whole = end === bytes.length ? bytes : bytes.subarray(0, end);
  if (isAscii(whole)) return whole.toString('latin1');
  let text = '';
  for (let from = 0; from < end; ) {
    let to = Math.min(end, from + BLOCK_BYTES);
    // Not within a character; where there is no end of one, it is no text anyway.
    for (let back = 1; back < MOST_BYTES && to < end && isInside(bytes[to]!); back += 1) to -= 1;
    text += bytes.toString('utf8', from, to);
    from = to;
  }
  return text;
}

/** False where the runtime cannot tell. */
function isAscii(bytes: Uint8Array): boolean {
  return nodeBuiltin('node:buffer')?.isAscii?.(bytes) ?? false;
}

const isInside = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Where the last character begins, when it lacks bytes; otherwise the length. */
function beginningOfCutCharacter(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back < MOST_BYTES && back <= length; back += 1) {
    const byte = bytes[length - back]!;
    if (isInside(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}
