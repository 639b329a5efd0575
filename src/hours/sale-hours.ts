import type { MenuItem } from '../contract/index.js';
import { givenRecord } from './given-record.js';
import { localTime } from './local-time.js';
import { type TimeInput, toEpochMs } from './time-input.js';
import { type DailyWindow, parseTimeOfDay, runsPastMidnight } from './time-of-day.js';

/** The two fields of an item that limit its hours; a `MenuItem` has them. */
export type SaleHours = Partial<Pick<MenuItem, 'daily_sales_start_time' | 'daily_sales_end_time'>>;

/**
 * Whether an item is sold at a moment, by its daily sale hours alone; `available` and stock are other questions.
 *
 * The start is included and the end is not. An end that is not after the start runs past midnight, and one bound alone
 * leaves the other side open until midnight. What the clock of the store shows decides: on days of daylight-saving change
 * a window in the skipped hour does not occur, and one in the repeated hour occurs twice. An item without hours, or with
 * hours that are not `HH:MM`, is always on sale.
 *
 * @param timezone - IANA time zone of the location, its `timezone`.
 * @throws {RequestValidationError} The item is no object, `at` is not a moment, or the runtime knows no such time zone.
 * @see Interface document, "MenuItem"; docs/interface-gaps.md, MENU-8 and MENU-14
 */
export function isOnSale(item: SaleHours, at: TimeInput, timezone: string): boolean {
  givenRecord('item', item, 'an item of a menu');
  const { secondOfDay } = localTime(toEpochMs(at), timezone);
  const window = saleWindow(item);
  return window === undefined || isWithin(window, secondOfDay);
}

/** The daily window of an item in seconds since 00:00, or `undefined` when it has none that can be read. */
export function saleWindow(item: SaleHours): DailyWindow | undefined {
  const start = parseTimeOfDay(item.daily_sales_start_time);
  const end = parseTimeOfDay(item.daily_sales_end_time);
  if (start === undefined && end === undefined) return undefined;
  // A bound that is there but cannot be read is unknown: it could lie anywhere.
  if (start === undefined && item.daily_sales_start_time != null) return undefined;
  if (end === undefined && item.daily_sales_end_time != null) return undefined;
  return { start: start ?? 0, end: end ?? 86_400 };
}

function isWithin(window: DailyWindow, secondOfDay: number): boolean {
  const started = secondOfDay >= window.start;
  const notEnded = secondOfDay < window.end;
  return runsPastMidnight(window) ? started || notEnded : started && notEnded;
}
