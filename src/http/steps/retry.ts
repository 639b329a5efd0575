import pRetry from 'p-retry';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { Observer } from '../events/observer.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { HttpResponse, Step } from '../exchange/message.js';
import { outcomeOfStatus, type Verdict, verdictOfFailure, verdictOfStatus } from '../exchange/outcome.js';
import { isTooLong, throwIfEnded, waitUntil } from '../exchange/wait.js';
import { retryAfterSeconds } from '../response/retry-after.js';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from './backoff.js';
import type { RetryBudget } from './retry-budget.js';

export interface RetryParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RetryBudget;
  readonly observer: Observer;
}

/** An answer with an error status, thrown so that the attempts go on; it never leaves this file. */
class ErrorAnswer extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super('error answer');
    this.response = response;
  }
}

/**
 * Sends again what may be sent again, after the wait that is due. Gives back the last response, or throws the last
 * failure.
 */
export function withRetry(parts: RetryParts): Step {
  return (next) => async (request) => {
    const { call } = request;
    const attempt = async (): Promise<HttpResponse> => {
      throwIfEnded(call, parts.clock);
      try {
        const response = await next(request);
        if (outcomeOfStatus(response.status) === 'done') {
          parts.budget.payBack(call.retriesPaid > 0);
          return response;
        }
        if (outcomeOfStatus(response.status) === 'unknown') call.outcomeUnknown = true;
        throw new ErrorAnswer(response);
      } catch (error) {
        if (error instanceof Failure && error.facts.written) call.outcomeUnknown = true;
        throw error;
      }
    };
    try {
      return await attempt().catch((error) => retry(error, attempt, call, parts));
    } catch (error) {
      if (error instanceof ErrorAnswer) return error.response;
      throw error;
    }
  };
}

/**
 * After a first failure: p-retry counts the attempts and asks whether another one may follow. The wait stands before each
 * attempt, on the client's clock, which a test can move.
 */
async function retry(
  first: Error,
  attempt: () => Promise<HttpResponse>,
  call: Call,
  parts: RetryParts,
): Promise<HttpResponse> {
  let waitMs = waitBeforeNext(first, call, parts);
  if (waitMs === undefined) throw first;
  const waitAndTry = async (): Promise<HttpResponse> => {
    await waitUntil(parts.clock, monotonicNow(parts.clock) + (waitMs ?? 0), call);
    return attempt();
  };
  return pRetry(waitAndTry, {
    retries: call.attemptsLeft - 1,
    minTimeout: 0,
    shouldRetry: ({ error }) => {
      waitMs = waitBeforeNext(error, call, parts);
      return waitMs !== undefined;
    },
  });
}

/** Milliseconds until the next attempt is due; `undefined` when none may follow. */
function waitBeforeNext(error: Error, call: Call, { clock, random, budget, observer }: RetryParts): number | undefined {
  const verdict = verdictOf(error, call);
  if (verdict === 'final' || call.attemptsLeft <= 0) return undefined;

  const waitMs = Math.ceil(waitMsOf(error, verdict, call, { now: clock.now(), random: random() }));
  if (isTooLong(waitMs, call, clock)) return undefined;

  const { method, template: path } = call.operation;
  // A refusal that says when to come back is no failure: the cool-down limits what follows.
  if (!saysWhenToComeBack(error, verdict, clock)) {
    if (!budget.take(isTimeout(error))) {
      call.budgetExhausted = true;
      observer.tell('budget', { method, path, left: budget.left });
      return undefined;
    }
    call.retriesPaid += 1;
  }
  call.settings.progress?.failed(error instanceof ErrorAnswer ? { response: error.response } : { cause: error });
  observer.tell('retry', { method, path, attempts: call.attempts, waitMs, reason: reasonOf(error) });
  return waitMs;
}

function verdictOf(error: Error, call: Call): Verdict {
  const { kind } = call.operation;
  if (error instanceof ErrorAnswer) return verdictOfStatus(kind, error.response.status);
  return error instanceof Failure ? verdictOfFailure(kind, error, call.attempts) : 'final';
}

function waitMsOf(error: Error, verdict: Verdict, call: Call, at: { now: number; random: number }): number {
  const asked = error instanceof ErrorAnswer ? retryAfterSeconds(error.response.headers, at.now) : undefined;
  if (verdict === 'rate_limited') {
    const refusal = call.rateLimited;
    call.rateLimited += 1;
    if (asked === undefined) return backoffMs(call.attempts - 1, at.random);
    const waitMs = waitAfter429Ms(asked, refusal);
    return waitMs + jitterAfter429Ms(at.random, call.settings.maxWait - waitMs);
  }
  // A 503 may say when to come back, too.
  return Math.max(backoffMs(call.attempts - 1, at.random), (asked ?? 0) * 1000);
}

function saysWhenToComeBack(error: Error, verdict: Verdict, clock: Clock): boolean {
  if (verdict !== 'rate_limited' || !(error instanceof ErrorAnswer)) return false;
  return retryAfterSeconds(error.response.headers, clock.now()) !== undefined;
}

function isTimeout(error: Error): boolean {
  return error instanceof Failure && error.facts.kind === 'timeout';
}

function reasonOf(error: Error): string {
  if (error instanceof ErrorAnswer) return String(error.response.status);
  return error instanceof Failure ? error.facts.kind : 'error';
}
