import { beforeEach, describe, expect, test, vi } from 'vitest';
import { GAP_ROWS, GAPS } from '../../src/profile/gaps.js';
import { demoOrder } from '../profile/demo-order.js';
import { certifyMock, TURNED, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

/** The demonstration runs at that service, by a client that knows what was written. */
async function expectDemo(choices: Record<string, string>, profile: Parameters<typeof demoOrder>[0]): Promise<void> {
  const order = await demoOrder({ format: 1, choices }, profile);
  expect(order.charged).toBe(order.orderTotal);
  expect(order.refunded).toBeGreaterThan(0);
  expect(order.verified).toBeGreaterThan(3);
  expect(order.refused).toBe(0);
}

test('against the mock service every row holds that can be tried, and every gap is decided as this package chose', async () => {
  const certificate = await certifyMock();
  expect(troubles(certificate)).toEqual([]);
  expect(certificate.turned).toEqual({});
  const { checks } = certificate.report;
  expect(checks.filter(({ outcome }) => outcome === 'holds').length).toBeGreaterThan(50);
  expect(
    checks.filter(({ outcome, requestIds }) => outcome === 'holds' && requestIds.length === 0).map(({ row }) => row),
  ).toEqual([]);
});

describe('Against a service with one gap turned, certify finds exactly that one, and the demonstration runs with its profile', () => {
  test.each(TURNED)('%s: %s', async (row, reading) => {
    const certificate = await certifyMock({ [row]: reading });
    expect(certificate.turned).toEqual({ [row]: reading });
    expect(troubles(certificate)).toEqual([]);
    await expectDemo({ [row]: reading }, certificate.profile);
  });
});

describe('Against a service with two gaps turned, certify finds exactly those', () => {
  test.each(drawnPairs(16))('%j', async (choices) => {
    const certificate = await certifyMock(choices);
    expect(certificate.turned).toEqual(choices);
    expect(troubles(certificate)).toEqual([]);
    await expectDemo(choices, certificate.profile);
  });
});

test('against a service with every gap turned, certify finds them all', async () => {
  const choices = Object.fromEntries(GAP_ROWS.map((row) => [row, GAPS[row].at(-1)!]));
  const certificate = await certifyMock(choices);
  expect(certificate.turned).toEqual(choices);
  expect(troubles(certificate)).toEqual([]);
  await expectDemo(choices, certificate.profile);
});

/** Pairs of different rows, the same in every run; CERTIFY_PAIRS draws others. */
function drawnPairs(count: number): Record<string, string>[] {
  let state = Number(process.env.CERTIFY_PAIRS ?? 20_261_122);
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
  return Array.from({ length: count }, () => {
    const [one, other] = [TURNED[below(TURNED.length)]!, TURNED[below(TURNED.length)]!];
    return Object.fromEntries([one, other]);
  });
}
