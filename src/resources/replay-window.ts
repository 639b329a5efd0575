import { replayableUntil } from '../http/idempotency-key.js';

/** The first sending of a key, by both clocks, in milliseconds since the Unix epoch. */
export interface FirstSending {
  /** On the service's clock. */
  readonly startedAtMs: number;
  /** The same instant on the clock of the process that sent it. */
  readonly startedAtLocalMs: number;
}

export interface TwoClocks {
  readonly nowMs: number;
  readonly nowLocalMs: number;
}

/**
 * Whether the key may be sent again. The clock that shows the greater age decides: a key sent too late is executed
 * as a new payment, a key not sent is only looked up.
 */
export function isReplayable({ startedAtMs, startedAtLocalMs }: FirstSending, now: TwoClocks): boolean {
  return now.nowMs < replayableUntil(startedAtMs) && now.nowLocalMs < replayableUntil(startedAtLocalMs);
}
