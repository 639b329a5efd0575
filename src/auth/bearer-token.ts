import type { Call } from '../http/exchange/call.js';
import { type Step, withHeader } from '../http/exchange/message.js';
import { throwIfEnded, whileCallLasts } from '../http/exchange/wait.js';
import type { Clock } from '../platform/clock.js';
import type { TokenManager } from './token-manager.js';

/**
 * Adds the bearer token; when the service refuses it (401), sends once more with a new one, within the attempts that
 * the call has left. A 403 is about scope, and no new token would help.
 *
 * @see Interface document, "Authentication" 3
 */
export function withBearerToken(tokens: TokenManager, clock: Clock): Step {
  return (next) => async (request) => {
    const { call } = request;
    throwIfEnded(call, clock);
    const token = await forCall(tokens.current(), call, clock);
    const response = await next(withHeader(request, 'authorization', `Bearer ${token}`));
    if (response.status !== 401) return response;
    if (call.attemptsLeft <= 0) {
      tokens.discard(token);
      return response;
    }

    const fresh = await forCall(tokens.replace(token), call, clock);
    return next(withHeader(request, 'authorization', `Bearer ${fresh}`));
  };
}

function forCall(token: string | Promise<string>, call: Call, clock: Clock): string | Promise<string> {
  return typeof token === 'string' ? token : whileCallLasts(token, call, clock);
}
