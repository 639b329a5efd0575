import { brand, OnlineOrderingError } from './base.js';

/** Why a delivery was refused. */
export type WebhookVerificationReason =
  | 'no_signature'
  | 'no_match'
  | 'too_old'
  | 'no_timestamp'
  | 'body_parsed'
  | 'body_too_large'
  | 'not_json'
  | 'not_an_event'
  | (string & {});

/** A delivery that is not, or cannot be shown to be, an event of the service. Its content must not be used. */
export class WebhookVerificationError extends OnlineOrderingError {
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
brand(WebhookVerificationError, 'WebhookVerificationError');
