/** How long the service recognises a key (interface document, "Idempotency rules" 2). */
const KEY_LIFE_MS = 24 * 60 * 60_000;
/** Kept free at its end: a request may be on its way for a while, and clocks differ. */
const MARGIN_MS = 15 * 60_000;

/** The first sending of a key, by both clocks. */
export interface FirstSending {
  /** Milliseconds since the Unix epoch on the service's clock. */
  readonly startedAtMs: number;
  /** The same instant on the clock of the process that sent it. */
  readonly startedAtLocalMs: number;
}

export interface TwoClocks {
  readonly nowMs: number;
  readonly nowLocalMs: number;
}

/** Until when the key may be sent again, on the service's clock. */
export function replayableUntil({ startedAtMs }: FirstSending): Date {
  return new Date(startedAtMs + KEY_LIFE_MS - MARGIN_MS);
}

/**
 * Whether the key may be sent again. The clock that shows the greater age decides: a key sent too late is executed
 * as a new payment, a key not sent is only looked up.
 */
export function isReplayable({ startedAtMs, startedAtLocalMs }: FirstSending, { nowMs, nowLocalMs }: TwoClocks): boolean {
  const ageMs = Math.max(nowMs - startedAtMs, nowLocalMs - startedAtLocalMs);
  return ageMs < KEY_LIFE_MS - MARGIN_MS;
}
