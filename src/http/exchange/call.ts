import type { CallTrace } from '../events/observer.js';
import type { Closing } from './closing.js';
import type { Operation } from './operation.js';
import type { Progress } from './progress.js';

/** Settings of one call, after defaults and checks. */
export interface CallSettings {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** Instant of the clock's monotonic reading at which the call ends; infinite without a deadline. */
  readonly deadlineAt: number;
  /** Milliseconds of the longest single wait. */
  readonly maxWait: number;
  readonly maxRetries: number;
  /** The end of the client, which ends waits; `undefined` where there is no client. */
  readonly closing?: Closing | undefined;
  /** Of a request that several calls wait for: told of its failures and waits. */
  readonly progress?: Progress | undefined;
}

/**
 * One call on its way: what was asked, and what happened so far. The only thing on the way that changes, and it
 * belongs to this call alone.
 */
export class Call {
  readonly operation: Operation;
  readonly settings: CallSettings;
  /** Location of the call's rate-limit scope; empty where the request names none. */
  readonly locationId: string;
  idempotencyKey: string | undefined;
  /** Set while somebody traces calls. */
  trace: CallTrace | undefined;
  /** Attempts that reached the transport. */
  attempts = 0;
  /** Milliseconds spent in waits since the last attempt. */
  waitedMs = 0;
  /** Refusals by 429 so far: they double the wait. */
  rateLimited = 0;
  /** True once an attempt ended so that the service may have executed it. */
  outcomeUnknown = false;
  /** Instant at which the first attempt was given to the transport. */
  firstSentAt: number | undefined;
  /** Instant of the last attempt, on the monotonic reading. */
  lastSentAt: number | undefined;
  budgetExhausted = false;
  /** Retries that took from the budget. */
  retriesPaid = 0;

  constructor(operation: Operation, settings: CallSettings, locationId: string) {
    this.operation = operation;
    this.settings = settings;
    this.locationId = locationId;
  }

  get attemptsLeft(): number {
    return this.settings.maxRetries + 1 - this.attempts;
  }
}
