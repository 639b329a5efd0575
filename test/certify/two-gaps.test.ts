import { beforeEach, describe, expect, test, vi } from 'vitest';
import { certifyMock, expectDemo, isWhole, TURNED, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

const PAIRS_DRAWN = 40;

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
