import { type Clock, systemClock } from '../../platform/clock.js';
import { SIGNATURE_HEADER, signBody } from './signature.js';

/** Where deliveries go: an address, or a function that takes a `Request` and returns a `Response`. */
export type DeliveryTarget = string | URL | ((request: Request) => Response | Promise<Response>);

export interface SendOptions {
  readonly target: DeliveryTarget;
  /** Address in the request that a function sees. */
  readonly url: string;
  readonly body: string;
  readonly secret: string;
  /** Value of the signature's header. @defaultValue lower-case hex over the body */
  readonly signature?: string;
  /** Real milliseconds. */
  readonly timeoutMs: number;
}

/** Sends one signed delivery. Gives the status of the response, or `null` and what went wrong when there was none. */
export async function sendDelivery(options: SendOptions): Promise<{ status: number | null; error: string | null }> {
  const abort = new AbortController();
  const cancel = stopAfter(systemClock, options.timeoutMs, abort);
  try {
    const response = await post(options, abort.signal);
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: error instanceof Error ? error.message : String(error) };
  } finally {
    cancel();
  }
}

function post(
  { target, url, body, secret, signature = signBody(body, secret) }: SendOptions,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature };
  const init = { method: 'POST', headers, body };
  if (typeof target !== 'function') return fetch(target, { ...init, signal, redirect: 'manual' });
  const response = Promise.resolve(new Request(url, init)).then(target);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([response, aborted]);
}

function stopAfter(clock: Clock, timeoutMs: number, abort: AbortController): () => void {
  const reason = new Error(`No response within ${timeoutMs} ms`);
  return clock.setTimer(() => abort.abort(reason), timeoutMs, { background: true });
}
