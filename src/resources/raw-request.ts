import { RequestValidationError } from '../errors/local.js';
import type { WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { checkTemplate, type PathParams } from '../http/request/path.js';
import type { Query } from '../http/request/query.js';
import type { Caller } from './caller.js';

/** A request to an endpoint that is newer than this package. */
export interface RawRequest {
  /** GET and HEAD change nothing; every other method carries an idempotency key. */
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base address, with names in braces: `/orders/{order_id}/notes`. */
  path: string;
  /** A value for each name in braces. */
  pathParams?: PathParams | undefined;
  /** Appended to the path, encoded. */
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies RawRequest['method'][];
const FIELDS = new Set(['method', 'path', 'pathParams', 'query', 'body']);

/** Sends a request over the whole way of the client: key, token, retries, cool-downs, typed errors. */
export function rawRequest<T>(caller: Caller, request: RawRequest, options?: WriteOptions): CallPromise<T> {
  const problem = problemOf(request);
  if (problem) return new CallPromise<T>(Promise.reject(problem));
  const { method, path, pathParams, query, body } = request;
  return caller.callUnknown<T>(method, path, {
    pathParams,
    query,
    body,
    isRaw: true,
    isVerbatim: true,
    // The response of a new endpoint is not known yet.
    emptyAllowed: true,
    options,
  });
}

function problemOf(request: RawRequest): Error | undefined {
  if (typeof request !== 'object' || request === null) {
    return refusal('request', "it is not an object; write for example { method: 'GET', path: '/orders' }");
  }
  const slip = Object.keys(request).find((name) => !FIELDS.has(name));
  if (slip !== undefined) {
    return refusal(slip, `"${slip}" is not a field of a request; options go into the last argument`);
  }
  if (!METHODS.includes(request.method)) return refusal('method', `"method" must be one of ${METHODS.join(', ')}`);
  try {
    checkTemplate(request.path);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function refusal(field: string, message: string): RequestValidationError {
  return new RequestValidationError(`The request was not sent: ${message}.`, { problems: [{ field, message }] });
}
