import type { Outcome } from '../../errors/call.js';
import type { Call } from './call.js';
import type { Failure } from './failure.js';
import type { HttpResponse } from './message.js';
import type { OperationKind } from './operation.js';

/** What one attempt proves about the request. */
export type AttemptOutcome = 'not_sent' | 'refused' | 'done' | 'unknown';

/** Everything that is neither a success nor a definite refusal leaves open whether the request was executed. */
export function outcomeOfStatus(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'done';
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'unknown';
}

/** How to go on after a failed attempt: not at all, after the client's backoff, or after the wait of a 429. */
export type Verdict = 'final' | 'backoff' | 'rate_limited';

/** 501 and 505 say that the service will never do it. */
const NEVER_RETRIED = new Set([501, 505]);

export function verdictOfStatus(kind: OperationKind, status: number): Verdict {
  if (status === 429) return 'rate_limited';
  if (status !== 408 && (status < 500 || NEVER_RETRIED.has(status))) return 'final';
  return kind === 'money' ? 'final' : 'backoff';
}

export function verdictOfFailure(kind: OperationKind, { facts }: Failure, attempts: number): Verdict {
  if (facts.written && kind === 'money') return 'final';
  switch (facts.kind) {
    case 'timeout':
      return 'backoff';
    case 'connection':
      // A name may be unknown for a moment while a resolver restarts; the second failure is final.
      if (facts.code === 'ENOTFOUND') return attempts < 2 ? 'backoff' : 'final';
      return facts.permanent ? 'final' : 'backoff';
    case 'unusable':
      if (facts.isApplied) return 'final';
      // The next response would be as large, and encoded in the same way.
      return facts.reason === 'too_large' || facts.reason === 'encoding' ? 'final' : 'backoff';
    default:
      return 'final';
  }
}

/** What the error says about a write that failed; reads have no outcome. */
export function outcomeOfCall(
  call: Pick<Call, 'operation' | 'log'>,
  last: HttpResponse | Failure,
): Outcome | undefined {
  if (call.operation.kind === 'read') return undefined;
  if (!('status' in last) && last.facts.kind === 'unusable' && last.facts.isApplied) return 'applied';
  if (call.log.outcomeUnknown) return 'unknown';
  return 'status' in last ? 'refused' : 'not_sent';
}
