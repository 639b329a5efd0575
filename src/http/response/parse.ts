import type { ResponseValidationReason } from '../../errors/response.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { BodyCut, HttpResponse, RawResponse } from '../exchange/message.js';
import { parseJson } from './parse-json.js';

/**
 * Reads a response's JSON, within the attempt: a success that is empty, cut short or not JSON is an unknown outcome, and
 * decided on like a lost response. An error response stands by its status, whatever its body is.
 */
export function readResponse(raw: RawResponse, call: Call): HttpResponse {
  return raw.status >= 200 && raw.status < 300 ? readSuccess(raw, call) : readError(raw);
}

function readSuccess(raw: RawResponse, { emptyAllowed, operation }: Call): HttpResponse {
  const { status, headers, text, cut } = raw;
  if (isComplete(status)) {
    if (emptyAllowed) return { status, headers, data: undefined };
    throw unusable(raw, 'empty');
  }
  if (cut?.reason === 'timeout') throw cut.cause;
  if (cut) throw unusable(raw, REASONS[cut.reason], cut.cause);

  if (text === '') {
    if (emptyAllowed) return { status, headers, data: undefined };
    throw unusable(raw, 'empty');
  }
  try {
    return { status, headers, data: parseJson(text) };
  } catch (error) {
    // A deletion is done by its status; what a body adds to it does not matter.
    if (emptyAllowed && operation.method === 'DELETE') return { status, headers, data: undefined };
    // The parser's message quotes the body.
    throw unusable(raw, error instanceof SyntaxError && isCutShort(text) ? 'truncated' : 'not_json');
  }
}

/** 204 and 205 have no body by definition, and say that the request was executed: nothing is missing. */
function isComplete(status: number): boolean {
  return status === 204 || status === 205;
}

const REASONS: Readonly<Record<Exclude<BodyCut['reason'], 'timeout'>, ResponseValidationReason>> = {
  connection: 'truncated',
  too_large: 'too_large',
  encoding: 'encoding',
};

/** Characters of an error response that are kept for the caller. */
const KEPT_CHARACTERS = 64 * 1024;

function readError({ status, headers, text, cut }: RawResponse): HttpResponse {
  if (cut || text === '') return { status, headers, data: undefined };
  let data: unknown;
  try {
    data = parseJson(text);
  } catch {
    data = undefined;
  }
  return { status, headers, data, text: beginningOf(text) };
}

function beginningOf(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text;
  // A slice alone would keep the whole text in memory.
  return JSON.parse(JSON.stringify(text.slice(0, KEPT_CHARACTERS)));
}

function unusable({ status, headers }: RawResponse, reason: ResponseValidationReason, cause?: unknown): Failure {
  const facts = { kind: 'unusable', written: true, reason, status, headers } as const;
  return new Failure(isComplete(status) ? { ...facts, isApplied: true } : facts, cause);
}

/** JSON that begins as an object or array, and does not end as one. */
function isCutShort(text: string): boolean {
  const trimmed = text.trim();
  const closing = trimmed.startsWith('{') ? '}' : trimmed.startsWith('[') ? ']' : undefined;
  return closing !== undefined && !trimmed.endsWith(closing);
}
