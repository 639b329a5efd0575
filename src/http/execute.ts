import { RequestValidationError } from '../errors/local.js';
import { type ResponseIssue, ResponseValidationError } from '../errors/response.js';
import type { Clock } from '../platform/clock.js';
import { newUuid } from '../platform/uuid.js';
import { type CallDefaults, type ResolvedCallOptions, resolveCallOptions, type WriteOptions } from './call-options.js';
import type { ContractCheck } from './contract/contract-check.js';
import type { Dialect } from './dialect/dialect.js';
import { announced } from './drift/announced.js';
import { remarksOn, remarksOnError } from './drift/remarks.js';
import { beginTrace, endTrace } from './events/call-trace.js';
import type { CallTrace, Observer } from './events/observer.js';
import { AttemptLog } from './exchange/attempt-log.js';
import type { Call } from './exchange/call.js';
import { Failure } from './exchange/failure.js';
import type { HttpResponse, Send } from './exchange/message.js';
import { needsKey, type Operation } from './exchange/operation.js';
import { outcomeOfStatus } from './exchange/outcome.js';
import { fillPath, type PathParams } from './request/path.js';
import { type Query, queryText } from './request/query.js';
import { checkRequestBody, refuseOptionNames } from './request/request-check.js';
import { serializeBody } from './request/serialize-body.js';
import { requestIdOf } from './response/error-envelope.js';
import { type ErrorDeps, errorOfFailure, errorOfResponse } from './response/to-error.js';

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

/** A result with the rest of its response. */
export interface CallResult<T> {
  /** The result. */
  readonly data: T;
  /** HTTP status. */
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

export interface ExecuteDeps {
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
  deps: ExecuteDeps,
): Promise<CallResult<T>> {
  if (!deps.observer.tracesCalls) return run(spec, given, defaults, deps);
  const trace = beginTrace(spec.operation, deps.origin);
  return deps.observer.call(
    trace,
    () => run<T>(spec, given, defaults, deps, trace),
    (ended) => endTrace(trace, ended),
  );
}

function run<T>(
  spec: RequestSpec,
  given: WriteOptions,
  defaults: CallDefaults,
  deps: ExecuteDeps,
  trace?: CallTrace,
): Promise<CallResult<T>> {
  defaults.closing?.enter();
  try {
    const resolved = resolveCallOptions(given, defaults);
    const options = spec.maxWait === undefined ? resolved : { ...resolved, maxWait: spec.maxWait };
    const newValues = checkRequestBody(spec.operation, spec.body, spec.isRaw);
    const dialect = spec.isVerbatim ? undefined : deps.dialect?.();
    if (newValues === undefined && dialect === undefined) return exchange<T>(spec, given, options, deps, trace);
    // Schemas are loaded when something does not fit: they say what it is, and most often refuse it.
    return Promise.all([newValues, dialect]).then(
      ([values = [], loaded]) => {
        if (values.length > 0) emitNewValues(values, spec.operation, deps);
        return exchange<T>(spec, given, options, deps, trace, loaded);
      },
      (error) => rejected(error, options),
    );
  } catch (error) {
    return rejected(error, defaults);
  }
}

function rejected(error: unknown, { closing }: Pick<CallDefaults, 'closing'>): Promise<never> {
  closing?.leave();
  return Promise.reject(error);
}

/** Sends the call, and makes its result or its error; no async function, since a promise is all that it needs. */
function exchange<T>(
  spec: RequestSpec,
  given: WriteOptions,
  options: ResolvedCallOptions,
  deps: ExecuteDeps,
  trace: CallTrace | undefined,
  dialect?: Dialect,
): Promise<CallResult<T>> {
  const { closing } = options;
  try {
    refuseOptionNames(spec.operation, 'query', spec.query);
    const asked = given.query ? withQuery(spec, given.query) : spec;
    const call = buildCall(dialect ? translated(asked, dialect) : asked, options, deps, trace);
    return send(call, deps).then(
      (response) => {
        closing?.leave();
        return resultOf<T>(response, call, deps, dialect);
      },
      (error) => {
        closing?.leave();
        throw errorOfFailure(error, call, errorDepsOf(deps));
      },
    );
  } catch (error) {
    return rejected(error, options);
  }
}

function send(call: Call, deps: ExecuteDeps): Promise<HttpResponse> {
  try {
    if (call.settings.closing?.isClosed) throw new Failure({ kind: 'closed', written: false });
    return deps.send(call, call.headers);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The result of a response; throws the typed error of one that is no success. */
function resultOf<T>(
  response: HttpResponse,
  call: Call,
  deps: ExecuteDeps,
  dialect: Dialect | undefined,
): CallResult<T> | Promise<CallResult<T>> {
  const { status, headers } = response;
  if (outcomeOfStatus(status) !== 'done' && !isNotModified(response, call)) {
    if (deps.contractCheck.validation !== 'off') {
      emitRemarks(headers, remarksOnError(response.data), call.operation, deps);
    }
    throw errorOfResponse(response, call, errorDepsOf(deps));
  }
  const data = dialect ? dialect.read(call.operation.name, response.data) : response.data;
  const look = deps.contractCheck.look(call.operation, data);
  if (look !== 'not_looked') {
    const remarks = remarksOn(call.operation.name, { data, mayHaveNewValues: look !== 'fits' });
    emitRemarks(headers, remarks, call.operation, deps);
  }
  const result = {
    data: data as T,
    status,
    headers,
    requestId: requestIdOf(headers, deps.requestIdHeader),
    attempts: call.log.attempts,
    idempotencyKey: call.idempotencyKey,
  };
  if (look !== 'differs' || status === 304) return result;
  const differences = deps.contractCheck.differences(call.operation, data);
  if (differences === undefined) return result;
  return differences.then((issues) => {
    emitDifferences(issues, { ...response, data }, call, deps);
    return result;
  });
}

function errorDepsOf({ clock, requestIdHeader }: ExecuteDeps): ErrorDeps {
  return { nowMs: clock.now(), requestIdHeader };
}

/** A conditional request asks for a 304: it is a result, without data. */
function isNotModified({ status }: HttpResponse, { headers }: Call): boolean {
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

function buildCall(
  spec: RequestSpec,
  options: ResolvedCallOptions,
  { origin, basePath }: ExecuteDeps,
  trace: CallTrace | undefined,
): Call {
  const { operation, pathParams, query } = spec;
  const body = serializeBody(operation, spec.body);
  return {
    operation,
    settings: options,
    locationId: locationOf(spec),
    origin,
    path: `${basePath}${fillPath(operation.template, pathParams)}${queryText(query)}`,
    headers: headersFor(options.headers, operation.isCompressed, body !== undefined),
    body,
    emptyAllowed: spec.emptyAllowed ?? operation.mayBeEmpty,
    // A key that the caller gave was checked with the other options.
    idempotencyKey: needsKey(operation) ? (options.idempotencyKey ?? newUuid()) : undefined,
    checkBeforeSending: spec.checkBeforeSending,
    trace,
    log: new AttemptLog(),
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

function emitDifferences(
  issues: readonly ResponseIssue[],
  { status, headers, data }: HttpResponse,
  call: Call,
  { contractCheck, observer, requestIdHeader }: ExecuteDeps,
): void {
  if (issues.length === 0) return;

  const { method, template: path, name, kind } = call.operation;
  const requestId = requestIdOf(headers, requestIdHeader);
  observer.emitDrift({ method, path, requestId: requestId ?? undefined, issues });
  if (contractCheck.validation !== 'strict') return;

  const [first] = issues;
  throw new ResponseValidationError(
    `${name} got ${status}, but the body is not as the contract says: ${first?.path || 'body'} (${first?.kind})` +
      `${issues.length > 1 ? ` and ${issues.length - 1} more` : ''}. The operation was applied; the body is in "data".`,
    {
      method,
      path,
      attempts: call.log.attempts,
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

/** What a response tells beside its schema; none of it makes it unusable, not even with strict validation. */
function emitRemarks(
  headers: HttpResponse['headers'],
  remarks: readonly ResponseIssue[],
  { method, template: path }: Operation,
  { observer, requestIdHeader }: ExecuteDeps,
): void {
  const announcements = announced(headers);
  if (announcements.length === 0 && remarks.length === 0) return;
  const issues = [...announcements, ...remarks];
  observer.emitDrift({ method, path, requestId: requestIdOf(headers, requestIdHeader) ?? undefined, issues });
}

function emitNewValues(
  issues: readonly ResponseIssue[],
  { method, template: path }: Operation,
  deps: ExecuteDeps,
): void {
  deps.observer.emitDrift({ method, path, requestId: undefined, issues });
}
