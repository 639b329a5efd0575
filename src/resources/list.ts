import type { PageEnvelope } from '../contract/index.js';
import type { EndpointRequest, ListName, QueryOf, RecordOf } from '../endpoints/endpoint-types.js';
import { endpoints } from '../endpoints/endpoints.js';
import { RequestValidationError } from '../errors/local.js';
import { type CallOptions, NO_OPTIONS } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { PageList } from '../pagination/page-list.js';
import type { Caller, EndpointCall } from './caller.js';

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

/** What a list says about its requests. */
export type ListCall<Name extends ListName> = Pick<EndpointRequest<Name>, 'pathParams'> & {
  readonly query?: QueryOf<Name> | undefined;
  readonly options?: ListOptions | undefined;
};

/** A list endpoint: every page is a call of its own, with the same query and options. */
export function listOf<Name extends ListName>(
  caller: Caller,
  name: Name,
  { pathParams, query, options }: ListCall<Name>,
): PageList<RecordOf<Name>> {
  const { prefetch = false, ...callOptions } = options ?? {};
  const { largestPage } = endpoints[name];
  const fetch = (cursor: string | undefined): CallPromise<PageEnvelope<RecordOf<Name>>> => {
    const problem = limitProblem(query, largestPage);
    if (problem) return new CallPromise(Promise.reject(problem));
    const request = {
      pathParams,
      query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
      options: options ? callOptions : NO_OPTIONS,
    };
    // The compiler does not see that the response of a list is a page of its records.
    const call = caller.call(name, request as unknown as EndpointCall<Name>);
    return call as unknown as CallPromise<PageEnvelope<RecordOf<Name>>>;
  };
  const startCursor = query?.cursor;
  return new PageList<RecordOf<Name>>({ name, startCursor, fetch, prefetch });
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
