import { expect, test } from 'vitest';
import { isOnSale } from '../../../src/menus/index.js';
import { isOnSale as isOnSaleInMock } from '../../../src/mock/rules/sale-window.js';

const AT = Date.parse('2026-05-01T03:00:00Z');

test.each([
  ['06:00:00', null],
  ['06:00', '25:00'],
  ['25:00', '06:00'],
  ['06:00', ''],
  ['', '02:00'],
  ['06:75', '08:00'],
  ['6 am', '8 pm'],
  [' 06:00', '08:00'],
])('hours from %j to %j are not HH:MM and restrict nothing, in the checks as in the mock', (start, end) => {
  const item = { daily_sales_start_time: start, daily_sales_end_time: end };

  expect([isOnSale(item, AT, 'UTC'), isOnSaleInMock(item, 'UTC', AT)]).toEqual([true, true]);
});

test.each([
  ['06:00', '24:00'],
  ['6:00', null],
  [null, '02:00'],
])('hours from %j to %j restrict in both', (start, end) => {
  const item = { daily_sales_start_time: start, daily_sales_end_time: end };

  expect([isOnSale(item, AT, 'UTC'), isOnSaleInMock(item, 'UTC', AT)]).toEqual([false, false]);
});
