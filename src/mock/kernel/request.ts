import { isObject } from '../refusals/read-fields.js';
import { Refusal } from '../refusals/refusal.js';
import type { RawRequest } from './exchange.js';
import type { Match, Router } from './router.js';

/** The version is part of every address ("Versioning"). */
export const BASE_PATH = '/v1/online-ordering';

export interface ParsedRequest {
  readonly method: string;
  /** Below the base path, without the query. */
  readonly path: string;
  readonly pathWithQuery: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly match: Match | undefined;
  readonly body: unknown;
  /** The body with sorted fields, so that two spellings of one body are the same body. */
  readonly canonicalBody: string;
  /** Set when the body is not JSON; thrown once the caller is known. */
  readonly malformedBody: Refusal | undefined;
  /** Who asks for a token; empty otherwise. */
  readonly clientId: string;
}

export function parseRequest(raw: RawRequest, router: Router): ParsedRequest {
  const [fullPath = '', search = ''] = splitOnce(raw.target, '?');
  const isBelow = fullPath.startsWith(`${BASE_PATH}/`);
  const path = isBelow ? fullPath.slice(BASE_PATH.length) : fullPath;
  const method = raw.method.toUpperCase();
  const { body, malformedBody } = parseBody(raw.body);
  return {
    method,
    path,
    pathWithQuery: search === '' ? path : `${path}?${search}`,
    query: new URLSearchParams(search),
    headers: raw.headers,
    match: isBelow ? router.find(method, path) : undefined,
    body,
    canonicalBody: body === undefined ? '' : JSON.stringify(sorted(body)),
    malformedBody,
    clientId: isObject(body) && typeof body.client_id === 'string' ? body.client_id : '',
  };
}

function parseBody(text: string | undefined): { body: unknown; malformedBody: Refusal | undefined } {
  if (text === undefined || text.trim() === '') return { body: undefined, malformedBody: undefined };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { body: undefined, malformedBody: malformed('The body must be valid JSON.') };
  }
  if (nestsDeeperThan(body, DEEPEST_BODY)) {
    return { body: undefined, malformedBody: malformed(`The body nests deeper than ${DEEPEST_BODY} levels.`) };
  }
  return { body, malformedBody: undefined };
}

function malformed(detail: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Malformed JSON in request body',
    detail,
    field: null,
  });
}

/** Far beyond any request; what is read below by recursion must not run out of stack. */
export const DEEPEST_BODY = 500;

export function nestsDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
