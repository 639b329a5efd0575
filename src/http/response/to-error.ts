import {
  APIError,
  type APIErrorFacts,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ExpectedTotalMismatchError,
  InternalServerError,
  NotFoundError,
  PaymentDeclinedError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from '../../errors/api.js';
import { CallError, type CallFacts } from '../../errors/call.js';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIUserAbortError,
  ClientClosedError,
  DeadlineExceededError,
  TokenUnavailableError,
} from '../../errors/connection.js';
import { ResponseValidationError } from '../../errors/response.js';
import { scenarioOf } from '../../errors/scenario.js';
import type { Call } from '../exchange/call.js';
import { Failure, type TokenResponse } from '../exchange/failure.js';
import type { HttpResponse } from '../exchange/message.js';
import { needsKey } from '../exchange/operation.js';
import { outcomeOfCall } from '../exchange/outcome.js';
import { type EnvelopeFacts, readEnvelope, requestIdOf } from './error-envelope.js';
import { replayableUntil } from './replay-window.js';
import { retryAfterSeconds } from './retry-after.js';

/** As much of a call as its errors tell. */
export type AskedCall = Pick<Call, 'operation' | 'settings' | 'log' | 'idempotencyKey'>;

export interface ErrorDeps {
  readonly nowMs: number;
  readonly requestIdHeader: string;
}

/** The typed error for a response with an error status. */
export function errorOfResponse(response: HttpResponse, call: Call, deps: ErrorDeps): APIError {
  return apiError(response, factsOf(call, response), deps);
}

/** The typed error for a call without a usable response; anything that is not a known failure passes unchanged. */
export function errorOfFailure(error: unknown, call: AskedCall, deps: ErrorDeps): unknown {
  if (!(error instanceof Failure)) return error;
  const { facts: failure } = error;
  const facts = factsOf(call, error);
  const what = call.operation.name;
  const cause = { cause: error.cause };
  switch (failure.kind) {
    case 'connection':
      return new APIConnectionError(`${what} ${connectionStory(failure)}${afterwards(facts)}`, facts, cause);
    case 'timeout':
      return new APIConnectionTimeoutError(
        `${what} got no response within ${call.settings.timeout} ms (option "timeout")${afterwards(facts)}`,
        facts,
        cause,
      );
    case 'deadline':
      return new DeadlineExceededError(`${what} was not done before its deadline${afterwards(facts)}`, facts, cause);
    case 'aborted':
      return new APIUserAbortError(`${what} was aborted by its signal${afterwards(facts)}`, facts, cause);
    case 'unusable':
      return new ResponseValidationError(
        `${what} got ${failure.status}, but the body ${UNUSABLE[failure.reason]}${afterwards(facts)}`,
        {
          ...facts,
          reason: failure.reason,
          status: failure.status,
          requestId: requestIdOf(failure.headers, deps.requestIdHeader),
        },
        cause,
      );
    case 'held':
      return new CallError(`${what} was held back just before it was sent${afterwards(facts)}`, facts, cause);
    case 'closed':
      return new ClientClosedError(`${what} was not sent: the client is closed${afterwards(facts)}`, facts);
    case 'paused':
      return pausedError(failure.retryAfterSeconds, call, facts);
    case 'token':
      return tokenError(failure.response, facts, deps, error.cause);
  }
}

const UNUSABLE: Readonly<Record<string, string>> = {
  empty: 'is empty',
  not_json: 'is not JSON',
  truncated: 'is cut short',
  too_large: 'is larger than "maxResponseBytes"',
  encoding: 'has a content coding or character set that cannot be read',
};

function factsOf(call: AskedCall, last: HttpResponse | Failure): CallFacts {
  const { log } = call;
  const isWrite = needsKey(call.operation);
  return {
    method: call.operation.method,
    path: call.operation.template,
    attempts: log.attempts,
    outcome: outcomeOfCall(call, last),
    idempotencyKey: call.idempotencyKey,
    replayableUntil: isWrite && log.firstSentAt !== undefined ? new Date(replayableUntil(log.firstSentAt)) : undefined,
    retryBudgetExhausted: log.budgetExhausted,
  };
}

function connectionStory({ written, code }: { written: boolean; code: string }): string {
  return written
    ? `lost its connection before the response was complete${named(code)}`
    : `could not reach the service${named(code)}`;
}

/** The code of a failure, if it is one: `CERT_HAS_EXPIRED`, `ECONNREFUSED`. */
function named(code: string): string {
  return /^[A-Z0-9_]{1,64}$/.test(code) ? ` (${code})` : '';
}

/** What the caller should know about a write. */
function afterwards({ outcome, attempts }: CallFacts): string {
  const count = attempts > 1 ? `, after ${attempts} attempts` : '';
  if (outcome === 'not_sent') return `${count}. Nothing was executed.`;
  if (outcome === 'applied') return `${count}. The operation was applied; read the resource to see its result.`;
  if (outcome !== 'unknown') return `${count}.`;
  return `${count}. Whether it was executed is unknown: repeat it with the same idempotencyKey, or read the resource.`;
}

function pausedError(retryAfter: number, call: AskedCall, facts: CallFacts): RateLimitError {
  return new RateLimitError(
    `${call.operation.name} was not sent: an earlier 429 pauses its scope for another ${retryAfter} s, longer than "maxWait" or the deadline allows.`,
    {
      ...facts,
      status: 429,
      code: 'RATE_LIMIT_ERROR',
      scenario: 'rate_limited',
      field: null,
      requestId: null,
      headers: {},
      serviceMessage: null,
      detail: null,
      retryAfterSeconds: retryAfter,
    },
  );
}

/** The call's own request was not sent; a refusal of the token endpoint is reported as what it is. */
function tokenError(response: TokenResponse | undefined, facts: CallFacts, deps: ErrorDeps, cause: unknown): CallError {
  const what = `${facts.method} ${facts.path}`;
  if (response && (response.status === 400 || response.status === 401 || response.status === 403)) {
    const { code } = readEnvelope(response.data);
    const own = `${what} was not sent: the token endpoint refused the client credentials (${response.status}${code ? ` ${code}` : ''}). Check clientId, clientSecret and whether they belong to this baseUrl.`;
    return apiError(response, facts, deps, own);
  }
  const retryAfter = response ? retryAfterSeconds(response.headers, deps.nowMs) : undefined;
  if (response?.status === 429) {
    return apiError(response, facts, deps, `${what} was not sent: too many token requests (429).`);
  }
  const known = { ...facts, ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }) };
  const inner = cause instanceof Failure ? cause : undefined;
  const code = inner?.facts.kind === 'connection' ? named(inner.facts.code) : '';
  const ending = response
    ? `responded with ${response.status}`
    : `${TOKEN_STORIES[inner?.facts.kind ?? ''] ?? 'gave no token'}${code}`;
  return new TokenUnavailableError(`${what} was not sent: the token endpoint ${ending}.`, known, {
    cause: inner ? inner.cause : cause,
  });
}

const TOKEN_STORIES: Readonly<Record<string, string>> = {
  connection: 'could not be reached',
  timeout: 'did not respond in time',
  unusable: 'gave a response that cannot be read',
};

function apiError(response: HttpResponse, call: CallFacts, deps: ErrorDeps, text?: string): APIError {
  const envelope = readEnvelope(response.data);
  const { status, headers } = response;
  const { 'set-cookie': _cookies, ...safeHeaders } = headers;
  const requestId = envelope.requestId ?? requestIdOf(headers, deps.requestIdHeader);
  const facts: APIErrorFacts = {
    ...call,
    status,
    code: envelope.code,
    scenario: isBlockedOnTheWay(status, envelope, requestId)
      ? 'blocked_on_the_way'
      : scenarioOf({ status, ...envelope, hasChangeReasons: envelope.changeReasons.length > 0 }),
    field: envelope.field,
    requestId,
    headers: safeHeaders,
    serviceMessage: envelope.message,
    detail: envelope.detail,
    body: envelope.code === null && envelope.message === null ? response.text : undefined,
  };
  const message = text ?? describe(facts, envelope);
  return ofStatus(message, facts, envelope, retryAfterSeconds(headers, deps.nowMs));
}

/**
 * A 403 with neither the service's envelope nor its request id is a firewall's or a proxy's: about the request or the
 * caller's address, and not about the partner's scope.
 */
function isBlockedOnTheWay(status: number, { code, message }: EnvelopeFacts, requestId: string | null): boolean {
  return status === 403 && code === null && message === null && requestId === null;
}

function ofStatus(
  message: string,
  facts: APIErrorFacts,
  { changeReasons }: EnvelopeFacts,
  retryAfter: number | undefined,
): APIError {
  switch (facts.status) {
    case 400:
      return new BadRequestError(message, facts);
    case 401:
      return new AuthenticationError(message, facts);
    case 403:
      return new PermissionDeniedError(message, facts);
    case 404:
      return new NotFoundError(message, facts);
    case 409:
      return facts.scenario === 'expected_total_mismatch'
        ? new ExpectedTotalMismatchError(message, { ...facts, changeReasons })
        : new ConflictError(message, facts);
    case 422:
      return facts.scenario === 'payment_declined'
        ? new PaymentDeclinedError(message, facts)
        : new UnprocessableEntityError(message, facts);
    case 429:
      return new RateLimitError(message, { ...facts, retryAfterSeconds: retryAfter });
    default:
      return facts.status >= 500
        ? new InternalServerError(message, { ...facts, retryAfterSeconds: retryAfter })
        : new APIError(message, facts);
  }
}

function describe(facts: APIErrorFacts, { changeReasons }: EnvelopeFacts): string {
  const { method, path, status, code, scenario, field, requestId } = facts;
  const verb =
    status >= 500
      ? 'failed'
      : status === 304
        ? 'got 304 (not modified), though it was not conditional'
        : status < 400
          ? 'was redirected, which the client never follows'
          : 'was refused';
  const reasons = changeReasons.length > 0 ? ` (${changeReasons.slice(0, 5).join(', ')})` : '';
  const who = scenario === 'blocked_on_the_way' ? ' by a firewall or a proxy, not by the service' : '';
  const situation = scenario === 'unknown' ? '' : `: ${scenario.replaceAll('_', ' ')}${who}${reasons}`;
  const at = field ? `, field ${field}` : '';
  const id = requestId ? ` Request id ${requestId}.` : '';
  const tail = afterwards(facts);
  return `${method} ${path} ${verb} (${status}${code ? ` ${code}` : ''})${situation}${at}${tail}${id}`;
}
