const FIRST_MS = 1_000;
const LONGEST_MS = 600_000;
/** From here on the wait is the longest; twice as long, again and again, would be no number any more. */
const LAST_DOUBLING = 20;

/** How long an entry waits after its n-th failure, in milliseconds: 1 s, 2 s, 4 s, … up to 10 minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
}

/** The same as an SQL expression. */
export function retryDelaySql(attempts: string): string {
  return `least(${LONGEST_MS}, ${FIRST_MS} * power(2, least(${attempts}, ${LAST_DOUBLING}) - 1)) * interval '1 millisecond'`;
}
