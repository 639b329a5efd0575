import type { Clock } from '../../platform/clock.js';
import type { Call, Headers } from '../exchange/call.js';
import { codeOf, Failure, isPermanent } from '../exchange/failure.js';
import type { BodyCut, RawResponse, ReadResponse, Send } from '../exchange/message.js';
import { throwIfEnded } from '../exchange/wait.js';
import { bodyReader } from '../response/body-reader.js';
import { textOf } from '../response/body-text.js';
import { type BodySink, DecodingError } from '../response/decode-content.js';
import { withoutBody } from '../response/without-body.js';
import { type Attempt, type AttemptEnd, AttemptWatch, abortQuietly, endedFailure } from './attempt-end.js';
import type { AttemptTimer } from './attempt-timer.js';
import type { DispatchController } from './dispatcher.js';
import type { AttemptDispatcher, AttemptHandler } from './raw-dispatcher.js';

export interface UndiciTransportDeps<Response> {
  /** The dispatcher for a call; loaded at the first one. */
  readonly dispatcherFor: (call: Call) => AttemptDispatcher | Promise<AttemptDispatcher>;
  /** Called at the moment where the bytes would leave; if it throws, nothing is sent. */
  readonly beforeSending: (call: Call) => void;
  readonly read: ReadResponse<Response>;
  readonly clock: Clock;
  readonly timer: AttemptTimer;
  readonly maxResponseBytes: number;
}

/**
 * Sends over undici, and collects the body in a dispatch handler: no stream, no redirect.
 */
export function undiciTransport<Response>(deps: UndiciTransportDeps<Response>): Send<Response> {
  return (call, headers) =>
    new Promise<Response>((resolve, reject) => {
      // A signal that was aborted before it is watched never fires.
      throwIfEnded(call, deps.clock);
      const collector = new Collector(call, headers, deps, resolve, reject);
      const dispatcher = deps.dispatcherFor(call);
      if (!(dispatcher instanceof Promise)) return collector.sendOver(dispatcher);
      dispatcher.then(
        (loaded) => collector.sendOver(loaded),
        (error) => collector.onResponseError(NO_CONTROLLER, error),
      );
    });
}

const NO_CONTROLLER: DispatchController = { abort() {} };
const NO_HEADERS: Headers = {};
const NO_BYTES = new Uint8Array(0);

class Collector<Response> implements AttemptHandler, Attempt {
  readonly #call: Call;
  readonly #sentHeaders: Headers;
  readonly #deps: UndiciTransportDeps<Response>;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #watch: AttemptWatch;
  #controller: DispatchController | undefined;
  /** Set when undici takes the request from its queue to write it: before, nothing was sent. */
  #written = false;
  #settled = false;
  #status = 0;
  #headers: Headers = NO_HEADERS;
  /** Most bodies come in one chunk, as they are. */
  #chunk: Uint8Array | undefined;
  /** Of all others. */
  #reader: BodySink | undefined;
  #bytes = 0;
  #arrived = false;
  #onSettled: (() => void) | undefined;

  constructor(
    call: Call,
    headers: Headers,
    deps: UndiciTransportDeps<Response>,
    resolve: (response: Response) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#call = call;
    this.#sentHeaders = headers;
    this.#deps = deps;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#watch = new AttemptWatch(call, deps, this);
  }

  sendOver(dispatcher: AttemptDispatcher): void {
    if (this.#settled) return;
    const { operation, origin, path, body = null } = this.#call;
    const { method } = operation;
    // Undici types them as those that it may change, and changes none.
    const headers = this.#sentHeaders as Record<string, string>;
    try {
      dispatcher.dispatch({ method, origin, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: DispatchController): void {
    // The attempt ended while it was queued: this is the first moment at which undici can drop it, unwritten.
    if (this.#settled) return abortQuietly(controller, new Error('The attempt has ended.'));
    try {
      this.#deps.beforeSending(this.#call);
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
    this.onHead(controller, status, flatten(headers));
  }

  onHead(controller: DispatchController, status: number, headers: Headers): void {
    if (this.#settled || status < 200) return;
    this.#status = status;
    this.#headers = headers;
    // A HEAD has no body, whatever length it names.
    const { maxResponseBytes } = this.#deps;
    if (Number(this.#headers['content-length']) > maxResponseBytes && this.#call.operation.method !== 'HEAD') {
      this.#tooLarge(controller);
    }
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#deps.maxResponseBytes) return this.#tooLarge(controller);
    if (this.#reader) return this.#reader.write(chunk);
    const isFirst = this.#chunk === undefined;
    if (isFirst && this.#headers['content-encoding'] === undefined) this.#chunk = chunk;
    else this.#readWhileArriving(controller, chunk);
  }

  #readWhileArriving(controller: DispatchController, chunk: Uint8Array): void {
    const { 'content-type': contentType, 'content-encoding': contentEncoding } = this.#headers;
    const facts = { contentType, contentEncoding, maxBytes: this.#deps.maxResponseBytes };
    const onUnreadable = (error: unknown): void => {
      this.#undecodable(error);
      if (!this.#arrived)
        abortQuietly(controller, error instanceof Error ? error : new Error('The body cannot be read.'));
    };
    try {
      this.#reader = bodyReader(facts, { onText: (text) => this.#whole(text), onUnreadable });
    } catch (error) {
      return onUnreadable(error);
    }
    if (this.#chunk) this.#reader.write(this.#chunk);
    this.#reader.write(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    if (this.#status === 0) return this.#fail(new Error('The dispatcher ended without a response.'));
    this.#arrived = true;
    if (!this.#reader) return this.#wholeAtOnce(this.#chunk ?? NO_BYTES);
    this.#reader.end();
    // Decoding goes on in a thread, which a virtual clock does not see.
    if (!this.#settled) {
      void this.#deps.clock.during?.(
        () =>
          new Promise<void>((resolve) => {
            this.#onSettled = resolve;
          }),
      );
    }
  }

  #wholeAtOnce(body: Uint8Array): void {
    try {
      this.#whole(textOf(body, this.#headers['content-type']));
    } catch (error) {
      this.#undecodable(error);
    }
  }

  #whole(text: string): void {
    if (this.#settled) return;
    this.#settle();
    if (this.#headers['content-encoding'] !== undefined) this.#headers = decodedHeaders(this.#headers);
    this.#give({ status: this.#status, headers: this.#headers, text });
  }

  #give(raw: RawResponse): void {
    try {
      this.#resolve(this.#deps.read(raw, this.#call));
    } catch (failure) {
      this.#reject(failure);
    }
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
    abortQuietly(controller, failure);
  }

  end(kind: AttemptEnd, reason: unknown): void {
    if (this.#settled) return;
    const failure = endedFailure(kind, this.#written, reason);
    if (kind === 'timeout' && this.#status !== 0) this.#cut({ reason: 'timeout', cause: failure });
    else {
      this.#settle();
      this.#reject(failure);
    }
    if (this.#controller) abortQuietly(this.#controller, failure);
  }

  #tooLarge(controller: DispatchController): void {
    const cause = new Error(`The body is larger than ${this.#deps.maxResponseBytes} bytes.`);
    this.#cut({ reason: 'too_large', cause });
    abortQuietly(controller, cause);
  }

  /** Status and headers are known, the body is not. */
  #cut(cut: BodyCut): void {
    this.#settle();
    this.#give({ status: this.#status, headers: this.#headers, text: '', cut });
  }

  #settle(): void {
    this.#settled = true;
    this.#watch.stop();
    this.#reader?.stop();
    this.#onSettled?.();
  }
}

/**
 * The headers as they are, unless one has several values, none, or capital letters: undici gives them in lower case. One that is
 * named as the prototype of an object is left out.
 */
function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  for (const name in headers) {
    const isFlat = typeof headers[name] === 'string' && name === name.toLowerCase() && name !== '__proto__';
    if (!isFlat) return flattened(headers);
  }
  return headers as Headers;
}

function flattened(headers: Record<string, string | string[] | undefined>): Headers {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === '__proto__') continue;
    flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function decodedHeaders({ 'content-encoding': _decoded, ...headers }: Headers): Headers {
  return headers;
}
