/** What has happened to a call so far. The step of attempts writes it; errors and observers read it. */
export class AttemptLog {
  /** Attempts that reached the transport. */
  attempts = 0;
  /** Milliseconds spent in waits since the last attempt. */
  waitedMs = 0;
  /** Refusals by 429 so far: they double the wait. */
  rateLimited = 0;
  /** True once an attempt ended so that the service may have executed it. */
  outcomeUnknown = false;
  /** Instant at which the first attempt was given to the transport, on the wall clock. */
  firstSentAt: number | undefined = undefined;
  /** Instant of the last attempt, on the monotonic reading. */
  lastSentAt = 0;
  budgetExhausted = false;
  /** Retries that took from the budget. */
  retriesPaid = 0;
}
