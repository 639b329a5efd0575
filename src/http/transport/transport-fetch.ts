import type { Clock } from '../../platform/clock.js';
import { codeOf, Failure, isPermanent, provesNotSent } from '../exchange/failure.js';
import type { BodyCut, HttpRequest, RawResponse, Transport } from '../exchange/message.js';
import { throwIfEnded } from '../exchange/wait.js';
import { textDecoderFor } from '../response/charset.js';
import { withoutBody } from '../response/without-body.js';
import { endedFailure, watchAttempt } from './attempt-end.js';
import type { AttemptTimer } from './attempt-timer.js';

export interface FetchTransportParts {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timer: AttemptTimer;
  readonly maxResponseBytes: number;
}

/**
 * Sends over any WHATWG `fetch`: edge runtimes, request interceptors.
 *
 * `fetch` hides whether the request was written, so a failure counts as written unless its cause proves otherwise; and
 * it decodes compressed bodies itself.
 */
export function fetchTransport(parts: FetchTransportParts): Transport {
  return (request) =>
    new Promise<RawResponse>((resolve, reject) => {
      // A signal that was aborted before it is watched never fires.
      throwIfEnded(request.call, parts.clock);
      const stop = new AbortController();
      let cut: ((cut: BodyCut) => void) | undefined;
      const unwatch = watchAttempt(request.call, parts, (kind, reason) => {
        const failure = endedFailure(kind, true, reason);
        if (kind === 'timeout' && cut) cut({ reason: 'timeout', cause: failure });
        else reject(failure);
        unwatch();
        stop.abort(failure);
      });
      const headersArrived = (known: Pick<RawResponse, 'status' | 'headers'>): void => {
        cut = (bodyCut) => resolve({ ...known, text: '', cut: bodyCut });
      };
      exchange(request, parts, stop.signal, headersArrived)
        .then(resolve, (error) => reject(failureOf(error)))
        .finally(unwatch);
    });
}

async function exchange(
  { method, origin, path, headers, body, checkBeforeSending }: HttpRequest,
  { fetch, maxResponseBytes }: FetchTransportParts,
  signal: AbortSignal,
  headersArrived: (known: Pick<RawResponse, 'status' | 'headers'>) => void,
): Promise<RawResponse> {
  try {
    checkBeforeSending?.();
  } catch (reason) {
    throw new Failure({ kind: 'held', written: false }, reason);
  }
  const response = await fetch(`${origin}${path}`, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal,
  } as RequestInit);
  const known = { status: statusOf(response), headers: headersOf(response) };
  headersArrived(known);
  return { ...known, ...(await readBody(response, maxResponseBytes)) };
}

/** Browsers and some edge runtimes hide the status of a redirect that they were told not to follow. */
function statusOf(response: Response): number {
  return response.type === 'opaqueredirect' ? 302 : response.status;
}

function headersOf(response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  // What is read here has been decoded already.
  delete headers['content-encoding'];
  return headers;
}

async function readBody(response: Response, maxBytes: number): Promise<Pick<RawResponse, 'text' | 'cut'>> {
  if (!response.body) return { text: '' };
  let decoder: ReturnType<typeof textDecoderFor>;
  try {
    decoder = textDecoderFor(response.headers.get('content-type') ?? undefined);
  } catch (cause) {
    void response.body.cancel().catch(() => {});
    return { text: '', cut: { reason: 'encoding', cause } };
  }
  const reader = response.body.getReader();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode() };
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        void reader.cancel().catch(() => {});
        return {
          text: '',
          cut: { reason: 'too_large', cause: new Error(`The body is larger than ${maxBytes} bytes.`) },
        };
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    return { text: '', cut: { reason: isDecodingError(error) ? 'encoding' : 'connection', cause: withoutBody(error) } };
  }
}

/** The runtime decodes the body while it is read; what zlib refuses ends the reading. */
function isDecodingError(error: unknown): boolean {
  return /^(Z_DATA_ERROR|ERR_?_?BROTLI|ERR__ERROR_FORMAT)/.test(codeOf(error));
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  const written = !provesNotSent(code);
  return new Failure({ kind: 'connection', written, permanent: isPermanent(code), code }, withoutBody(error));
}
