import type { Clock } from '../../platform/clock.js';
import { codeOf, Failure, isPermanent } from '../exchange/failure.js';
import type { BodyCut, HttpRequest, RawResponse, Transport } from '../exchange/message.js';
import { throwIfEnded } from '../exchange/wait.js';
import { charsetOf, textDecoderFor } from '../response/charset.js';
import { DecodingError, decodeContent } from '../response/decode-content.js';
import { withoutBody } from '../response/without-body.js';
import { endedFailure, watchAttempt } from './attempt-end.js';
import type { AttemptTimer } from './attempt-timer.js';
import type { DispatchController, Dispatcher, DispatchHandler } from './dispatcher.js';

export interface UndiciTransportParts {
  /** The dispatcher for a request; loaded at the first call. */
  readonly dispatcherFor: (request: HttpRequest) => Dispatcher | Promise<Dispatcher>;
  readonly clock: Clock;
  readonly timer: AttemptTimer;
  readonly maxResponseBytes: number;
}

/**
 * Sends over undici, and collects the body in a dispatch handler: no stream, no redirect.
 */
export function undiciTransport(parts: UndiciTransportParts): Transport {
  return (request) =>
    new Promise<RawResponse>((resolve, reject) => {
      // A signal that was aborted before it is watched never fires.
      throwIfEnded(request.call, parts.clock);
      const collector = new Collector(request, parts, resolve, reject);
      const dispatcher = parts.dispatcherFor(request);
      if (!(dispatcher instanceof Promise)) return collector.sendOver(dispatcher);
      dispatcher.then(
        (loaded) => collector.sendOver(loaded),
        (error) => collector.onResponseError(NO_CONTROLLER, error),
      );
    });
}

const NO_CONTROLLER: DispatchController = { abort() {} };

class Collector implements DispatchHandler {
  readonly #request: HttpRequest;
  readonly #maxBytes: number;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (failure: Failure) => void;
  readonly #unwatch: () => void;
  #controller: DispatchController | undefined;
  /** Set when undici takes the request from its queue to write it: before, nothing was sent. */
  #written = false;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(
    request: HttpRequest,
    parts: UndiciTransportParts,
    resolve: (response: RawResponse) => void,
    reject: (failure: Failure) => void,
  ) {
    this.#request = request;
    this.#maxBytes = parts.maxResponseBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#unwatch = watchAttempt(request.call, parts, (kind, reason) => this.#end(kind, reason));
  }

  sendOver(dispatcher: Dispatcher): void {
    if (this.#settled) return;
    const { method, origin, path, headers, body = null } = this.#request;
    try {
      dispatcher.dispatch({ method, origin, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: DispatchController): void {
    // The attempt ended while it was queued: this is the first moment at which undici can drop it, unwritten.
    if (this.#settled) return controller.abort(new Error('The attempt has ended.'));
    try {
      this.#request.checkBeforeSending?.();
    } catch (reason) {
      return this.#hold(controller, reason);
    }
    this.#controller = controller;
    this.#written = true;
  }

  onResponseStart(
    controller: DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#settled || status < 200) return;
    this.#status = status;
    this.#headers = flatten(headers);
    // The length of what a HEAD does not send matters to nobody.
    if (Number(this.#headers['content-length']) > this.#maxBytes && this.#request.method !== 'HEAD') {
      this.#tooLarge(controller);
    }
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#maxBytes) return this.#tooLarge(controller);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    const body = bytesOf(this.#chunks);
    const encoding = this.#headers['content-encoding'];
    if (encoding === undefined || body.byteLength === 0) return this.#whole(body);
    try {
      const decoded = decodeContent(body, encoding, this.#maxBytes);
      delete this.#headers['content-encoding'];
      if (!(decoded instanceof Promise)) return this.#whole(decoded);
      decoded.then(
        (bytes) => this.#whole(bytes),
        (error) => this.#undecodable(error),
      );
    } catch (error) {
      this.#undecodable(error);
    }
  }

  #whole(body: Uint8Array): void {
    if (this.#settled) return;
    let text: string;
    try {
      text = textOf(body, this.#headers['content-type']);
    } catch (error) {
      return this.#undecodable(error);
    }
    this.#settle();
    this.#resolve({ status: this.#status, headers: this.#headers, text });
  }

  #undecodable(error: unknown): void {
    if (this.#settled) return;
    this.#cut({ reason: error instanceof DecodingError ? error.reason : 'encoding', cause: error });
  }

  onResponseError(_controller: DispatchController, error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#settled) return;
    const cause = withoutBody(error);
    if (this.#status !== 0) return this.#cut({ reason: 'connection', cause });
    this.#settle();
    const code = codeOf(error);
    const facts = { kind: 'connection', written: this.#written, permanent: isPermanent(code), code } as const;
    this.#reject(new Failure(facts, cause));
  }

  /** A check refused the attempt; a dispatcher that repeats requests by itself may have written it before. */
  #hold(controller: DispatchController, reason: unknown): void {
    const failure = new Failure({ kind: 'held', written: this.#written }, reason);
    this.#settle();
    this.#reject(failure);
    controller.abort(failure);
  }

  #end(kind: 'timeout' | 'deadline' | 'aborted', reason: unknown): void {
    if (this.#settled) return;
    const failure = endedFailure(kind, this.#written, reason);
    if (kind === 'timeout' && this.#status !== 0) this.#cut({ reason: 'timeout', cause: failure });
    else {
      this.#settle();
      this.#reject(failure);
    }
    this.#controller?.abort(failure);
  }

  #tooLarge(controller: DispatchController): void {
    const cause = new Error(`The body is larger than ${this.#maxBytes} bytes.`);
    this.#cut({ reason: 'too_large', cause });
    controller.abort(cause);
  }

  /** Status and headers are known, the body is not. */
  #cut(cut: BodyCut): void {
    this.#settle();
    this.#resolve({ status: this.#status, headers: this.#headers, text: '', cut });
  }

  #settle(): void {
    this.#settled = true;
    this.#unwatch();
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function bytesOf(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function textOf(bytes: Uint8Array, contentType: string | undefined): string {
  if (charsetOf(contentType) !== undefined) return textDecoderFor(contentType).decode(bytes);
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('utf8');
}
