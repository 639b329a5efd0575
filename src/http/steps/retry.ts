import pRetry from 'p-retry';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { Observer } from '../events/observer.js';
import type { Call, Headers } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { HttpResponse, Send, Step } from '../exchange/message.js';
import { outcomeOfStatus, type Verdict, verdictOfFailure, verdictOfStatus } from '../exchange/outcome.js';
import { attemptsLeft, isTooLong, throwIfEnded, waitUntil } from '../exchange/wait.js';
import { retryAfterSeconds } from '../response/retry-after.js';
import { backoffMs, jitterAfter429Ms, waitAfter429Ms } from './backoff.js';
import { type Admission, type Cooldowns, isPausedMeanwhile } from './cooldown.js';
import type { RetryBudget } from './retry-budget.js';

export interface RetryDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RetryBudget;
  readonly cooldowns: Cooldowns;
  readonly observer: Observer;
}

/** A response with an error status, thrown so that the attempts go on; it never leaves this file. */
class ErrorResponse extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super('error response');
    this.response = response;
  }
}

/**
 * Sends an attempt once its scope is not paused, and further ones where that is safe, after the wait that is due. Gives back
 * the last response, or throws the last failure. It alone writes the log of the call.
 *
 * The first attempt goes without an async function: it is nearly always the only one, and each async function on its way
 * costs a fortieth of the whole call.
 */
export function withRetry(deps: RetryDeps): Step {
  return (next) => (call, headers) => {
    const way = { headers, next, deps };
    const attempt = (): Promise<HttpResponse> => sendOne(call, way, rethrow);
    return sendOne(call, way, (error) => retry(error, attempt, call, deps));
  };
}

/** What all attempts of a call have in common. */
interface Way {
  readonly headers: Headers;
  readonly next: Send;
  readonly deps: RetryDeps;
}

/**
 * What follows an attempt that failed: after the first one the others, after those nothing. It is called where the attempt
 * ends; a promise of its own for it costs a hundredth of a call.
 */
type AfterFailure = (error: Error) => Promise<HttpResponse>;

function rethrow(error: Error): Promise<never> {
  return Promise.reject(error);
}

/** One attempt; a response that is no success fails as an `ErrorResponse`. */
function sendOne(call: Call, way: Way, afterFailure: AfterFailure): Promise<HttpResponse> {
  const { cooldowns, clock } = way.deps;
  throwIfEnded(call, clock);
  if (cooldowns.isIdle) return sendNow(call, way, afterFailure, undefined);
  return waitForTurn(call, way.deps).then((admission) => sendNow(call, way, afterFailure, admission), afterFailure);
}

async function waitForTurn(call: Call, { cooldowns, clock }: RetryDeps): Promise<Admission> {
  const startedAt = monotonicNow(clock);
  const admission = await cooldowns.admit(call);
  call.log.waitedMs += monotonicNow(clock) - startedAt;
  return admission;
}

function sendNow(
  call: Call,
  way: Way,
  afterFailure: AfterFailure,
  admission: Admission | undefined,
): Promise<HttpResponse> {
  const { next, headers, deps } = way;
  const { clock, cooldowns, budget } = deps;
  const { log } = call;
  log.attempts += 1;
  log.firstSentAt ??= clock.now();
  log.lastSentAt = monotonicNow(clock);
  const sent = next(call, headers);
  log.waitedMs = 0;
  return sent.then(
    (response) => {
      noteCooldown(call, response, admission, deps);
      const outcome = outcomeOfStatus(response.status);
      if (outcome === 'done') {
        budget.payBack(log.retriesPaid > 0);
        return response;
      }
      if (outcome === 'unknown') log.outcomeUnknown = true;
      return afterFailure(new ErrorResponse(response));
    },
    (error) => {
      if (admission) cooldowns.ended(admission);
      if (isPausedMeanwhile(error)) {
        // Nothing was sent: the call waits as those do that come now.
        log.attempts -= 1;
        return sendOne(call, way, afterFailure);
      }
      if (error instanceof Failure && error.facts.written) log.outcomeUnknown = true;
      return afterFailure(error);
    },
  );
}

function noteCooldown(
  call: Call,
  response: HttpResponse,
  admission: Admission | undefined,
  { cooldowns, observer }: RetryDeps,
): void {
  const pauseMs = cooldowns.note(call, response, admission);
  if (pauseMs === undefined) return;
  const { method, template: path } = call.operation;
  observer.emit('cooldown', { method, path, locationId: call.locationId, pauseMs });
}

/**
 * After a first failure: p-retry counts the attempts and asks whether another one may follow. The wait stands before each
 * attempt, on the client's clock, which a test can move.
 */
async function retry(
  first: Error,
  attempt: () => Promise<HttpResponse>,
  call: Call,
  deps: RetryDeps,
): Promise<HttpResponse> {
  const { clock } = deps;
  try {
    let waitMs = waitBeforeNext(first, call, deps);
    if (waitMs === undefined) throw first;
    const waitAndTry = async (): Promise<HttpResponse> => {
      const startedAt = monotonicNow(clock);
      await waitUntil(clock, startedAt + (waitMs ?? 0), call);
      call.log.waitedMs += monotonicNow(clock) - startedAt;
      return attempt();
    };
    return await pRetry(waitAndTry, {
      retries: attemptsLeft(call) - 1,
      minTimeout: 0,
      shouldRetry: ({ error }) => {
        waitMs = waitBeforeNext(error, call, deps);
        return waitMs !== undefined;
      },
    });
  } catch (error) {
    if (error instanceof ErrorResponse) return error.response;
    throw error;
  }
}

/** Milliseconds until the next attempt is due; `undefined` when none may follow. */
function waitBeforeNext(error: Error, call: Call, { clock, random, budget, observer }: RetryDeps): number | undefined {
  const verdict = verdictOf(error, call);
  if (verdict === 'final' || attemptsLeft(call) <= 0) return undefined;

  const waitMs = Math.ceil(waitMsOf(error, verdict, call, { now: clock.now(), random: random() }));
  if (isTooLong(waitMs, call, clock)) return undefined;

  const { log } = call;
  const { method, template: path } = call.operation;
  // A refusal that says when to come back is no failure: the cool-down limits what follows.
  if (!saysWhenToComeBack(error, verdict, clock)) {
    if (!budget.take(isTimeout(error))) {
      log.budgetExhausted = true;
      observer.emit('budget', { method, path, left: budget.left });
      return undefined;
    }
    log.retriesPaid += 1;
  }
  call.settings.progress?.failed(error instanceof ErrorResponse ? { response: error.response } : { cause: error });
  observer.emit('retry', { method, path, attempts: log.attempts, waitMs, reason: reasonOf(error) });
  return waitMs;
}

function verdictOf(error: Error, call: Call): Verdict {
  const { kind } = call.operation;
  if (error instanceof ErrorResponse) return verdictOfStatus(kind, error.response.status);
  return error instanceof Failure ? verdictOfFailure(kind, error, call.log.attempts) : 'final';
}

function waitMsOf(
  error: Error,
  verdict: Verdict,
  { log, settings }: Call,
  at: { now: number; random: number },
): number {
  const asked = error instanceof ErrorResponse ? retryAfterSeconds(error.response.headers, at.now) : undefined;
  if (verdict === 'rate_limited') {
    const refusal = log.rateLimited;
    log.rateLimited += 1;
    if (asked === undefined) return backoffMs(log.attempts - 1, at.random);
    const waitMs = waitAfter429Ms(asked, refusal);
    return waitMs + jitterAfter429Ms(at.random, settings.maxWait - waitMs);
  }
  // A 503 may say when to come back, too.
  return Math.max(backoffMs(log.attempts - 1, at.random), (asked ?? 0) * 1000);
}

function saysWhenToComeBack(error: Error, verdict: Verdict, clock: Clock): boolean {
  if (verdict !== 'rate_limited' || !(error instanceof ErrorResponse)) return false;
  return retryAfterSeconds(error.response.headers, clock.now()) !== undefined;
}

function isTimeout(error: Error): boolean {
  return error instanceof Failure && error.facts.kind === 'timeout';
}

function reasonOf(error: Error): string {
  if (error instanceof ErrorResponse) return String(error.response.status);
  return error instanceof Failure ? error.facts.kind : 'error';
}
