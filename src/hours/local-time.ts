import { RequestValidationError } from '../errors/local.js';
import { BoundedMap } from '../platform/bounded-map.js';

/** What the clock on the wall of a store shows. */
export interface LocalTime {
  /** 0 is Sunday, 6 is Saturday. */
  readonly weekday: number;
  /** Seconds that the clock shows since 00:00; on days of daylight-saving change not the seconds that went by. */
  readonly secondOfDay: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  epochSecond: number;
  local: LocalTime;
}

const WEEKDAYS: Readonly<Record<string, number>> = { Sun: 0, Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6 };

/** Making a format costs some hundred times more than using it. There are about 600 zones, in any mixture of letters. */
const zones = new BoundedMap<string, Zone>(1000);

/**
 * The wall-clock time of an instant in an IANA time zone.
 *
 * The instant decides: in an hour that is repeated in autumn both passages show the same time, and one that is skipped in
 * spring is never shown. The last result of each zone is kept, since callers ask about many items at one instant.
 *
 * @throws {RequestValidationError} The runtime knows no such zone.
 */
export function localTime(epochMs: number, timezone: string): LocalTime {
  const zone = zoneOf(timezone);
  const epochSecond = Math.floor(epochMs / 1000);
  if (zone.epochSecond !== epochSecond) {
    zone.local = read(zone.format, epochSecond * 1000);
    zone.epochSecond = epochSecond;
  }
  return zone.local;
}

/** Whether the runtime's time zone database has the zone. */
export function isKnownZone(timezone: unknown): timezone is string {
  if (typeof timezone !== 'string') return false;
  try {
    zoneOf(timezone);
    return true;
  } catch {
    return false;
  }
}

function zoneOf(timezone: string): Zone {
  const known = zones.get(timezone);
  if (known) return known;
  const zone = { format: formatOf(timezone), epochSecond: Number.NaN, local: { weekday: 0, secondOfDay: 0 } };
  zones.set(timezone, zone);
  return zone;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    const shown = typeof timezone === 'string' ? JSON.stringify(timezone) : typeof timezone;
    const message = `"timezone" is ${shown}, which is no IANA time zone of this runtime; give the location's timezone, for example America/Chicago.`;
    throw new RequestValidationError(message, { problems: [{ field: 'timezone', message }] });
  }
}

function read(format: Intl.DateTimeFormat, epochMs: number): LocalTime {
  // "Mon 09:05:00" or "Mon, 09:05:00", by version of the runtime: the ends are fixed, the middle is not.
  const text = format.format(epochMs);
  const weekday = WEEKDAYS[text.slice(0, 3)] ?? 0;
  const [hours, minutes, seconds] = text.slice(-8).split(':').map(Number) as [number, number, number];
  return { weekday, secondOfDay: hours * 3600 + minutes * 60 + seconds };
}
