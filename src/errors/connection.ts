import { brand } from './base.js';
import { CallError, type CallFacts } from './call.js';

/** The service could not be reached, or the connection ended before the response was complete. `cause` is the original error. */
export class APIConnectionError extends CallError {}
brand(APIConnectionError, 'APIConnectionError');

/** The response was not complete within `timeout`, in the last attempt. */
export class APIConnectionTimeoutError extends APIConnectionError {}
brand(APIConnectionTimeoutError, 'APIConnectionTimeoutError');

/** The caller's `signal` ended the call. `cause` is the reason of the signal. */
export class APIUserAbortError extends CallError {}
brand(APIUserAbortError, 'APIUserAbortError');

/** The call's `deadline` passed within an attempt. */
export class DeadlineExceededError extends CallError {}
brand(DeadlineExceededError, 'DeadlineExceededError');

/** The client was closed: the call was not begun, or was waiting before an attempt. */
export class ClientClosedError extends CallError {}
brand(ClientClosedError, 'ClientClosedError');

/** No access token could be had: the token endpoint did not respond, or responded with a failure. The request itself was not sent. */
export class TokenUnavailableError extends CallError {
  /** Seconds that the token endpoint asked to wait; `undefined` when it did not. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: CallFacts & { retryAfterSeconds?: number }, options?: { cause?: unknown }) {
    super(message, facts, options);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
brand(TokenUnavailableError, 'TokenUnavailableError');
