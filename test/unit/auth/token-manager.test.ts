import { describe, expect, test } from 'vitest';
import type { AccessToken } from '../../../src/auth/access-token.js';
import { isDueForRenewal, isUsable, readAccessToken } from '../../../src/auth/access-token.js';
import { TokenManager, type Urgency } from '../../../src/auth/token-manager.js';
import { Observer } from '../../../src/http/events/observer.js';
import { rejection } from '../../support/scripted-service.js';
import { settle, VirtualClock } from '../../support/virtual-clock.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A manager whose token requests the test answers by hand. */
function create() {
  const clock = new VirtualClock(0);
  const asked: { urgency: Urgency; give(value: string): void; fail(): void }[] = [];
  const tokens = new TokenManager({
    request: (urgency) =>
      new Promise<AccessToken>((resolve, reject) => {
        asked.push({
          urgency,
          give: (value) => resolve({ value, expiresAt: clock.now() + DAY }),
          fail: () => reject(new Error('the token endpoint failed')),
        });
      }),
    shared: undefined,
    clock,
    random: () => 0,
    observer: new Observer([]),
  });
  return { clock, asked, tokens };
}

/** A manager with the token `t1`, obtained at 0, and the clock at the instant of renewal. */
async function dueForRenewal() {
  const parts = create();
  const first = parts.tokens.current();
  await settle();
  parts.asked[0]?.give('t1');
  await first;
  await parts.clock.advance(23 * HOUR);
  return parts;
}

test('all callers wait for one request', async () => {
  const { asked, tokens } = create();
  const all = Promise.all([tokens.current(), tokens.current(), tokens.current()]);
  await settle();
  asked[0]?.give('t1');

  expect(await all).toEqual(['t1', 't1', 't1']);
  expect(asked).toHaveLength(1);
  expect(tokens.current()).toBe('t1');
});

test('a failed request fails all that wait for it, and the next caller asks again', async () => {
  const { asked, tokens } = create();
  const all = [rejection(Promise.resolve(tokens.current())), rejection(Promise.resolve(tokens.current()))];
  await settle();
  asked[0]?.fail();
  expect((await Promise.all(all)).map(({ message }) => message)).toEqual(Array(2).fill('the token endpoint failed'));

  const next = tokens.current();
  await settle();
  asked[1]?.give('t2');

  expect(await next).toBe('t2');
});

describe('a refused token', () => {
  test('is replaced once, however late the refusals arrive', async () => {
    const { asked, tokens } = await dueForRenewal();
    const first = tokens.replace('t1');
    await settle();
    asked[1]?.give('t2');
    expect(await first).toBe('t2');

    expect(await tokens.replace('t1')).toBe('t2');
    expect(tokens.current()).toBe('t2');
    expect(asked).toHaveLength(2);
  });

  test('takes no newer token away', async () => {
    const { tokens } = await dueForRenewal();
    tokens.discard('an older one');

    expect(tokens.current()).toBe('t1');
  });
});

describe('early renewal', () => {
  test('serves the old token meanwhile, and is asked for once, in the background', async () => {
    const { asked, tokens } = await dueForRenewal();

    for (let call = 0; call < 20; call += 1) expect(tokens.current()).toBe('t1');
    await settle();
    expect(asked.map(({ urgency }) => urgency)).toEqual(['needed', 'background']);
    asked[1]?.give('t2');
    await settle();

    expect(tokens.current()).toBe('t2');
  });

  test('that a caller comes to need is waited for, and asked again in earnest when it fails', async () => {
    const { asked, tokens } = await dueForRenewal();
    tokens.current();
    const needed = tokens.replace('t1');
    await settle();
    expect(asked).toHaveLength(2);
    asked[1]?.fail();
    await settle();

    expect(asked.map(({ urgency }) => urgency)).toEqual(['needed', 'background', 'needed']);
    asked[2]?.give('t2');
    expect(await needed).toBe('t2');
  });

  test('that fails backs off, longer each time', async () => {
    const { clock, asked, tokens } = await dueForRenewal();
    const failures: number[] = [];
    for (let second = 0; second < 120; second += 1) {
      tokens.current();
      await settle();
      if (asked.length > failures.length + 1) {
        failures.push(second);
        asked.at(-1)?.fail();
        await settle();
      }
      await clock.advance(1000);
    }

    expect(failures).toEqual([0, 5, 15, 35, 75]);
  });
});

test.each([
  [
    { access_token: 'a', expires_in: 60 },
    { value: 'a', expiresAt: 60_000 },
  ],
  [{ access_token: 'a' }, { value: 'a', expiresAt: DAY }],
  [
    { access_token: 'a', expires_in: 0 },
    { value: 'a', expiresAt: DAY },
  ],
  [
    { access_token: 'a', expires_in: '60' },
    { value: 'a', expiresAt: DAY },
  ],
  [{ access_token: '' }, undefined],
  [{ access_token: 'a b' }, undefined],
  [{ access_token: 'a\n' }, undefined],
  [{ access_token: 'ü' }, undefined],
  [{ token: 'a' }, undefined],
  [null, undefined],
  [undefined, undefined],
  ['a', undefined],
])('the answer %j holds the token %j', (data, token) => {
  expect(readAccessToken(data, 0)).toEqual(token);
});

test('a token is usable until the instant of its expiry, and due an hour before', () => {
  const token = { value: 'a', expiresAt: DAY };

  expect([isUsable(token, DAY - 1), isUsable(token, DAY), isUsable(undefined, 0)]).toEqual([true, false, false]);
  expect([isDueForRenewal(token, 0, 23 * HOUR - 1), isDueForRenewal(token, 0, 23 * HOUR)]).toEqual([false, true]);
});
