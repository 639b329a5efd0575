import { beforeEach, describe, expect, test, vi } from 'vitest';
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

// By hand, with every row of the suite in each run, and all pairs (an hour): CERTIFY=whole npx vitest run test/certify/every-gap.test.ts
const isWhole = process.env.CERTIFY === 'whole';
const PAIRS_DRAWN = 40;

describe('Against a service with one gap turned, certify finds exactly that one, and the demonstration runs with its profile', () => {
  test.each(TURNED)('%s: %s', { timeout: 300_000 }, async (row, reading) => {
    const certificate = await certifyMock({ [row]: reading }, { rows: isWhole });
    expect(certificate.turned).toEqual({ [row]: reading });
    expect(troubles(certificate)).toEqual([]);
    await expectDemo({ [row]: reading }, certificate.profile);
  });
});

describe('Against a service with two gaps turned, certify finds exactly those', () => {
  test.each(isWhole ? allPairs() : drawnPairs(PAIRS_DRAWN))('%j', async (choices) => {
    const certificate = await certifyMock(choices, { rows: false });
    expect(certificate.turned).toEqual(choices);
    expect(troubles(certificate)).toEqual([]);
    if (isWhole) await expectDemo(choices, certificate.profile);
  });
});

function allPairs(): Record<string, string>[] {
  return TURNED.flatMap((one, index) =>
    TURNED.slice(index + 1)
      .filter((other) => other[0] !== one[0])
      .map((other) => Object.fromEntries([one, other])),
  );
}

/** Pairs of different rows, the same in every run; CERTIFY_PAIRS draws others. */
function drawnPairs(count: number): Record<string, string>[] {
  let state = Number(process.env.CERTIFY_PAIRS ?? 20_261_122);
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
  const pairs: Record<string, string>[] = [];
  while (pairs.length < count) {
    const [one, other] = [TURNED[below(TURNED.length)]!, TURNED[below(TURNED.length)]!];
    if (one[0] !== other[0]) pairs.push(Object.fromEntries([one, other]));
  }
  return pairs;
}
