import type { Clock } from '../../platform/clock.js';
import type { Call, Headers } from '../exchange/call.js';
import { codeOf, Failure, isPermanent, provesNotSent } from '../exchange/failure.js';
import type { BodyCut, RawResponse, ReadResponse, Send } from '../exchange/message.js';
import { throwIfEnded } from '../exchange/wait.js';
import { textDecoderFor } from '../response/charset.js';
import { withoutBody } from '../response/without-body.js';
import { AttemptWatch, endedFailure } from './attempt-end.js';
import type { AttemptTimer } from './attempt-timer.js';

export interface FetchTransportDeps<Response> {
  readonly fetch: typeof globalThis.fetch;
  /** Called at the moment where the bytes would leave; if it throws, nothing is sent. */
  readonly beforeSending: (call: Call) => void;
  readonly read: ReadResponse<Response>;
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
export function fetchTransport<Response>(deps: FetchTransportDeps<Response>): Send<Response> {
  return (call, headers) =>
    new Promise<RawResponse>((resolve, reject) => {
      // A signal that was aborted before it is watched never fires.
      throwIfEnded(call, deps.clock);
      const stop = new AbortController();
      let cut: ((cut: BodyCut) => void) | undefined;
      const watch = new AttemptWatch(call, deps, {
        end: (kind, reason) => {
          const failure = endedFailure(kind, true, reason);
          if (kind === 'timeout' && cut) cut({ reason: 'timeout', cause: failure });
          else reject(failure);
          watch.stop();
          stop.abort(failure);
        },
      });
      const headersArrived = (known: Pick<RawResponse, 'status' | 'headers'>): void => {
        cut = (bodyCut) => resolve({ ...known, text: '', cut: bodyCut });
      };
      exchange(call, headers, deps, stop.signal, headersArrived)
        .then(resolve, (error) => reject(failureOf(error)))
        .finally(() => watch.stop());
    }).then((raw) => deps.read(raw, call));
}

async function exchange(
  call: Call,
  headers: Headers,
  { fetch, maxResponseBytes, beforeSending }: FetchTransportDeps<unknown>,
  signal: AbortSignal,
  headersArrived: (known: Pick<RawResponse, 'status' | 'headers'>) => void,
): Promise<RawResponse> {
  try {
    beforeSending(call);
  } catch (reason) {
    throw new Failure({ kind: 'held', written: false }, reason);
  }
  const response = await fetch(`${call.origin}${call.path}`, {
    method: call.operation.method,
    headers,
    body: call.body,
    redirect: 'manual',
    signal,
  } as RequestInit);
  const known = { status: statusOf(response), headers: headersOf(response) };
  headersArrived(known);
  return { ...known, ...(await readBody(response, maxResponseBytes)) };
}

/** Browsers and some edge runtimes hide the status of a redirect that they do not follow. */
function statusOf(response: Response): number {
  return response.type === 'opaqueredirect' ? 302 : response.status;
}

function headersOf(response: Response): Record<string, string> {
  const headers = Object.fromEntries(response.headers);
  // What is read here has been decoded already.
  delete headers['content-encoding'];
  // In an object it is no name like others.
  Reflect.deleteProperty(headers, '__proto__');
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
