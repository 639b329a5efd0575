import type { Call, Headers } from '../http/exchange/call.js';
import type { HttpResponse, Step } from '../http/exchange/message.js';
import { attemptsLeft, throwIfEnded } from '../http/exchange/wait.js';
import type { Clock } from '../platform/clock.js';
import type { TokenUse } from './refused-tokens.js';
import type { TokenManager } from './token-manager.js';

/**
 * Adds the bearer token; when the service refuses it (401), and another one may help, sends once more with that, within
 * the attempts that the call has left. A 403 is about scope, and no other token would help.
 *
 * @see Interface document, "Authentication" 3
 */
export function withBearerToken(tokens: TokenManager, clock: Clock): Step {
  return (next) => {
    const withToken = tokenHeaders();

    const send = (token: string, call: Call, headers: Headers): Promise<HttpResponse> =>
      next(call, withToken(headers, token)).then((response) => {
        if (response.status < 300) tokens.accepted(useOf(token, call));
        return response.status === 401 ? sendAgain(response, token, call, headers) : response;
      });

    const sendAgain = async (
      first: HttpResponse,
      refused: string,
      call: Call,
      headers: Headers,
    ): Promise<HttpResponse> => {
      if (!tokens.refused(useOf(refused, call)) || attemptsLeft(call) <= 0) return first;
      const token = await tokens.replacementFor(call, refused);
      const response = await next(call, withToken(headers, token));
      const use = useOf(token, call);
      if (response.status < 300) tokens.accepted(use);
      else if (response.status === 401) tokens.refused(use);
      return response;
    };

    return (call, headers) => {
      throwIfEnded(call, clock);
      const ready = tokens.forCall(call);
      return typeof ready === 'string' ? send(ready, call, headers) : ready.then((token) => send(token, call, headers));
    };
  };
}

/** The last attempt is the one that the response belongs to. */
function useOf(token: string, { operation, log }: Call): TokenUse {
  return { token, operation, sentAt: log.lastSentAt };
}

/** Adds a token to headers, and keeps what it made: calls share their headers, and their token. A twentieth of a call. */
function tokenHeaders(): (headers: Headers, token: string) => Headers {
  let lastToken: string | undefined;
  let kept = new WeakMap<Headers, Headers>();
  return (headers, token) => {
    if (token !== lastToken) kept = new WeakMap();
    lastToken = token;
    const found = kept.get(headers);
    if (found) return found;
    const made = { ...headers, authorization: `Bearer ${token}` };
    kept.set(headers, made);
    return made;
  };
}
