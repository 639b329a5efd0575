import type { Call } from '../http/exchange/call.js';
import { type HttpRequest, type HttpResponse, type Send, type Step, withHeader } from '../http/exchange/message.js';
import { throwIfEnded } from '../http/exchange/wait.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import type { TokenUse } from './refused-tokens.js';
import type { TokenManager } from './token-manager.js';

/**
 * Adds the bearer token; when the service refuses it (401), and another one may help, sends once more with that, within
 * the attempts that the call has left. A 403 is about scope, and no other token would help.
 *
 * @see Interface document, "Authentication" 3
 */
export function withBearerToken(tokens: TokenManager, clock: Clock): Step {
  return (next) => async (request) => {
    const { call } = request;
    throwIfEnded(call, clock);
    const ready = tokens.forCall(call);
    const token = typeof ready === 'string' ? ready : await ready;
    const first = await sendWith(token, request, next);
    if (!first.isRefused || !tokens.refused(first.use) || call.attemptsLeft <= 0) return first.response;

    const again = await sendWith(await tokens.replacementFor(call, token), request, next);
    if (again.isRefused) tokens.refused(again.use);
    return again.response;
  };

  async function sendWith(token: string, request: HttpRequest, next: Send): Promise<Sent> {
    const startedAt = monotonicNow(clock);
    const response = await next(withHeader(request, 'authorization', `Bearer ${token}`));
    const use = useOf(token, request.call, startedAt);
    if (response.status < 300) tokens.accepted(use);
    return { response, use, isRefused: response.status === 401 };
  }
}

interface Sent {
  readonly response: HttpResponse;
  readonly use: TokenUse;
  readonly isRefused: boolean;
}

/** The last attempt is the one that the response answers. */
function useOf(token: string, { operation, lastSentAt }: Call, startedAt: number): TokenUse {
  return { token, operation, sentAt: lastSentAt ?? startedAt };
}
