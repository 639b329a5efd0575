import type { ResponseValidationReason } from '../../errors/response.js';
import { Failure } from '../exchange/failure.js';
import type { HttpRequest, HttpResponse, RawResponse, Send, Transport } from '../exchange/message.js';

/**
 * Reads an answer's JSON, within the attempt: a success that is empty, cut short or not JSON is an unknown outcome, and
 * decided on like a lost answer. An error answer stands by its status, whatever its body is.
 */
export function parsing(transport: Transport): Send {
  return async (request) => {
    const raw = await transport(request);
    return raw.status >= 200 && raw.status < 300 ? readSuccess(raw, request) : readError(raw);
  };
}

function readSuccess(raw: RawResponse, request: HttpRequest): HttpResponse {
  const { status, headers, text, cut } = raw;
  if (cut?.reason === 'timeout') throw cut.cause;
  if (cut) throw unusable(raw, cut.reason === 'too_large' ? 'too_large' : 'truncated', cut.cause);

  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') throw unusable(raw, 'encoding');
  if (text === '') {
    if (request.emptyAllowed) return { status, headers, data: undefined };
    throw unusable(raw, 'empty');
  }
  try {
    return { status, headers, data: parseJson(text) };
  } catch (error) {
    // A deletion is done by its status; what a body adds to it is nobody's business.
    if (request.emptyAllowed && request.method === 'DELETE') return { status, headers, data: undefined };
    // The parser's message quotes the body.
    throw unusable(raw, error instanceof SyntaxError && isCutShort(text) ? 'truncated' : 'not_json');
  }
}

function readError({ status, headers, text, cut }: RawResponse): HttpResponse {
  if (cut || text === '') return { status, headers, data: undefined };
  try {
    return { status, headers, data: parseJson(text) };
  } catch {
    return { status, headers, data: undefined };
  }
}

function unusable({ status, headers }: RawResponse, reason: ResponseValidationReason, cause?: unknown): Failure {
  return new Failure({ kind: 'unusable', written: true, reason, status, headers }, cause);
}

/** JSON that begins as an object or array, and does not end as one. */
function isCutShort(text: string): boolean {
  const trimmed = text.trim();
  const closing = trimmed.startsWith('{') ? '}' : trimmed.startsWith('[') ? ']' : undefined;
  return closing !== undefined && !trimmed.endsWith(closing);
}

/** `__proto__`, also with escaped letters, as a key that would change the prototype of a copy made of the data. */
const PROTOTYPE_KEY =
  /"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/;

function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const mayHoldIt = json.includes('__proto__') || json.includes('\\u00');
  if (!mayHoldIt || !PROTOTYPE_KEY.test(json)) return JSON.parse(json);
  return JSON.parse(json, function dropPrototype(this: unknown, key, value) {
    return key === '__proto__' ? undefined : value;
  });
}
