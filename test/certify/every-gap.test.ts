import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Choices } from '../../src/profile/profile.js';
import { certifyMock, expectDemo, isWhole, TURNED, troubles } from './support.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

const GROUPS = 15;
const inTurn = groupsBy((index) => index);
const shifted = groupsBy((index) => index + Math.floor(index / GROUPS));
const alone = TURNED.map(([row, reading]) => ({ [row]: reading }));

describe('Against a service with gaps turned, certify finds exactly those, and the demonstration runs with their profile', () => {
  // Alone with all rows of the suite by hand; else several at once, of different parts of the interface.
  test.each(isWhole ? alone : inTurn)('%j', { timeout: 300_000 }, async (choices) => {
    const certificate = await certifyMock(choices, { rows: isWhole });
    expectExactly(choices, certificate);
    await expectDemo(choices, certificate.profile);
  });

  test.each(shifted)('in other company: %j', async (choices) => {
    expectExactly(choices, await certifyMock(choices, { rows: false }));
  });
});

test('every reading is turned in two groups that have nothing else in common, so that what it does to another row shows', () => {
  for (const [row, reading] of TURNED) {
    const company = [...inTurn, ...shifted].filter((choices) => choices[row] === reading).flatMap(Object.entries);
    const names = company.map(([other, its]) => `${other}: ${its}`).filter((name) => name !== `${row}: ${reading}`);
    expect(company.length - names.length).toBe(2);
    expect(new Set(names).size, names.join(', ')).toBe(names.length);
  }
});

function expectExactly(choices: Choices, certificate: Awaited<ReturnType<typeof certifyMock>>): void {
  expect(certificate.turned).toEqual(choices);
  expect(troubles(certificate)).toEqual([]);
}

function groupsBy(placeOf: (index: number) => number): Record<string, string>[] {
  return Array.from({ length: GROUPS }, (_, group) =>
    Object.fromEntries(TURNED.filter((_reading, index) => placeOf(index) % GROUPS === group)),
  );
}
