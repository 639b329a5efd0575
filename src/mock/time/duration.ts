const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, or text such as `'25h'`, `'90s'`, `'5m'`, `'250ms'`, `'2d'`. */
export type Duration = number | string;

export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const [, count, unit] = (typeof duration === 'string' && /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration.trim())) || [];
  if (count === undefined || unit === undefined) {
    throw new TypeError(
      `The duration ${JSON.stringify(duration)} is not understood. Write milliseconds as a number that is not negative, or text such as '25h', '5m', '90s' or '250ms'.`,
    );
  }
  return Number(count) * UNITS_MS[unit]!;
}
