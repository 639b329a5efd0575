/** How long the service recognises a key (interface document, "Limits"). */
const KEY_LIFE_MS = 24 * 60 * 60 * 1000;
/** A repetition that leaves later might arrive after the service has forgotten the key, and be executed again. */
const REPLAY_MARGIN_MS = 15 * 60 * 1000;
/** For how long a key may be sent again. */
export const REPLAYABLE_MS = KEY_LIFE_MS - REPLAY_MARGIN_MS;

/** Instant from which on a key that was first sent at `firstSentAt` must not be sent any more. */
export function replayableUntil(firstSentAt: number): number {
  return firstSentAt + REPLAYABLE_MS;
}

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
