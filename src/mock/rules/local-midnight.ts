import { localMinutes } from './sale-window.js';

const MINUTE_MS = 60_000;
const HALF_DAY_MINUTES = 12 * 60;

/** The instant, in milliseconds, at which a day (`2026-03-12`) begins in a time zone. */
export function localMidnight(day: string, timezone: string): number {
  let instantMs = Date.parse(`${day}T00:00:00Z`);
  // Twice: the first step may cross a change of summer time.
  for (let step = 0; step < 2; step += 1) {
    const minutes = localMinutes(timezone, instantMs);
    instantMs -= (minutes > HALF_DAY_MINUTES ? minutes - 2 * HALF_DAY_MINUTES : minutes) * MINUTE_MS;
  }
  return instantMs;
}
