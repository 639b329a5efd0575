import { nodeBuiltin } from '../../platform/node-builtin.js';

/** Compressed bodies up to this size are decoded at once: a thread of its own would cost more than the work. */
const AT_ONCE_BYTES = 256 * 1024;
/** Decoding at once stops at this size, after some milliseconds, and begins again in a thread: a body may expand a thousandfold. */
const AT_ONCE_DECODED_BYTES = 1024 * 1024;
const SMALLEST_CHUNK_BYTES = 16 * 1024;
/** JSON usually expands no more than this. */
const EXPANSION = 8;
/** Codings applied one after the other; more are an attack. */
const MOST_CODINGS = 3;
/** Above this, runtimes refuse the limit itself. */
const LARGEST_LIMIT = 2 ** 31 - 1;

/** Why a body could not be decoded. */
export class DecodingError extends Error {
  readonly reason: 'encoding' | 'too_large' | 'connection';

  constructor(reason: 'encoding' | 'too_large' | 'connection', message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Options {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}
type Sync = (body: Uint8Array, options: Options) => Uint8Array;
type Async = (body: Uint8Array, options: Options, done: (error: Error | null, decoded: Uint8Array) => void) => void;
/** The part of `node:zlib` that is used. */
type Zlib = Record<`${Coding}Sync`, Sync> & Record<Coding, Async>;
type Coding = 'gunzip' | 'inflate' | 'inflateRaw' | 'brotliDecompress';

/**
 * Undoes the content codings of a body: gzip, deflate and br, whether they were asked for or not. A small body is
 * decoded at once, a large one in a thread.
 *
 * @param maxBytes - of the decoded body.
 * @throws {DecodingError} The coding is not known, the bytes are not of that coding, or they decode to too many.
 */
export function decodeContent(
  body: Uint8Array,
  contentEncoding: string,
  maxBytes: number,
): Uint8Array | Promise<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > MOST_CODINGS) throw new DecodingError('encoding', 'The body has too many content codings.');
  return codings.reduce<Uint8Array | Promise<Uint8Array>>(
    (decoded, coding) =>
      decoded instanceof Promise
        ? decoded.then((bytes) => decodeOne(bytes, coding, maxBytes))
        : decodeOne(decoded, coding, maxBytes),
    body,
  );
}

function decodeOne(body: Uint8Array, coding: string, maxBytes: number): Uint8Array | Promise<Uint8Array> {
  const zlib = nodeBuiltin('node:zlib') as Zlib | undefined;
  const name = codingOf(coding, body);
  if (!zlib || !name) throw new DecodingError('encoding', `The content coding of the body is not known.`);

  const limit = Math.min(LARGEST_LIMIT, Math.max(1, Math.floor(maxBytes)));
  const chunkSize = Math.min(AT_ONCE_BYTES, Math.max(SMALLEST_CHUNK_BYTES, body.byteLength * EXPANSION));
  const atOnce = Math.min(limit, AT_ONCE_DECODED_BYTES);
  if (body.byteLength <= AT_ONCE_BYTES) {
    try {
      return zlib[`${name}Sync`](body, { maxOutputLength: atOnce, chunkSize });
    } catch (error) {
      if (!isTooLarge(error) || atOnce === limit) throw problemOf(error, maxBytes);
    }
  }
  return new Promise((resolve, reject) => {
    zlib[name](body, { maxOutputLength: limit, chunkSize }, (error, decoded) =>
      error ? reject(problemOf(error, maxBytes)) : resolve(decoded),
    );
  });
}

function codingOf(coding: string, body: Uint8Array): Coding | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return 'gunzip';
    case 'br':
      return 'brotliDecompress';
    case 'deflate':
      return hasZlibHeader(body) ? 'inflate' : 'inflateRaw';
    default:
      return undefined;
  }
}

/** RFC 9110 means zlib by "deflate"; some servers leave its header out. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE';
}

/** The errors of zlib hold no bytes of the body, and say little. */
function problemOf(error: unknown, maxBytes: number): DecodingError {
  if (isTooLarge(error)) return new DecodingError('too_large', `The decoded body is larger than ${maxBytes} bytes.`);
  return (error as { code?: unknown }).code === 'Z_BUF_ERROR'
    ? new DecodingError('connection', 'The compressed body is cut short.')
    : new DecodingError('encoding', 'The body is not of the content coding that its header names.');
}
