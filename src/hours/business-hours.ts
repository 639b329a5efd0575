import type { Location } from '../contract/index.js';
import { givenRecord } from './given-record.js';
import { isKnownZone, type LocalTime, localTime } from './local-time.js';
import { type TimeInput, toEpochMs } from './time-input.js';
import { type DailyWindow, parseTimeOfDay, runsPastMidnight } from './time-of-day.js';

const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];

/** The two fields of a location with its hours; hours of your own fit too. */
export type OpeningHours = Partial<Pick<Location, 'timezone' | 'business_hours'>>;

/**
 * Whether a location is open at a moment, in its own time zone.
 *
 * Opening is included and closing is not. A close that is not after the open runs past midnight into the next day, also
 * into one marked `is_closed`; a day may have several records, and a day without one is closed. What the clock of the
 * store shows decides, on days of daylight-saving change too.
 *
 * @returns `undefined` when the location does not say: no hours, no time zone that this runtime knows, or a record of the
 * day in question that cannot be read.
 * @throws {RequestValidationError} The location is no object, or `at` is not a moment.
 * @see Interface document, "Location"; docs/interface-gaps.md, LOC-2 and MENU-14
 */
export function isOpen(location: OpeningHours, at: TimeInput): boolean | undefined {
  const epochMs = toEpochMs(at);
  const { timezone, business_hours: hours } = givenRecord(
    'location',
    location,
    'a location, or { timezone, business_hours }',
  );
  if (!Array.isArray(hours) || hours.length === 0 || !isKnownZone(timezone)) return undefined;
  const now = localTime(epochMs, timezone);
  const results = hours.map((record: unknown) => (isRecord(record) ? isOpenBy(record, now) : undefined));
  if (results.includes(true)) return true;
  return results.includes(undefined) ? undefined : false;
}

/** What one record says about a moment: open, not open, or nothing that can be read. */
function isOpenBy(record: Readonly<Record<string, unknown>>, now: LocalTime): boolean | undefined {
  const day = typeof record.day_of_week === 'string' ? DAYS.indexOf(record.day_of_week.toUpperCase()) : -1;
  if (day === -1) return undefined;
  const isToday = day === now.weekday;
  const isYesterday = (day + 1) % 7 === now.weekday;
  if (record.is_closed === true || !(isToday || isYesterday)) return false;
  const window = windowOf(record);
  if (!window) return undefined;
  if (!runsPastMidnight(window)) return isToday && now.secondOfDay >= window.start && now.secondOfDay < window.end;
  return isToday ? now.secondOfDay >= window.start : now.secondOfDay < window.end;
}

function windowOf(record: Readonly<Record<string, unknown>>): DailyWindow | undefined {
  const start = parseTimeOfDay(record.open_time);
  const end = parseTimeOfDay(record.close_time);
  return start === undefined || end === undefined ? undefined : { start, end };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
