/** The hours in which an item is sold, in the location's local time. Null leaves a side open. */
export interface SaleWindow {
  readonly daily_sales_start_time?: string | null;
  readonly daily_sales_end_time?: string | null;
}

const MINUTES_OF_DAY = 24 * 60;
const CLOCK_TIME = /^(\d{1,2}):([0-5]\d)$/;

/**
 * Whether an item is on sale at an instant. The window includes its start and not its end; an end that is not after the
 * start lies on the next day (gap MENU-8).
 */
export function isOnSale(window: SaleWindow, timezone: string, nowMs: number): boolean {
  const from = minutesOf(window.daily_sales_start_time ?? '00:00');
  const until = minutesOf(window.daily_sales_end_time ?? '24:00');
  const isOpenEnded = window.daily_sales_start_time == null && window.daily_sales_end_time == null;
  // Hours of which one is not HH:MM restrict nothing (gap MENU-14).
  if (isOpenEnded || from === null || until === null) return true;

  const local = localMinutes(timezone, nowMs);
  return from < until ? local >= from && local < until : local >= from || local < until;
}

/** Minutes since midnight on the wall clock of a time zone, across changes of summer time. */
export function localMinutes(timezone: string, nowMs: number): number {
  const parts = formatterOf(timezone).formatToParts(nowMs);
  const numberOf = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return numberOf('hour') * 60 + numberOf('minute');
}

function minutesOf(time: string): number | null {
  const match = CLOCK_TIME.exec(time);
  const minutes = match ? Number(match[1]) * 60 + Number(match[2]) : Number.POSITIVE_INFINITY;
  return minutes <= MINUTES_OF_DAY ? minutes : null;
}

// A formatter costs far more to build than to use.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timezone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timezone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    });
    formatters.set(timezone, formatter);
  }
  return formatter;
}
