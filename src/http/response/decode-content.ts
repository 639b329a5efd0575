import { nodeBuiltin } from '../../platform/node-builtin.js';

/** What zlib gives out at a time. */
const CHUNK_BYTES = 64 * 1024;
/** Codings applied one after the other; more are an attack. */
const MOST_CODINGS = 3;

/** Why a body could not be decoded. */
export class DecodingError extends Error {
  readonly reason: 'encoding' | 'too_large' | 'connection';

  constructor(reason: 'encoding' | 'too_large' | 'connection', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Takes a body chunk by chunk. */
export interface BodySink {
  write(chunk: Uint8Array): void;
  end(): void;
  /** Nothing more is wanted. */
  stop(): void;
}

/** The last sink: it is told, too, when the body cannot be decoded. */
export interface DecodedSink extends BodySink {
  fail(error: DecodingError): void;
}

/** As far as a stream of `node:zlib` is used. */
interface ZlibStream {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  write(chunk: Uint8Array): unknown;
  end(): unknown;
  destroy(): unknown;
}
type Coding = 'createGunzip' | 'createInflate' | 'createInflateRaw' | 'createBrotliDecompress';
type Zlib = Record<Coding, (options: { readonly chunkSize: number }) => ZlibStream>;

/**
 * Undoes the content codings of a body while it arrives, in threads of the runtime: gzip, deflate and br, whether they were
 * asked for or not.
 *
 * @param maxBytes - of what each coding decodes to. It counts while the body grows, so that one that would expand a
 *   thousandfold ends at the limit.
 * @throws {DecodingError} The content coding is not known.
 */
export function decoded(contentEncoding: string, maxBytes: number, sink: DecodedSink): BodySink {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) throw new DecodingError('encoding', 'The body has too many content codings.');
  const zlib = nodeBuiltin('node:zlib') as Zlib | undefined;
  if (codings.length > 0 && (!zlib || !codings.every((coding) => CODINGS.has(coding)))) {
    throw new DecodingError('encoding', 'The content coding of the body is not known.');
  }
  const fail = (error: DecodingError): void => sink.fail(error);
  // The coding that was applied last is undone first.
  return codings.reduce<BodySink>((next, coding) => new Stage({ coding, zlib: zlib!, maxBytes, next, fail }), sink);
}

const CODINGS: ReadonlyMap<string, Coding | 'deflate'> = /* @__PURE__ */ new Map<string, Coding | 'deflate'>([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['br', 'createBrotliDecompress'],
  ['deflate', 'deflate'],
]);

interface StageDeps {
  readonly coding: string;
  readonly zlib: Zlib;
  readonly maxBytes: number;
  readonly next: BodySink;
  readonly fail: (error: DecodingError) => void;
}

/** Undoes one coding. */
class Stage implements BodySink {
  readonly #deps: StageDeps;
  #stream: ZlibStream | undefined;
  /** The first byte, while it is the only one: two tell which deflate it is. */
  #firstByte: Uint8Array | undefined;
  #bytes = 0;
  #stopped = false;

  constructor(deps: StageDeps) {
    this.#deps = deps;
  }

  write(chunk: Uint8Array): void {
    if (this.#stopped || chunk.byteLength === 0) return;
    if (this.#stream) {
      this.#stream.write(chunk);
      return;
    }
    const known = this.#firstByte ? new Uint8Array([...this.#firstByte, ...chunk]) : chunk;
    this.#firstByte = known.byteLength === 1 ? known : undefined;
    if (this.#firstByte) return;
    this.#stream = this.#open(known);
    this.#stream.write(known);
  }

  end(): void {
    if (this.#stopped) return;
    if (this.#stream) this.#stream.end();
    else if (this.#firstByte) this.#fail(cutShort());
    else this.#deps.next.end();
  }

  stop(): void {
    this.#stopped = true;
    this.#stream?.destroy();
    this.#deps.next.stop();
  }

  #open(beginning: Uint8Array): ZlibStream {
    const { coding, zlib, maxBytes, next } = this.#deps;
    const found = CODINGS.get(coding)!;
    const deflate = hasZlibHeader(beginning) ? 'createInflate' : 'createInflateRaw';
    const stream = zlib[found === 'deflate' ? deflate : found]({ chunkSize: CHUNK_BYTES });
    stream.on('data', (chunk) => {
      if (this.#stopped) return;
      this.#bytes += chunk.byteLength;
      if (this.#bytes <= maxBytes) return next.write(chunk);
      this.#fail(new DecodingError('too_large', `The decoded body is larger than ${maxBytes} bytes.`));
    });
    stream.on('end', () => {
      if (!this.#stopped) next.end();
    });
    stream.on('error', (error) => this.#fail(problemOf(error)));
    return stream;
  }

  #fail(error: DecodingError): void {
    if (this.#stopped) return;
    this.stop();
    this.#deps.fail(error);
  }
}

/** RFC 9110 means zlib by "deflate"; some servers leave its header out. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** The errors of zlib hold no bytes of the body, and say little. */
function problemOf(error: unknown): DecodingError {
  return (error as { code?: unknown }).code === 'Z_BUF_ERROR'
    ? cutShort()
    : new DecodingError('encoding', 'The body is not of the content coding that its header names.');
}

function cutShort(): DecodingError {
  return new DecodingError('connection', 'The compressed body is cut short.');
}
