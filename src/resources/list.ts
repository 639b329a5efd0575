import type { PageEnvelope } from '../contract/index.js';
import { RequestValidationError } from '../errors/local.js';
import { type CallOptions, NO_OPTIONS } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import type { PathParams } from '../http/request/path.js';
import type { Query } from '../http/request/query.js';
import { PageList } from '../pagination/page-list.js';
import type { Caller } from './caller.js';

/** Where a list begins, and how large its pages are. */
export interface ListQuery {
  /** Records in a page. */
  limit?: number | undefined;
  /** `nextCursor` of a page; leave it out to begin with the first. */
  cursor?: string | undefined;
}

/** Options of a list; they hold for each page. */
export interface ListOptions extends CallOptions {
  /** Fetches the next page while the items of the present one are used. @defaultValue false */
  prefetch?: boolean | undefined;
}

export interface ListCall {
  readonly template: string;
  readonly pathParams?: PathParams;
  readonly query?: object | undefined;
  /** Largest page (interface document, "Limits"). */
  readonly maxLimit: number;
  readonly options?: ListOptions | undefined;
}

/** A list endpoint: every page is a call of its own, with the same query and options. */
export function listOf<T>(caller: Caller, { template, pathParams, query, maxLimit, options }: ListCall): PageList<T> {
  const { prefetch = false, ...callOptions } = options ?? {};
  const fetch = (cursor: string | undefined): CallPromise<PageEnvelope<T>> => {
    const problem = limitProblem(query, maxLimit);
    if (problem) return new CallPromise(Promise.reject(problem));
    return caller.call<PageEnvelope<T>>('GET', template, {
      pathParams,
      query: { ...(query as Query), ...(cursor === undefined ? {} : { cursor }) },
      options: options ? callOptions : NO_OPTIONS,
    });
  };
  const startCursor = (query as ListQuery | undefined)?.cursor;
  return new PageList<T>({ name: `GET ${template}`, startCursor, fetch, prefetch });
}

function limitProblem(query: object | undefined, maxLimit: number): RequestValidationError | undefined {
  const limit: unknown = (query as ListQuery | undefined)?.limit;
  if (limit === undefined || (Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= maxLimit))
    return undefined;
  const message = `must be a whole number from 1 to ${maxLimit}`;
  return new RequestValidationError(`The list was not requested: "limit" ${message}.`, {
    problems: [{ field: 'limit', message }],
  });
}
