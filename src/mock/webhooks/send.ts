import { type Clock, systemClock } from '../../platform/clock.js';
import { onAbort } from '../../platform/on-abort.js';
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
  /** Headers beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Real milliseconds. */
  readonly timeoutMs: number;
  /** Ends the delivery before its time. */
  readonly signal?: AbortSignal;
}

/** What a receiver said. */
export interface DeliveryResponse {
  /** `null` when there was no response. */
  readonly status: number | null;
  /** What went wrong when there was no response. */
  readonly error: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** Its beginning. */
  readonly responseBody: string | null;
}

/** Characters of a response that are kept. */
const LONGEST_BODY = 2000;
/** The status decides; a body that does not come is not waited for, in real milliseconds. */
const BODY_WITHIN_MS = 200;

/** Sends one signed delivery. */
export async function sendDelivery(options: SendOptions): Promise<DeliveryResponse> {
  const { signal } = options;
  const abort = new AbortController();
  const cancel = stopAfter(systemClock, options.timeoutMs, abort);
  const unlisten = signal && onAbort(signal, () => abort.abort(signal.reason));
  try {
    const response = await post(options, abort.signal);
    const responseHeaders = Object.fromEntries(response.headers);
    return { status: response.status, error: null, responseHeaders, responseBody: await beginningOf(response) };
  } catch (error) {
    return { status: null, error: reasonOf(error), responseHeaders: null, responseBody: null };
  } finally {
    cancel();
    unlisten?.();
  }
}

/** `fetch failed` is all that `fetch` says by itself; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const why = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
  return why === '' ? error.message : `${error.message}: ${why}`;
}

async function beginningOf(response: Response): Promise<string | null> {
  if (!response.body) return null;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done && text.length < LONGEST_BODY; part = await reader.read()) {
      text += part.value;
    }
  };
  let stop = (): void => {};
  const late = new Promise<void>((resolve) => {
    stop = systemClock.setTimer(resolve, BODY_WITHIN_MS, { background: true });
  });
  // A body that breaks off changes nothing: the status was there.
  await Promise.race([read().catch(() => {}), late]);
  stop();
  reader.cancel().catch(() => {});
  return text.slice(0, LONGEST_BODY);
}

function post(
  { target, url, body, secret, signature = signBody(body, secret), headers: others }: SendOptions,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature, ...others };
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
