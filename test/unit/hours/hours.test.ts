import fc from 'fast-check';
import { isOnSale, isOpen } from 'online-ordering-sdk/menus';
import { describe, expect, test } from 'vitest';
import type { DayHours } from '../../../src/contract/index.js';

const zones = Intl.supportedValuesOf('timeZone');
const chicago = 'America/Chicago';

const hours = (start: string | null, end: string | null) => ({
  daily_sales_start_time: start,
  daily_sales_end_time: end,
});

const day = (day_of_week: string, open_time: string, close_time: string, is_closed = false): DayHours => ({
  day_of_week,
  open_time,
  close_time,
  is_closed,
});

describe('isOnSale', () => {
  test('includes the start and excludes the end', () => {
    const breakfast = hours('06:00', '11:00');

    expect(isOnSale(breakfast, '2026-01-15T11:59:59.999Z', chicago)).toBe(false);
    expect(isOnSale(breakfast, '2026-01-15T12:00:00Z', chicago)).toBe(true);
    expect(isOnSale(breakfast, '2026-01-15T16:59:59.999Z', chicago)).toBe(true);
    expect(isOnSale(breakfast, '2026-01-15T17:00:00Z', chicago)).toBe(false);
  });

  test('runs through midnight when the end is not after the start', () => {
    const night = hours('22:00', '02:00');

    expect(isOnSale(night, '2026-01-15T21:59:59Z', 'UTC')).toBe(false);
    expect(isOnSale(night, '2026-01-15T22:00:00Z', 'UTC')).toBe(true);
    expect(isOnSale(night, '2026-01-16T00:00:00Z', 'UTC')).toBe(true);
    expect(isOnSale(night, '2026-01-16T01:59:59Z', 'UTC')).toBe(true);
    expect(isOnSale(night, '2026-01-16T02:00:00Z', 'UTC')).toBe(false);
  });

  test('equal bounds leave no gap', () => {
    expect(isOnSale(hours('06:00', '06:00'), '2026-01-15T06:00:00Z', 'UTC')).toBe(true);
    expect(isOnSale(hours('06:00', '06:00'), '2026-01-15T05:59:59Z', 'UTC')).toBe(true);
  });

  test('one bound alone leaves the other side open until midnight', () => {
    expect(isOnSale(hours('10:00', null), '2026-01-15T09:59:00Z', 'UTC')).toBe(false);
    expect(isOnSale(hours('10:00', null), '2026-01-15T23:59:59Z', 'UTC')).toBe(true);
    expect(isOnSale(hours(null, '10:00'), '2026-01-15T00:00:00Z', 'UTC')).toBe(true);
    expect(isOnSale(hours(null, '10:00'), '2026-01-15T10:00:00Z', 'UTC')).toBe(false);
  });

  test.each([
    [null, null],
    ['9am', null],
    ['06:00', '25:00'],
    ['', '11:00'],
  ])('hours from %s to %s cannot restrict', (start, end) => {
    expect(isOnSale(hours(start, end), '2026-01-15T03:00:00Z', 'UTC')).toBe(true);
    expect(isOnSale({}, 0, 'UTC')).toBe(true);
  });

  test('a window in the hour that spring skips does not occur that day', () => {
    const skipped = hours('02:00', '03:00');
    const everyMinute = Array.from(
      { length: 24 * 60 },
      (_, minute) => Date.parse('2026-03-08T06:00:00Z') + minute * 60_000,
    );

    expect(everyMinute.filter((at) => isOnSale(skipped, at, chicago))).toHaveLength(0);
    expect(isOnSale(skipped, '2026-03-09T07:30:00Z', chicago)).toBe(true);
  });

  test('a window in the hour that autumn repeats occurs twice', () => {
    const repeated = hours('01:00', '01:30');

    expect(isOnSale(repeated, '2026-11-01T06:15:00Z', chicago)).toBe(true);
    expect(isOnSale(repeated, '2026-11-01T06:45:00Z', chicago)).toBe(false);
    expect(isOnSale(repeated, '2026-11-01T07:15:00Z', chicago)).toBe(true);
    expect(isOnSale(repeated, '2026-11-01T07:45:00Z', chicago)).toBe(false);
  });

  test('a change of half an hour counts as half an hour', () => {
    expect(isOnSale(hours('02:00', '02:30'), '2026-10-03T15:45:00Z', 'Australia/Lord_Howe')).toBe(false);
    expect(isOnSale(hours('02:30', '03:00'), '2026-10-03T15:45:00Z', 'Australia/Lord_Howe')).toBe(true);
  });

  test('knows every time zone of the runtime', () => {
    expect(zones.length).toBeGreaterThan(400);
    for (const zone of zones) expect(isOnSale(hours('00:00', '24:00'), '2026-06-01T12:00:00Z', zone)).toBe(true);
  });

  test('agrees with a second implementation on 10,000 random instants in random zones', () => {
    const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map(clockText);
    const bound = fc.option(time, { freq: 5 });
    const instant = fc.integer({ min: Date.parse('1975-01-01T00:00:00Z'), max: Date.parse('2037-12-31T00:00:00Z') });

    fc.assert(
      fc.property(bound, bound, instant, fc.constantFrom(...zones), (start, end, at, zone) => {
        expect(isOnSale(hours(start, end), at, zone)).toBe(onSaleByCounting(start, end, wallClock(at, zone).minute));
      }),
      { numRuns: 10_000 },
    );
  });
});

test.each([
  ['America/Chicago', '2026-03-08', '2026-11-01'],
  ['Europe/London', '2026-03-29', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-10-03'],
  ['Africa/Casablanca', '2026-02-15', '2026-03-22'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
])('in %s both agree in every quarter of an hour around both changes of 2026', (zone, ...days) => {
  for (const start of days.map((text) => Date.parse(`${text}T00:00:00Z`) - 86_400_000)) {
    for (let at = start; at < start + 3 * 86_400_000; at += 900_000) {
      for (const [from, to] of [
        ['01:30', '02:30'],
        ['00:00', '01:00'],
        ['23:30', '00:30'],
      ] as const) {
        const { minute } = wallClock(at, zone);
        expect(isOnSale(hours(from, to), at, zone)).toBe(onSaleByCounting(from, to, minute));
      }
    }
  }
});

describe('isOpen', () => {
  const open = (business_hours: DayHours[], at: string, timezone = 'UTC') => isOpen({ timezone, business_hours }, at);

  test('includes opening and excludes closing, in the time zone of the location', () => {
    const thursday = [day('THURSDAY', '06:00', '22:00')];

    expect(open(thursday, '2026-01-15T11:59:59Z', chicago)).toBe(false);
    expect(open(thursday, '2026-01-15T12:00:00Z', chicago)).toBe(true);
    expect(open(thursday, '2026-01-16T03:59:59Z', chicago)).toBe(true);
    expect(open(thursday, '2026-01-16T04:00:00Z', chicago)).toBe(false);
  });

  test('a close that is not after the open runs into the next day, also into a closed one', () => {
    const overnight = [day('THURSDAY', '18:00', '02:00'), day('FRIDAY', '00:00', '00:00', true)];

    expect(open(overnight, '2026-01-15T17:59:00Z')).toBe(false);
    expect(open(overnight, '2026-01-15T18:00:00Z')).toBe(true);
    expect(open(overnight, '2026-01-16T01:59:59Z')).toBe(true);
    expect(open(overnight, '2026-01-16T02:00:00Z')).toBe(false);
    expect(open(overnight, '2026-01-15T01:00:00Z')).toBe(false);
  });

  test('from Saturday night into Sunday morning', () => {
    expect(open([day('SATURDAY', '22:00', '04:00')], '2026-01-18T03:00:00Z')).toBe(true);
  });

  test('00:00 to 00:00 is the whole day', () => {
    expect(open([day('THURSDAY', '00:00', '00:00')], '2026-01-15T23:59:59Z')).toBe(true);
    expect(open([day('THURSDAY', '00:00', '00:00')], '2026-01-16T00:00:00Z')).toBe(false);
  });

  test('a day may have several records', () => {
    const split = [day('THURSDAY', '06:00', '10:00'), day('THURSDAY', '16:00', '20:00')];

    expect(open(split, '2026-01-15T09:00:00Z')).toBe(true);
    expect(open(split, '2026-01-15T12:00:00Z')).toBe(false);
    expect(open(split, '2026-01-15T17:00:00Z')).toBe(true);
  });

  test('a location that does not say is neither open nor closed', () => {
    expect(isOpen({ timezone: 'UTC' }, 0)).toBeUndefined();
    expect(isOpen({ timezone: 'UTC', business_hours: [] }, 0)).toBeUndefined();
    expect(
      isOpen({ timezone: 'Mars/Olympus', business_hours: [day('THURSDAY', '06:00', '10:00')] }, 0),
    ).toBeUndefined();
    expect(open([day('THURSDAY', 'early', 'late')], '2026-01-15T09:00:00Z')).toBeUndefined();
  });

  test('a record of another day that cannot be read does not matter', () => {
    expect(open([day('MONDAY', 'early', 'late'), day('THURSDAY', '06:00', '10:00')], '2026-01-15T11:00:00Z')).toBe(
      false,
    );
  });

  test('agrees with a second implementation on 10,000 random instants in random zones', () => {
    const names = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
    const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map(clockText);
    const record = fc
      .tuple(fc.constantFrom(...names), time, time, fc.boolean())
      .map(([name, from, to, closed]) => day(name, from, to, closed));
    const instant = fc.integer({ min: Date.parse('1975-01-01T00:00:00Z'), max: Date.parse('2037-12-31T00:00:00Z') });

    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 9 }),
        instant,
        fc.constantFrom(...zones),
        (records, at, zone) => {
          expect(isOpen({ timezone: zone, business_hours: records }, at)).toBe(
            openByMinutesOfTheWeek(records, at, zone),
          );
        },
      ),
      { numRuns: 10_000 },
    );
  });

  /** Paints the week minute by minute, and looks the minute up. */
  function openByMinutesOfTheWeek(records: DayHours[], at: number, zone: string): boolean {
    const week = new Set<number>();
    const names = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
    for (const { day_of_week, open_time, close_time, is_closed } of records) {
      if (is_closed) continue;
      const from = names.indexOf(day_of_week) * 1440 + minutesOf(open_time);
      const length = (minutesOf(close_time) - minutesOf(open_time) + 1440) % 1440 || 1440;
      for (let minute = from; minute < from + length; minute += 1) week.add(minute % (7 * 1440));
    }
    const { weekday, minute } = wallClock(at, zone);
    return week.has(weekday * 1440 + minute);
  }
});

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

/** The wall clock from the zone's offset at the instant: another way than reading the formatted time. */
const offsets = new Map<string, Intl.DateTimeFormat>();
function wallClock(at: number, zone: string): { weekday: number; minute: number } {
  const format = offsets.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  offsets.set(zone, format);
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/.exec(name);
  const seconds = Number(match?.[2] ?? 0) * 3600 + Number(match?.[3] ?? 0) * 60 + Number(match?.[4] ?? 0);
  const local = new Date(at + (match?.[1] === '-' ? -seconds : seconds) * 1000);
  return { weekday: local.getUTCDay(), minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

/** Walks from the start, minute by minute round the clock, until the end; the minute is met on the way or it is not. */
function onSaleByCounting(start: string | null, end: string | null, minute: number): boolean {
  if (start === null && end === null) return true;
  const from = start === null ? 0 : minutesOf(start);
  const to = end === null ? 0 : minutesOf(end);
  let walked = from;
  do {
    if (walked === minute) return true;
    walked = (walked + 1) % 1440;
  } while (walked !== to);
  return false;
}
