import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Ended } from '../../platform/tracing.js';
import type { ResponseFacts } from '../events/events.js';
import type { Observer } from '../events/observer.js';
import type { Headers } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { HttpResponse, Step } from '../exchange/message.js';
import { isSendable } from '../request/headers.js';
import { requestIdOf } from '../response/error-envelope.js';

/** Tells whoever watches when an attempt begins and how it ends. */
export function withObservation(observer: Observer, clock: Clock, requestIdHeader: string): Step {
  return (next) => (call, headers) => {
    if (!observer.watchesAttempts) return next(call, headers);

    const { operation, log } = call;
    const startedAt = log.lastSentAt;
    const facts = {
      method: operation.method,
      path: operation.template,
      attempt: log.attempts,
      waitMs: log.waitedMs,
      idempotencyKey: call.idempotencyKey,
    };
    const ended = (result: Ended<HttpResponse>): ResponseFacts => ({
      ...facts,
      ...responseOf(result, requestIdHeader),
      durationMs: monotonicNow(clock) - startedAt,
    });
    const send = async (added: Headers | undefined) => next(call, added ? withAdded(headers, added) : headers);
    return observer.attempt(facts, call.trace, send, ended);
  };
}

/** Headers of a trace go below those of the client: what a subscriber adds never replaces a token or a key. */
function withAdded(headers: Headers, added: Headers): Headers {
  const sendable = Object.entries(added).filter(([name, value]) => isSendable(name, value));
  return { ...Object.fromEntries(sendable), ...headers };
}

function responseOf(
  result: Ended<HttpResponse>,
  requestIdHeader: string,
): Pick<ResponseFacts, 'status' | 'requestId' | 'failure'> {
  if ('value' in result) {
    const { status, headers } = result.value;
    return { status, requestId: requestIdOf(headers, requestIdHeader) ?? undefined, failure: undefined };
  }
  const facts = result.error instanceof Failure ? result.error.facts : undefined;
  return {
    status: facts?.kind === 'unusable' ? facts.status : undefined,
    requestId: undefined,
    failure: facts?.kind ?? 'error',
  };
}
