import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pauses } from '../../../../src/http/steps/pauses.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const at = (locationId: string, endpoint = 'GET /a') => ({ endpoint, locationId });
const create = () => {
  const clock = new VirtualClock(0);
  return { clock, pauses: new Pauses(clock) };
};

test('a pause holds for its endpoint at its location, and nothing else', () => {
  const { pauses } = create();
  pauses.pause(at('1'), 100);

  expect(pauses.pausedUntil(at('1'))).toBe(100);
  expect(pauses.pausedUntil(at('1', 'GET /b'))).toBe(0);
  expect(pauses.pausedUntil(at('2'))).toBe(0);
});

test('an earlier pause that lasts longer stays', () => {
  const { pauses } = create();

  expect(pauses.pause(at('1'), 100)).toBe(true);
  expect(pauses.pause(at('1'), 50)).toBe(false);
  expect(pauses.pausedUntil(at('1'))).toBe(100);
  expect(pauses.pause(at('1'), 150)).toBe(true);
});

describe('three paused endpoints of a location', () => {
  test('pause the location until fewer than three are left', async () => {
    const { clock, pauses } = create();
    pauses.pause(at('1', 'a'), 100);
    pauses.pause(at('1', 'b'), 200);
    expect(pauses.pausedUntil(at('1', 'z'))).toBe(0);
    pauses.pause(at('1', 'c'), 300);

    expect(pauses.pausedUntil(at('1', 'z'))).toBe(100);
    expect(pauses.pausedUntil(at('2', 'z'))).toBe(0);
    await clock.advance(100);
    expect(pauses.pausedUntil(at('1', 'z'))).toBe(0);
  });

  test('of two locations pause the partner', () => {
    const { pauses } = create();
    for (const endpoint of ['a', 'b', 'c']) {
      pauses.pause(at('1', endpoint), 100);
      pauses.pause(at('2', endpoint), 200);
    }

    expect(pauses.pausedUntil(at('', 'z'))).toBe(100);
  });
});

test('no wider pause lasts longer than those that were seen', () => {
  const pause = fc.record({
    endpoint: fc.constantFrom('a', 'b', 'c', 'd'),
    locationId: fc.constantFrom('1', '2', '3'),
    until: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(fc.array(pause, { maxLength: 20 }), (seen) => {
      const { pauses } = create();
      for (const { until, ...scope } of seen) pauses.pause(scope, until);
      expect(pauses.pausedUntil(at('9', 'z'))).toBeLessThanOrEqual(Math.max(0, ...seen.map(({ until }) => until)));
    }),
  );
});

test('a pause that is over is let go, and forgotten after a minute', async () => {
  const { clock, pauses } = create();
  pauses.pause(at('1'), 100);
  pauses.release(at('1'));
  expect(pauses.isEmpty).toBe(false);

  await clock.advance(100);
  expect(pauses.active()).toEqual([]);
  pauses.release(at('1'));
  expect(pauses.isEmpty).toBe(true);

  pauses.pause(at('1'), 200);
  await clock.advance(60_101);
  expect(pauses.pausedUntil(at('2'))).toBe(0);
  expect(pauses.isEmpty).toBe(true);
});
