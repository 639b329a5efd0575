import type { ChangeReason } from './checkout.js';
import type { Open } from './open-enum.js';

/** The known values of {@link ErrorCode}. */
export const ERROR_CODES = [
  'AUTHENTICATION_ERROR',
  'INVALID_REQUEST_ERROR',
  'RATE_LIMIT_ERROR',
  'NOT_FOUND_ERROR',
  'CONFLICT_ERROR',
  'INTERNAL_ERROR',
] as const;

/**
 * The six codes of errors. Situations with the same code differ in status and text.
 *
 * @see Interface document, "Errors"
 */
export type ErrorCode = Open<(typeof ERROR_CODES)[number]>;

/**
 * The body of every error response.
 *
 * @see Interface document, "Error envelope"
 */
export interface ErrorEnvelope {
  /** What went wrong. */
  error: ErrorBody;
}

/** What the service says about an error. */
export interface ErrorBody {
  /** One of six; situations with the same code differ in status and text. */
  code: ErrorCode;
  /** For developers and logs, not for customers. */
  message: string;
  /** Context, and how to resolve it. May name resources: keep it out of shared logs. */
  detail?: string | null;
  /** UUID to name to the support. */
  request_id: string;
  /** Path of the offending field, for example `modifier_selections[0]`; null or absent when none is to blame. */
  field?: string | null;
  /** Only in the 409 of a checkout whose `expected_total` is no longer the total (gap ERR-1). */
  change_reasons?: ChangeReason[];
}
