import type { ChangeReason, ErrorCode } from '../contract/index.js';
import { brand } from './base.js';
import { CallError, type CallFacts } from './call.js';
import type { Scenario } from './scenario.js';

/** What a response with an error status says. */
export interface APIErrorFacts extends CallFacts {
  /** HTTP status of the response: 300 to 599. */
  readonly status: number;
  /** `error.code` of the envelope; `null` when the body was not the envelope. */
  readonly code: ErrorCode | null;
  /** Which situation behind the code the texts tell; `'unknown'` when they tell none. */
  readonly scenario: Scenario;
  /** `error.field` of the envelope: the path of the offending field in the request, or `null`. */
  readonly field: string | null;
  /** `x-request-id` of the response, or `null`. */
  readonly requestId: string | null;
  /** Headers of the response, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's own texts. They may repeat personal data, and stay out of `message`, logs and inspection. */
  readonly serviceMessage: string | null;
  /** `error.detail` of the envelope: context and resolution, or `null`. It may repeat personal data as well. */
  readonly detail: string | null;
  /** The beginning of a body that is not the service's error envelope. */
  readonly body?: string | undefined;
}

/**
 * The service responded with a status that is not a success.
 *
 * @see Interface document, "Errors"
 */
export class APIError extends CallError {
  /** HTTP status. */
  readonly status: number;
  /** One of the six codes of the error envelope, or `null` when the response carried none (a proxy's HTML page). */
  readonly code: ErrorCode | null;
  /** Which of the situations behind the code this is; `'unknown'` when the texts do not say. */
  readonly scenario: Scenario;
  /** The offending field, for example `modifier_selections[0]`, or `null`. */
  readonly field: string | null;
  /** The service's id of the request, for its support, or `null`. */
  readonly requestId: string | null;
  // Private, so that neither a logger nor `util.inspect` shows what the service repeats of a customer's data.
  readonly #headers: Readonly<Record<string, string>>;
  readonly #serviceMessage: string | null;
  readonly #detail: string | null;
  readonly #body: string | undefined;

  constructor(message: string, facts: APIErrorFacts, options?: { cause?: unknown }) {
    super(message, facts, options);
    this.status = facts.status;
    this.code = facts.code;
    this.scenario = facts.scenario;
    this.field = facts.field;
    this.requestId = facts.requestId;
    this.#headers = facts.headers;
    this.#serviceMessage = facts.serviceMessage;
    this.#detail = facts.detail;
    this.#body = facts.body;
  }

  /** Headers of the response, names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** `error.message` of the envelope as the service wrote it. For developers; it may hold personal data. */
  get serviceMessage(): string | null {
    return this.#serviceMessage;
  }

  /** `error.detail` of the envelope: context and resolution. It may hold personal data. */
  get detail(): string | null {
    return this.#detail;
  }

  /**
   * The body of a response that is not the service's error envelope, for example a proxy's page: its first 65,536
   * characters. `undefined` where the envelope was read. It may hold anything: keep it out of logs that others read.
   */
  get body(): string | undefined {
    return this.#body;
  }
}
brand(APIError, 'APIError');

/** 400: the request is malformed. Repeating it changes nothing. */
export class BadRequestError extends APIError {}
brand(BadRequestError, 'BadRequestError');

/** 401: the token was refused twice, or the credentials are wrong. */
export class AuthenticationError extends APIError {}
brand(AuthenticationError, 'AuthenticationError');

/** 403: the location is not in the partner's scope, or the resource belongs to another partner. A new token would not help. */
export class PermissionDeniedError extends APIError {}
brand(PermissionDeniedError, 'PermissionDeniedError');

/** 404: there is no such resource; an abandoned cart counts as none. */
export class NotFoundError extends APIError {}
brand(NotFoundError, 'NotFoundError');

/** 409: the state of the resource forbids it, or the idempotency key was used for another request. Final: never sent again. */
export class ConflictError extends APIError {}
brand(ConflictError, 'ConflictError');

/**
 * 409 at checkout: the total is no longer `expected_total`. Calculate again, show the new price, check out again.
 *
 * @see Interface document, "Cart rules" 6
 */
export class ExpectedTotalMismatchError extends ConflictError {
  /** Why the total changed; empty when the service did not say. */
  readonly changeReasons: readonly ChangeReason[];

  constructor(message: string, facts: APIErrorFacts & { changeReasons: readonly ChangeReason[] }) {
    super(message, facts);
    this.changeReasons = facts.changeReasons;
  }
}
brand(ExpectedTotalMismatchError, 'ExpectedTotalMismatchError');

/** 422: well formed, but a business rule forbids it. `field` points at the cause when it is known. */
export class UnprocessableEntityError extends APIError {}
brand(UnprocessableEntityError, 'UnprocessableEntityError');

/** 422 on a payment: the tender was declined; nothing was charged. Try again, take another tender, or cancel the order. */
export class PaymentDeclinedError extends UnprocessableEntityError {}
brand(PaymentDeclinedError, 'PaymentDeclinedError');

/** 429: too many requests, and the wait is longer than `maxWait`, the deadline, or the attempts allow. */
export class RateLimitError extends APIError {
  /** Seconds to wait at least before the next request in this scope; `undefined` when the service did not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: APIErrorFacts & { retryAfterSeconds?: number | undefined }) {
    super(message, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
brand(RateLimitError, 'RateLimitError');

/** 5xx: the service, or something in front of it, failed. Whether a write was executed is unknown. */
export class InternalServerError extends APIError {
  /** Seconds to wait before the next request, when the response said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: APIErrorFacts & { retryAfterSeconds?: number | undefined }) {
    super(message, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
brand(InternalServerError, 'InternalServerError');
