import { describe, expect, test } from 'vitest';
import type { AccessToken } from '../../../src/auth/access-token.js';
import { holdToken, isDueForRenewal, isUsable, readAccessToken } from '../../../src/auth/access-token.js';
import { TokenManager, type Urgency } from '../../../src/auth/token-manager.js';
import { Observer } from '../../../src/http/events/observer.js';
import { operationOf } from '../../../src/http/exchange/operation.js';
import { rejection } from '../../support/rejection.js';
import { settle, VirtualClock } from '../../support/virtual-clock.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const OPERATION = operationOf('GET', '/locations');
const SETTINGS = {
  signal: undefined,
  timeout: 30_000,
  deadlineAt: Number.POSITIVE_INFINITY,
  maxWait: 300_000,
  maxRetries: 3,
};
const call = () => ({ operation: OPERATION, settings: SETTINGS });
const use = (token: string) => ({ token, operation: OPERATION, sentAt: 0 });

/** A manager whose token requests the test answers by hand. */
function create() {
  const clock = new VirtualClock(0);
  const asked: { urgency: Urgency; give(value: string): void; fail(): void }[] = [];
  const tokens = new TokenManager({
    request: (urgency) =>
      new Promise<AccessToken>((resolve, reject) => {
        asked.push({
          urgency,
          give: (value) => resolve({ value, lifeMs: DAY }),
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
  const first = parts.tokens.forCall(call());
  await settle();
  parts.asked[0]?.give('t1');
  await first;
  await parts.clock.advance(23 * HOUR);
  return parts;
}

test('all callers wait for one request', async () => {
  const { asked, tokens } = create();
  const all = Promise.all([tokens.forCall(call()), tokens.forCall(call()), tokens.forCall(call())]);
  await settle();
  asked[0]?.give('t1');

  expect(await all).toEqual(['t1', 't1', 't1']);
  expect(asked).toHaveLength(1);
  expect(tokens.forCall(call())).toBe('t1');
});

test('a failed request fails all that wait for it, and the next caller asks again', async () => {
  const { asked, tokens } = create();
  const all = [rejection(Promise.resolve(tokens.forCall(call()))), rejection(Promise.resolve(tokens.forCall(call())))];
  await settle();
  asked[0]?.fail();
  expect((await Promise.all(all)).map(({ message }) => message)).toEqual(Array(2).fill('the token endpoint failed'));

  const next = tokens.forCall(call());
  await settle();
  asked[1]?.give('t2');

  expect(await next).toBe('t2');
});

describe('a refused token', () => {
  test('is replaced once, however late the refusals arrive', async () => {
    const { asked, tokens } = await dueForRenewal();
    expect(tokens.refused(use('t1'))).toBe(true);
    const first = tokens.replacementFor(call(), 't1');
    await settle();
    asked[1]?.give('t2');
    expect(await first).toBe('t2');

    expect(await tokens.replacementFor(call(), 't1')).toBe('t2');
    expect(tokens.forCall(call())).toBe('t2');
    expect(asked).toHaveLength(2);
  });

  test('takes no newer token away', async () => {
    const { tokens } = await dueForRenewal();
    expect(tokens.refused(use('an older one'))).toBe(true);

    expect(tokens.forCall(call())).toBe('t1');
  });
});

describe('early renewal', () => {
  test('serves the old token meanwhile, and is asked for once, in the background', async () => {
    const { asked, tokens } = await dueForRenewal();

    for (let round = 0; round < 20; round += 1) expect(tokens.forCall(call())).toBe('t1');
    await settle();
    expect(asked.map(({ urgency }) => urgency)).toEqual(['needed', 'background']);
    asked[1]?.give('t2');
    await settle();

    expect(tokens.forCall(call())).toBe('t2');
  });

  test('that a caller comes to need is waited for, and asked again in earnest when it fails', async () => {
    const { asked, tokens } = await dueForRenewal();
    tokens.forCall(call());
    const needed = tokens.replacementFor(call(), 't1');
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
      tokens.forCall(call());
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
    { value: 'a', lifeMs: 60_000 },
  ],
  [{ access_token: 'a' }, { value: 'a', lifeMs: DAY }],
  [
    { access_token: 'a', expires_in: 0 },
    { value: 'a', lifeMs: DAY },
  ],
  [
    { access_token: 'a', expires_in: '60' },
    { value: 'a', lifeMs: DAY },
  ],
  [{ access_token: '' }, undefined],
  [{ access_token: 'a b' }, undefined],
  [{ access_token: 'a\n' }, undefined],
  [{ access_token: 'ü' }, undefined],
  [{ token: 'a' }, undefined],
  [null, undefined],
  [undefined, undefined],
  ['a', undefined],
])('the response %j holds the token %j', (data, token) => {
  expect(readAccessToken(data)).toEqual(token);
});

test('a token is usable until its life is over, and due an hour before, on whichever clock that comes first', () => {
  const held = holdToken({ value: 'a', lifeMs: DAY }, { monotonic: 0, wall: 1_000_000 });
  const due = (monotonic: number, wall: number) => isDueForRenewal(held, { monotonic, wall });

  expect([isUsable(held, DAY - 1), isUsable(held, DAY), isUsable(undefined, 0)]).toEqual([true, false, false]);
  expect([due(23 * HOUR - 1, 0), due(23 * HOUR, 0)]).toEqual([false, true]);
  expect([due(0, 1_000_000 + 23 * HOUR - 1), due(0, 1_000_000 + 23 * HOUR)]).toEqual([false, true]);
});
