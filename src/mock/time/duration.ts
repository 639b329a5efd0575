const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, or text such as `'25h'`, `'90s'`, `'5m'`, `'250ms'`, `'2d'`. */
export type Duration = number | string;

/** A hundred years: whatever is timed comes before, and dates stay such as can be written. */
const LONGEST_MS = 36_525 * UNITS_MS.d!;

/** @throws TypeError when it is none, or longer than a hundred years. */
export function milliseconds(duration: Duration): number {
  const durationMs = read(duration);
  if (durationMs <= LONGEST_MS) return durationMs;
  throw new TypeError(`The duration ${JSON.stringify(duration)} is longer than a hundred years. Write a shorter one.`);
}

function read(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const [, count, unit] = (typeof duration === 'string' && /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration.trim())) || [];
  if (count === undefined || unit === undefined) {
    throw new TypeError(
      `The duration ${JSON.stringify(duration)} is not understood. Write milliseconds as a number that is not negative, or text such as '25h', '5m', '90s' or '250ms'.`,
    );
  }
  return Number(count) * UNITS_MS[unit]!;
}
