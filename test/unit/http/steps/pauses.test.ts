import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pauses } from '../../../../src/http/steps/pauses.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const at = (locationId: string, endpoint = 'GET /a') => ({ endpoint, locationId });
const create = () => {
  const clock = new VirtualClock(0);
  return { clock, pauses: new Pauses(clock) };
};
const FREE = Number.NEGATIVE_INFINITY;

test('a pause holds for its endpoint at its location, and nothing else', () => {
  const { pauses } = create();
  pauses.refuse(at('1'), 100);

  expect(pauses.pausedUntil(at('1'))).toBe(100);
  expect(pauses.pausedUntil(at('1', 'GET /b'))).toBe(FREE);
  expect(pauses.pausedUntil(at('2'))).toBe(FREE);
});

test('an earlier pause that lasts longer stays', () => {
  const { pauses } = create();

  expect(pauses.refuse(at('1'), 100)).toEqual(['GET /a@1']);
  expect(pauses.refuse(at('1'), 50)).toEqual([]);
  expect(pauses.pausedUntil(at('1'))).toBe(100);
  expect(pauses.refuse(at('1'), 150)).toEqual(['GET /a@1']);
});

describe('two refusals that coincide pause what they have in common', () => {
  test.each([
    ['the location', at('1', 'a'), at('1', 'b'), '*@1'],
    ['the endpoint', at('1', 'a'), at('2', 'a'), 'a@*'],
    ['the whole key', at('1', 'a'), at('2', 'b'), '*@*'],
    ['the whole key, where there is no location', at('', 'a'), at('', 'b'), '*@*'],
  ])('%s', (_name, one, other, width) => {
    const { pauses } = create();
    pauses.refuse(one, 100);

    expect(pauses.refuse(other, 200)).toContain(width);
  });

  test('until the earlier of the two is over', async () => {
    const { clock, pauses } = create();
    pauses.refuse(at('1', 'a'), 100);
    pauses.refuse(at('1', 'b'), 200);

    expect(pauses.pausedUntil(at('1', 'z'))).toBe(100);
    expect(pauses.pausedUntil(at('2', 'z'))).toBe(FREE);
    await clock.advance(100);
    expect(pauses.pausedUntil(at('1', 'z'))).toBe(FREE);
    expect(pauses.pausedUntil(at('1', 'b'))).toBe(200);
  });

  test('and the token endpoint, which has a limit of its own, is none of them', () => {
    const { pauses } = create();
    pauses.refuse(at('', 'POST /auth/token'), 100);

    expect(pauses.refuse(at('', 'a'), 100)).toEqual(['a@']);
  });
});

test('two refusals that neither come nor end together have nothing in common', async () => {
  const { clock, pauses } = create();
  pauses.refuse(at('1', 'a'), 60_000);
  await clock.advance(2001);

  expect(pauses.refuse(at('2', 'b'), 30_000)).toEqual(['b@2']);
});

test('two refusals that end together do, however far apart they came', async () => {
  const { clock, pauses } = create();
  pauses.refuse(at('1', 'a'), 60_000);
  await clock.advance(20_000);

  expect(pauses.refuse(at('2', 'b'), 61_000)).toContain('*@*');
});

test('a limit that let a later request pass was not the one that was hit', async () => {
  const { clock, pauses } = create();
  pauses.refuse(at('1', 'a'), 60_000);
  await clock.advance(10);
  pauses.accept(at('2', 'z'), 10);

  expect(pauses.refuse(at('2', 'b'), 60_000)).toEqual(['b@2']);
  expect(pauses.refuse(at('1', 'c'), 60_000)).toContain('*@1');
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
      for (const { until, ...scope } of seen) pauses.refuse(scope, until);
      expect(pauses.pausedUntil(at('9', 'z'))).toBeLessThanOrEqual(Math.max(0, ...seen.map(({ until }) => until)));
    }),
  );
});

test('a pause that is over is forgotten, also where nobody asks for its scope again', async () => {
  const { clock, pauses } = create();
  pauses.refuse(at('1'), 100);
  expect(pauses.isEmpty).toBe(false);
  await clock.advance(1100);
  pauses.pausedUntil(at('2'));

  expect(pauses.isEmpty).toBe(true);
});
