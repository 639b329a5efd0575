import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GapRow } from '../../src/profile/gaps.js';
import { certifyMock, expectDemo, isWhole, TURNED, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

const PAIRS_DRAWN = 12;

describe('Against a service with two gaps turned, or several, certify finds exactly those', () => {
  test.each(isWhole ? everyPair() : drawnPairs(PAIRS_DRAWN))('%j', { timeout: 120_000 }, async (choices) => {
    const certificate = await certifyMock(choices, { rows: false });
    expect(certificate.turned).toEqual(choices);
    expect(troubles(certificate)).toEqual([]);
    if (isWhole) await expectDemo(choices, certificate.profile);
  });
});

type Turned = readonly [GapRow, string];

const nameOf = ([row, reading]: Turned): string => `${row}: ${reading}`;
const pairOf = (one: Turned, other: Turned): string => [nameOf(one), nameOf(other)].sort().join(', ');

/** Services in which every pair of readings meets at least once: each has eight turned, so that two hundred are enough. */
function everyPair(): Record<string, string>[] {
  const open = new Set(
    TURNED.flatMap((one) => TURNED.filter(([row]) => row !== one[0]).map((other) => pairOf(one, other))),
  );
  const services: Record<string, string>[] = [];
  while (open.size > 0) {
    const turned: Turned[] = [];
    while (turned.length < 8) turned.push(meetingMost(turned, open));
    for (const one of turned) for (const other of turned) open.delete(pairOf(one, other));
    services.push(Object.fromEntries(turned));
  }
  return services;
}

/** The reading that brings the most pairs that have not met; at first the one with the most of them left. */
function meetingMost(turned: readonly Turned[], open: ReadonlySet<string>): Turned {
  const rows = turned.map(([row]) => row);
  const company = turned.length === 0 ? TURNED : turned;
  const brings = (one: Turned): number => company.filter((other) => open.has(pairOf(one, other))).length;
  const free = TURNED.filter(([row]) => !rows.includes(row)).map((one) => ({ one, brought: brings(one) }));
  return free.reduce((best, next) => (next.brought > best.brought ? next : best)).one;
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
