import { InternalServerError, RateLimitError } from '../errors/api.js';
import { APIConnectionError, TokenUnavailableError } from '../errors/connection.js';
import { ResponseValidationError } from '../errors/response.js';

/** Whether a later try may go better: reads go on after such an error. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof APIConnectionError ||
    error instanceof InternalServerError ||
    error instanceof RateLimitError ||
    error instanceof TokenUnavailableError ||
    error instanceof ResponseValidationError
  );
}
