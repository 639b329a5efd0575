import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOnSale, localMinutes } from '../../../../src/mock/rules/sale-window.js';

const CHICAGO = 'America/Chicago';
const window = (start: string | null, end: string | null) => ({
  daily_sales_start_time: start,
  daily_sales_end_time: end,
});
const at = (text: string): number => Date.parse(text);

describe('the daily sales window is read in local time', () => {
  test('breakfast from 05:00 to 11:00 in Chicago begins at 11:00 UTC in winter', () => {
    const breakfast = window('05:00', '11:00');

    expect(isOnSale(breakfast, CHICAGO, at('2026-01-15T10:59:59Z'))).toBe(false);
    expect(isOnSale(breakfast, CHICAGO, at('2026-01-15T11:00:00Z'))).toBe(true);
  });

  test('and at 10:00 UTC in summer', () => {
    const breakfast = window('05:00', '11:00');

    expect(isOnSale(breakfast, CHICAGO, at('2026-07-15T09:59:59Z'))).toBe(false);
    expect(isOnSale(breakfast, CHICAGO, at('2026-07-15T10:00:00Z'))).toBe(true);
  });

  test('the same instant is on sale in one zone and not in another', () => {
    const noonInChicago = at('2026-03-10T17:00:00Z');

    expect(isOnSale(window('05:00', '11:00'), CHICAGO, noonInChicago)).toBe(false);
    expect(isOnSale(window('05:00', '11:00'), 'America/Los_Angeles', noonInChicago)).toBe(true);
  });
});

describe('the window is half-open (gap MENU-8)', () => {
  test('the start is included, the end is not', () => {
    const lunch = window('11:00', '14:30');

    expect(isOnSale(lunch, 'UTC', at('2026-05-01T11:00:00Z'))).toBe(true);
    expect(isOnSale(lunch, 'UTC', at('2026-05-01T14:29:59.999Z'))).toBe(true);
    expect(isOnSale(lunch, 'UTC', at('2026-05-01T14:30:00Z'))).toBe(false);
  });

  test('an end that is not after the start lies on the next day', () => {
    const late = window('22:00', '02:00');
    const onSale = ['21:59', '22:00', '23:59', '00:00', '01:59', '02:00'].map((time) =>
      isOnSale(late, 'UTC', at(`2026-05-01T${time}:00Z`)),
    );

    expect(onSale).toEqual([false, true, true, true, true, false]);
  });

  test('one bound alone leaves the other side open until midnight', () => {
    const times = ['00:00', '05:59', '06:00', '23:59'].map((time) => at(`2026-05-01T${time}:00Z`));

    expect(times.map((time) => isOnSale(window('06:00', null), 'UTC', time))).toEqual([false, false, true, true]);
    expect(times.map((time) => isOnSale(window(null, '06:00'), 'UTC', time))).toEqual([true, true, false, false]);
  });

  test('no bounds are no restriction', () => {
    expect(isOnSale(window(null, null), 'UTC', at('2026-05-01T03:00:00Z'))).toBe(true);
    expect(isOnSale({}, 'UTC', at('2026-05-01T03:00:00Z'))).toBe(true);
  });

  test('a window that ends at midnight ends at midnight', () => {
    expect(isOnSale(window('18:00', '00:00'), 'UTC', at('2026-05-01T23:59:00Z'))).toBe(true);
    expect(isOnSale(window('18:00', '00:00'), 'UTC', at('2026-05-02T00:00:00Z'))).toBe(false);
  });
});

describe('days on which the clocks change', () => {
  // 2026-03-08: 02:00 becomes 03:00 in Chicago. 2026-11-01: 02:00 becomes 01:00.
  test('in spring, a window from 02:30 begins with the hour that follows the gap', () => {
    const early = window('02:30', '05:00');

    expect(isOnSale(early, CHICAGO, at('2026-03-08T07:59:00Z'))).toBe(false); // 01:59 CST
    expect(isOnSale(early, CHICAGO, at('2026-03-08T08:00:00Z'))).toBe(true); // 03:00 CDT
  });

  test('in autumn, the hour that comes twice is on sale twice', () => {
    const night = window('01:00', '02:00');

    expect(isOnSale(night, CHICAGO, at('2026-11-01T06:30:00Z'))).toBe(true); // 01:30 CDT
    expect(isOnSale(night, CHICAGO, at('2026-11-01T07:30:00Z'))).toBe(true); // 01:30 CST
    expect(isOnSale(night, CHICAGO, at('2026-11-01T08:00:00Z'))).toBe(false); // 02:00 CST
  });

  test('a window of the whole day is on sale at every minute of both days', () => {
    for (const day of ['2026-03-08', '2026-11-01']) {
      for (let minute = 0; minute < 25 * 60; minute += 1) {
        expect(isOnSale(window('00:00', '24:00'), CHICAGO, at(`${day}T06:00:00Z`) + minute * 60_000)).toBe(true);
      }
    }
  });
});

const clockTime = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`);
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });
const zone = fc.constantFrom('America/Chicago', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC');

test('a window and the same window turned round never overlap, and leave no gap', () => {
  fc.assert(
    fc.property(clockTime, clockTime, zone, instant, (start, end, timezone, nowMs) => {
      fc.pre(start !== end);
      expect(isOnSale(window(start, end), timezone, nowMs)).toBe(!isOnSale(window(end, start), timezone, nowMs));
    }),
  );
});

test('local minutes agree with the clock that Intl shows, in every zone and on every day', () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, nowMs) => {
      const shown = new Date(nowMs).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      const [hour, minute] = shown.split(':').map(Number);
      expect(localMinutes(timeZone, nowMs)).toBe(hour! * 60 + minute!);
    }),
  );
});
