import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Ended } from '../../platform/tracing.js';
import type { ResponseFacts } from '../events/events.js';
import type { Observer } from '../events/observer.js';
import { Failure } from '../exchange/failure.js';
import type { HttpRequest, HttpResponse, Step } from '../exchange/message.js';
import { isSendable } from '../request/headers.js';
import { requestIdOf } from '../response/error-envelope.js';

/** Counts the attempt, and tells whoever watches when it begins and how it ends. */
export function withObservation(observer: Observer, clock: Clock, requestIdHeader: string): Step {
  return (next) => (request) => {
    const { call } = request;
    call.attempts += 1;
    call.firstSentAt ??= clock.now();
    call.lastSentAt = monotonicNow(clock);
    const waitMs = call.waitedMs;
    call.waitedMs = 0;
    if (!observer.watchesAttempts) return next(request);

    const startedAt = call.lastSentAt;
    const facts = {
      method: call.operation.method,
      path: call.operation.template,
      attempt: call.attempts,
      waitMs,
      idempotencyKey: call.idempotencyKey,
    };
    const ended = (result: Ended<HttpResponse>): ResponseFacts => ({
      ...facts,
      ...answerOf(result, requestIdHeader),
      durationMs: monotonicNow(clock) - startedAt,
    });
    return observer.attempt(
      facts,
      call.trace,
      (added) => next(added ? withAddedHeaders(request, added) : request),
      ended,
    );
  };
}

/** Headers of a trace go below those of the client: what a subscriber adds never replaces a token or a key. */
function withAddedHeaders(request: HttpRequest, added: Readonly<Record<string, string>>): HttpRequest {
  const sendable = Object.entries(added).filter(([name, value]) => isSendable(name, value));
  return { ...request, headers: { ...Object.fromEntries(sendable), ...request.headers } };
}

function answerOf(
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
