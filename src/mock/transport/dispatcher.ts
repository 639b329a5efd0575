import { Buffer } from 'node:buffer';
import type { Exchange, RawRequest, ResponseOutcome } from '../kernel/exchange.js';
import { connectionClosed, connectionRefused, connectionReset } from './failures.js';
import { asReceiver, type MockDispatchHandler, type Receiver } from './receiver.js';
import { bodyText, headerRecord } from './request-text.js';

/** The fields of a dispatch that matter here; the same in undici 7 and 8. */
export interface MockDispatchOptions {
  /** Path, with or without the query. */
  readonly path: string;
  /** HTTP method in capitals. */
  readonly method: string;
  /** Scheme, host and port; the mock responds at any. */
  readonly origin?: string | URL;
  /** Parameters that are added to the path. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers as undici takes them: an object, a flat list, or pairs. */
  readonly headers?: unknown;
  /** What undici takes as a body: a text, bytes, a stream, or `null`. */
  readonly body?: unknown;
}

/**
 * A dispatcher as undici 7 and 8 call it, without a socket: `new OnlineOrdering({ dispatcher: service.dispatcher })`.
 *
 * A request passes the phases of a real one: the connection, `onRequestStart` before the service sees anything, then
 * head, body and end of the response.
 */
export class MockDispatcher {
  readonly #begin: (request: RawRequest) => Exchange;
  #closed = false;

  constructor(begin: (request: RawRequest) => Exchange) {
    this.#begin = begin;
  }

  /** Sends a request to the mock; the handler hears of it later, never within the call. Always true. */
  dispatch(options: MockDispatchOptions, handler: MockDispatchHandler): boolean {
    const receiver = asReceiver(handler);
    if (this.#closed) queueMicrotask(() => receiver.fail(destroyed()));
    else this.#exchange(options, receiver).catch((error: unknown) => receiver.fail(error));
    return true;
  }

  /** Refuses requests from now on, as a closed dispatcher of undici does. */
  async close(): Promise<void> {
    this.#closed = true;
  }

  /** The same as `close`: there is no socket to be cut. */
  async destroy(): Promise<void> {
    this.#closed = true;
  }

  async #exchange(options: MockDispatchOptions, receiver: Receiver): Promise<void> {
    const body = await bodyText(options.body);
    const exchange = this.#begin({
      method: options.method,
      target: targetOf(options),
      headers: headerRecord(options.headers),
      body: body === '' ? undefined : body,
    });
    if (!exchange.connects) return receiver.fail(connectionRefused());
    if (!receiver.start()) return;

    const outcome = await exchange.run();
    if (outcome.kind === 'reset') return receiver.fail(connectionReset());
    if (outcome.kind === 'close') return receiver.fail(connectionClosed());
    if (outcome.kind === 'response') await respond(outcome, receiver);
  }
}

async function respond({ status, headers, body, flow }: ResponseOutcome, receiver: Receiver): Promise<void> {
  const bytes = Buffer.from(body ?? '');
  const length = String(bytes.length);
  await receiver.head(status, status === 204 ? headers : { ...headers, 'content-length': length });
  if (flow === 'stall') return;
  if (flow === 'drip') return receiver.drip(bytes);
  if (flow === 'truncated') {
    await receiver.data(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    return receiver.fail(connectionClosed());
  }
  if (bytes.length > 0) await receiver.data(bytes);
  receiver.end();
}

function targetOf({ path, query }: MockDispatchOptions): string {
  const url = new URL(path, 'https://service.invalid');
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.append(name, String(value));
  return url.pathname + url.search;
}

const destroyed = (): Error =>
  Object.assign(new Error('The client is destroyed'), { name: 'ClientDestroyedError', code: 'UND_ERR_DESTROYED' });
