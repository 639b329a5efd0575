import { beforeEach, expect, test, vi } from 'vitest';
import { GAP_ROWS, GAPS } from '../../src/profile/gaps.js';
import { demoOrder } from '../profile/demo-order.js';
import { certifyMock, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

test('against the mock service every row holds that can be tried, and every gap is decided as this package chose', async () => {
  const certificate = await certifyMock();
  expect(troubles(certificate)).toEqual([]);
  expect(certificate.turned).toEqual({});
  const { checks } = certificate.report;
  const held = checks.filter(({ outcome }) => outcome === 'holds');
  expect(held.length).toBeGreaterThan(980);
  expect(checks.filter(({ outcome, note }) => outcome === 'not_tried' && note === '')).toEqual([]);
  const without = held.filter(({ requestIds }) => requestIds.length === 0).map(({ row }) => row);
  expect(without).toEqual([]);
});

test('against a service with every gap turned, certify finds them all, and no row differs that the gaps do not explain', async () => {
  const choices = Object.fromEntries(GAP_ROWS.map((row) => [row, GAPS[row].at(-1)!]));
  const certificate = await certifyMock(choices);
  expect(certificate.turned).toEqual(choices);
  expect(troubles(certificate)).toEqual([]);
  const held = certificate.report.checks.filter(({ outcome }) => outcome === 'holds');
  expect(held.length).toBeGreaterThan(700);
  const order = await demoOrder({ format: 1, choices }, certificate.profile);
  expect(order.charged).toBe(order.orderTotal);
});
