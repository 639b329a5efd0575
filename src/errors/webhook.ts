import { brand, OnlineOrderingError } from './base.js';

/**
 * Why a delivery was refused:
 *
 * - `no_signature`: the header that holds the signature is missing or empty
 * - `no_match`: no secret gives this signature for this body
 * - `no_timestamp`, `too_old`, `too_new`: of a scheme with a time stamp
 * - `body_parsed`: the body is no longer what was sent, because a parser has touched it
 * - `body_too_large`: longer than the receiver accepts
 * - `not_utf8`, `not_json`, `not_an_event`: signed, but unreadable
 */
export type WebhookVerificationReason =
  | 'no_signature'
  | 'no_match'
  | 'no_timestamp'
  | 'too_old'
  | 'too_new'
  | 'body_parsed'
  | 'body_too_large'
  | 'not_utf8'
  | 'not_json'
  | 'not_an_event'
  | (string & {});

/** A delivery that is not, or cannot be shown to be, an event of the service. Its content must not be used. */
export class WebhookVerificationError extends OnlineOrderingError {
  /** Why it was refused, for programs; the message says what to check. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
brand(WebhookVerificationError, 'WebhookVerificationError');
