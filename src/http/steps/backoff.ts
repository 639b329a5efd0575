/** Longest wait that doubling leads to; `Retry-After` itself may be longer (interface document, "Limits"). */
const CAP_AFTER_429_SECONDS = 300;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 8000;
const JITTER_AFTER_429_MS = 1000;

/** Milliseconds before attempt number `retry` + 2: half a second, doubling to eight, with full jitter. */
export function backoffMs(retry: number, random: number): number {
  return random * Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retry);
}

/**
 * Milliseconds to wait after the refusal number `refusal` (from 0) by 429: what the service says, doubled at each
 * further refusal, and never less than it says. The jitter of {@link jitterAfter429Ms} comes on top.
 */
export function waitAfter429Ms(retryAfterSeconds: number, refusal: number): number {
  const doubled = Math.min(CAP_AFTER_429_SECONDS, retryAfterSeconds * 2 ** refusal);
  return Math.max(retryAfterSeconds, doubled) * 1000;
}

/** Up to a second; less where the call may not wait that much longer: jitter alone fails no call. */
export function jitterAfter429Ms(random: number, roomMs: number): number {
  return random * Math.min(JITTER_AFTER_429_MS, Math.max(0, roomMs));
}
