export type ErrorCode =
  | 'AUTHENTICATION_ERROR'
  | 'INVALID_REQUEST_ERROR'
  | 'RATE_LIMIT_ERROR'
  | 'NOT_FOUND_ERROR'
  | 'CONFLICT_ERROR'
  | 'INTERNAL_ERROR';

/** The limits on requests per minute, each of which may refuse a request. */
export type RateLimitTier = 'perKey' | 'perLocation' | 'reads' | 'writes' | 'inventory' | 'token';

export interface RefusalFacts {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly detail?: string;
  readonly field?: string | null;
  readonly changeReasons?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** The tier of rate limits that refused the request. */
  readonly limitedBy?: RateLimitTier;
}

/** A rule of the interface document was broken. Rules throw or return it; the kernel writes the error envelope. */
export class Refusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: RefusalFacts) {
    super(facts.message);
    this.facts = facts;
  }
}

/** A value of the wrong type or format in a body (400). */
export function invalidBody(field: string | null, detail: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Request validation failed',
    detail,
    field,
  });
}

/** A required field, or header, that was not sent (400). */
export function missingField(field: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'INVALID_REQUEST_ERROR',
    message: `Missing required field: ${field}`,
    detail: `Send ${field}.`,
    field,
  });
}

/** A query or path parameter of the wrong format (400). */
export function invalidParameter(field: string, detail: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Invalid parameter format',
    detail,
    field,
  });
}

/** A missing, malformed or refused credential (401). */
export function unauthenticated(message: string, detail: string): Refusal {
  return new Refusal({ status: 401, code: 'AUTHENTICATION_ERROR', message, detail, field: null });
}

/** A cart, order or webhook of another partner (403, gap ERR-7). */
export function foreignResource(): Refusal {
  return new Refusal({
    status: 403,
    code: 'AUTHENTICATION_ERROR',
    message: 'Resource belongs to another partner',
    detail: 'The access token belongs to a partner that does not own this resource.',
    field: null,
  });
}

/** A location that the partner was not given (403, Authentication rule 5). */
export function locationOutOfScope(locationId: string): Refusal {
  return new Refusal({
    status: 403,
    code: 'AUTHENTICATION_ERROR',
    message: 'Location not in partner scope',
    detail: `Location '${locationId}' is not provisioned to this partner account.`,
    field: null,
  });
}

/** `Cart not found`, `Order not found`, … (404). */
export function notFound(what: string): Refusal {
  return new Refusal({
    status: 404,
    code: 'NOT_FOUND_ERROR',
    message: `${what} not found`,
    detail: `No such ${what.toLowerCase()} exists.`,
    field: null,
  });
}

/** A method that a path does not have (405, gap ERR-4). */
export function methodNotAllowed(): Refusal {
  return new Refusal({
    status: 405,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Method not allowed',
    detail: 'The path takes other methods.',
    field: null,
  });
}

/** A request that the state of the resource forbids (409). */
export function conflict(message: string, detail: string, field: string | null = null): Refusal {
  return new Refusal({ status: 409, code: 'CONFLICT_ERROR', message, detail, field });
}

/** A well-formed request that breaks a business rule (422). */
export function unprocessable(message: string, detail: string, field: string | null = null): Refusal {
  return new Refusal({ status: 422, code: 'INVALID_REQUEST_ERROR', message, detail, field });
}
