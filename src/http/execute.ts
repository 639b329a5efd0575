import { RequestValidationError } from '../errors/local.js';
import { type ResponseIssue, ResponseValidationError } from '../errors/response.js';
import type { Clock } from '../platform/clock.js';
import { type CallDefaults, type ResolvedCallOptions, resolveCallOptions, type WriteOptions } from './call-options.js';
import type { ContractCheck } from './contract/contract-check.js';
import { type Contract, loadContract, type OperationContract } from './contract/load-contract.js';
import type { Dialect } from './dialect/dialect.js';
import { beginTrace, endTrace } from './events/call-trace.js';
import type { CallTrace, Observer } from './events/observer.js';
import { Call } from './exchange/call.js';
import { Failure } from './exchange/failure.js';
import type { HttpRequest, HttpResponse, Send } from './exchange/message.js';
import { needsKey, type Operation } from './exchange/operation.js';
import { outcomeOfStatus } from './exchange/outcome.js';
import { fillPath, type PathParams } from './request/path.js';
import { type Query, queryText } from './request/query.js';
import { checkRequestBody, refuseOptionNames } from './request/request-check.js';
import { serializeBody } from './request/serialize-body.js';
import { requestIdOf } from './response/error-envelope.js';
import { type ErrorParts, errorOfFailure, errorOfResponse } from './response/to-error.js';

/** One request, before it is built. */
export interface RequestSpec {
  readonly operation: Operation;
  readonly pathParams?: PathParams | undefined;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  /** True where a success may come without a body; as the table of endpoints says when it is left out. */
  readonly emptyAllowed?: boolean | undefined;
  /** True where the body is not held against the contract: it is how a partner overrides it. */
  readonly isRaw?: boolean | undefined;
  /** True where body and response are the service's own, whatever the profile says: `client.request`. */
  readonly isVerbatim?: boolean | undefined;
  /** Called at the moment where the bytes of each attempt would leave; if it throws, nothing is sent. */
  readonly checkBeforeSending?: (() => void) | undefined;
  /** Milliseconds of the longest single wait before an attempt; without it the client's. */
  readonly maxWait?: number | undefined;
}

/** A result with the rest of its answer. */
export interface CallResult<T> {
  readonly data: T;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's id of the request, for its support, or `null`. */
  readonly requestId: string | null;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** The key of a write; `undefined` for reads. */
  readonly idempotencyKey: string | undefined;
}

export interface ExecuteParts {
  readonly send: Send;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly contractCheck: ContractCheck;
  /** Loads the translation between this package and the service; `undefined` without a profile. */
  readonly dialect?: (() => Promise<Dialect>) | undefined;
  readonly requestIdHeader: string;
  readonly origin: string;
  /** Path of the base address, without a slash at its end. */
  readonly basePath: string;
}

/** One call: check, build, send, check, and give back a typed result or a typed error. */
export function execute<T>(
  spec: RequestSpec,
  given: WriteOptions,
  defaults: CallDefaults,
  parts: ExecuteParts,
): Promise<CallResult<T>> {
  if (!parts.observer.tracesCalls) return run(spec, given, defaults, parts);
  const trace = beginTrace(spec.operation, parts.origin);
  return parts.observer.call(
    trace,
    () => run<T>(spec, given, defaults, parts, trace),
    (ended) => endTrace(trace, ended),
  );
}

async function run<T>(
  spec: RequestSpec,
  given: WriteOptions,
  defaults: CallDefaults,
  parts: ExecuteParts,
  trace?: CallTrace,
): Promise<CallResult<T>> {
  const { closing } = defaults;
  closing?.enter();
  try {
    const resolved = resolveCallOptions(given, defaults);
    const options = spec.maxWait === undefined ? resolved : { ...resolved, maxWait: spec.maxWait };
    const ready = loadContract();
    const contract = contractOf(ready instanceof Promise ? await ready : ready, spec.operation);
    const newValues = checkRequestBody(spec.operation, spec.isRaw ? undefined : contract, spec.body);
    if (newValues.length > 0) tellNewValues(newValues, spec.operation, parts);
    refuseOptionNames(spec.operation, 'query', spec.query);

    const dialect = parts.dialect && !spec.isVerbatim ? await parts.dialect() : undefined;
    const call = new Call(spec.operation, options, locationOf(spec));
    call.trace = trace;
    if (needsKey(spec.operation)) call.idempotencyKey = options.idempotencyKey;
    const asked = given.query ? withQuery(spec, given.query) : spec;
    const request = buildRequest(dialect ? translated(asked, dialect) : asked, call, options, parts);
    let response: HttpResponse;
    try {
      if (closing?.isClosed) throw new Failure({ kind: 'closed', written: false });
      response = await parts.send(request);
    } catch (error) {
      throw errorOfFailure(error, call, errorPartsOf(parts));
    }
    if (outcomeOfStatus(response.status) !== 'done' && !isNotModified(response, request)) {
      throw errorOfResponse(response, call, errorPartsOf(parts));
    }

    if (dialect) response = { ...response, data: dialect.read(spec.operation.name, response.data) };
    if (response.status !== 304) checkAgainstContract(response, call, contract, parts);
    if (response.headers.deprecation !== undefined || response.headers.sunset !== undefined) {
      tellDeprecation(response, call, parts);
    }
    return {
      data: response.data as T,
      status: response.status,
      headers: response.headers,
      requestId: requestIdOf(response.headers, parts.requestIdHeader),
      attempts: call.attempts,
      idempotencyKey: call.idempotencyKey,
    };
  } finally {
    closing?.leave();
  }
}

function errorPartsOf({ clock, requestIdHeader }: ExecuteParts): ErrorParts {
  return { nowMs: clock.now(), requestIdHeader };
}

/** A conditional request asks for a 304: it is a result, without data. */
function isNotModified({ status }: HttpResponse, { headers }: HttpRequest): boolean {
  return status === 304 && (headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined);
}

/** The query of a method with what the caller adds to it. */
function withQuery(spec: RequestSpec, added: Query): RequestSpec {
  refuseOptionNames(spec.operation, 'query', added);
  const twice = Object.keys(added).find((name) => spec.query?.[name] !== undefined);
  if (twice === undefined) return { ...spec, query: { ...spec.query, ...added } };
  const message = `"${twice}" of the option "query" is set by the method already; pass it there`;
  throw new RequestValidationError(`${spec.operation.name} was not sent: ${message}.`, {
    problems: [{ field: twice, message }],
  });
}

/** A raw body is written by an override of the partner, which knows the service best. */
function translated(spec: RequestSpec, dialect: Dialect): RequestSpec {
  const { operation, isRaw, body, query } = spec;
  return {
    ...spec,
    body: isRaw ? body : dialect.writeBody(operation.name, body),
    query: dialect.writeQuery(operation.name, query),
  };
}

function contractOf(contract: Contract, operation: Operation): OperationContract | undefined {
  return Object.hasOwn(contract, operation.name) ? contract[operation.name] : undefined;
}

function buildRequest(spec: RequestSpec, call: Call, options: ResolvedCallOptions, parts: ExecuteParts): HttpRequest {
  const { operation, pathParams, query } = spec;
  const body = serializeBody(operation, spec.body);
  return {
    method: operation.method,
    origin: parts.origin,
    path: `${parts.basePath}${fillPath(operation.template, pathParams)}${queryText(query)}`,
    headers: headersFor(options.headers, operation.isCompressed, body !== undefined),
    body,
    emptyAllowed: spec.emptyAllowed ?? operation.mayBeEmpty,
    call,
    checkBeforeSending: spec.checkBeforeSending,
  };
}

/**
 * The headers that calls share, by those of their client: `compressed` and `with a body` are the two bits of the place.
 * Making them for each call costs a twelfth of it.
 */
const sharedHeaders = new WeakMap<Readonly<Record<string, string>>, Readonly<Record<string, string>>[]>();

function headersFor(
  given: Readonly<Record<string, string>>,
  isCompressed: boolean,
  hasBody: boolean,
): Readonly<Record<string, string>> {
  const place = (isCompressed ? 2 : 0) + (hasBody ? 1 : 0);
  const kept = sharedHeaders.get(given);
  const found = kept?.[place];
  if (found) return found;

  const made: Record<string, string> = {
    ...given,
    accept: 'application/json',
    'accept-encoding': isCompressed ? 'gzip, br' : 'identity',
  };
  if (hasBody) made['content-type'] = 'application/json';
  if (kept) kept[place] = made;
  else sharedHeaders.set(given, Object.assign([], { [place]: made }));
  return made;
}

/** The location of the rate-limit scope, where the request itself names one. */
function locationOf({ pathParams, body }: RequestSpec): string {
  const inPath = pathParams?.location_id;
  if (inPath !== undefined) return inPath;
  const inBody = (body as { location_id?: unknown } | null | undefined)?.location_id;
  return typeof inBody === 'string' ? inBody : '';
}

function checkAgainstContract(
  { status, headers, data }: HttpResponse,
  call: Call,
  contract: OperationContract | undefined,
  { contractCheck, observer, requestIdHeader }: ExecuteParts,
): void {
  const issues = contractCheck.differences(call.operation, contract, data);
  if (issues.length === 0) return;

  const { method, template: path, name, kind } = call.operation;
  const requestId = requestIdOf(headers, requestIdHeader);
  observer.tell('drift', { method, path, requestId: requestId ?? undefined, issues });
  if (contractCheck.validation !== 'strict') return;

  const [first] = issues;
  throw new ResponseValidationError(
    `${name} was answered with ${status}, but the body is not as the contract says: ${first?.path || 'body'} (${first?.kind})` +
      `${issues.length > 1 ? ` and ${issues.length - 1} more` : ''}. The operation was applied; the body is in "data".`,
    {
      method,
      path,
      attempts: call.attempts,
      outcome: kind === 'read' ? undefined : 'applied',
      idempotencyKey: call.idempotencyKey,
      reason: 'contract',
      status,
      requestId,
      issues,
      data,
    },
  );
}

/** The headers by which a service announces the end of an endpoint (interface document, "Versioning"). */
const DEPRECATION_HEADERS = ['deprecation', 'sunset'];

function tellDeprecation({ headers }: HttpResponse, { operation }: Call, parts: ExecuteParts): void {
  if (parts.contractCheck.validation === 'off') return;
  const issues = DEPRECATION_HEADERS.filter((name) => headers[name] !== undefined).map((name) => ({
    path: `header ${name}`,
    kind: 'deprecated',
  }));
  const requestId = requestIdOf(headers, parts.requestIdHeader) ?? undefined;
  parts.observer.tell('drift', { method: operation.method, path: operation.template, requestId, issues });
}

function tellNewValues(
  issues: readonly ResponseIssue[],
  { method, template: path }: Operation,
  parts: ExecuteParts,
): void {
  parts.observer.tell('drift', { method, path, requestId: undefined, issues });
}
