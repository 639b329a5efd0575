const FIRST_MS = 1_000;
const LONGEST_MS = 600_000;

/** How long an entry waits after its n-th failure, in milliseconds: 1 s, 2 s, 4 s, … up to 10 minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
}
