import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../../../../src/http/response/retry-after.js';

const NOW = Date.UTC(2026, 0, 31, 10, 0, 0);
const read = (value: string, date?: string) =>
  retryAfterSeconds({ 'retry-after': value, ...(date === undefined ? {} : { date }) }, NOW);

test.each([
  ['0', 0],
  ['61', 61],
  [' 7 ', 7],
  ['007', 7],
  ['99999999999', 99_999_999_999],
])('%j is %i seconds', (value, seconds) => {
  expect(read(value)).toBe(seconds);
});

test.each([
  ['61, 61', 61],
  ['5, 61', 61],
  ['61,5 , 7', 61],
])('a header given several times, %j, holds with its longest wait of %i seconds', (value, seconds) => {
  expect(read(value)).toBe(seconds);
});

test.each(['Sat, 31 Jan 2026 10:01:00 GMT', 'Saturday, 31-Jan-26 10:01:00 GMT', 'Sat Jan 31 10:01:00 2026'])(
  'the HTTP date %j is a minute from now',
  (value) => {
    expect(read(value)).toBe(60);
  },
);

test('a date counts from the response’s own Date, whatever this clock says', () => {
  expect(read('Mon, 01 Jan 2001 00:00:30 GMT', 'Mon, 01 Jan 2001 00:00:00 GMT')).toBe(30);
});

test('a date counts from this clock when the response’s Date is none', () => {
  expect(read('Sat, 31 Jan 2026 10:01:00 GMT', 'yesterday')).toBe(60);
});

test('a date in the past is no wait', () => {
  expect(read('Fri, 30 Jan 2026 10:00:00 GMT')).toBe(0);
});

test.each([
  '',
  '-5',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  'soon',
  'Please wait 30',
  'Jan 5',
  '5 seconds',
  '5,',
  '5, soon',
  '5 5',
  '2026-01-31T10:01:00Z',
  'Sat, 99 Jan 2026 10:01:00 GMT',
])('%j counts as absent', (value) => {
  expect(read(value)).toBeUndefined();
});

test('without the header there is nothing', () => {
  expect(retryAfterSeconds({}, NOW)).toBeUndefined();
});
