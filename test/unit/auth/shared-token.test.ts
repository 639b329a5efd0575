import { describe, expect, test } from 'vitest';
import type { AccessToken } from '../../../src/auth/access-token.js';
import { SharedToken } from '../../../src/auth/shared-token.js';
import { newUuid } from '../../../src/platform/uuid.js';
import { memoryStore } from '../../../src/stores/memory.js';
import type { Store } from '../../../src/stores/store.js';
import { StoreHealth } from '../../../src/stores/store-health.js';
import { rejection } from '../../support/rejection.js';
import { settle, VirtualClock } from '../../support/virtual-clock.js';

const KEY = 'token';

function create() {
  const clock = new VirtualClock(0);
  const store = memoryStore({ clock });
  const failures: string[] = [];
  const health = new StoreHealth(clock, ({ operation }) => failures.push(operation));
  const process = (over: Partial<Store> = {}) =>
    new SharedToken({
      store: { ...store, ...over },
      key: KEY,
      clock,
      random: () => 0,
      health,
      newId: newUuid,
    });
  const token = (value: string): AccessToken => ({ value, lifeMs: 1000_000 });
  return { clock, store, process, token, failures };
}

test('a token of one process is that of the others', async () => {
  const { process, token } = create();
  const obtained = await process().obtain(undefined, async () => token('t1'));

  const taken = await process().obtain(undefined, () => Promise.reject(new Error('not asked')));

  expect(taken.token).toEqual(obtained.token);
});

test('while one process asks, the others wait for what it gets', async () => {
  const { clock, process, token } = create();
  let give = (_value: AccessToken): void => {};
  const held = new Promise<AccessToken>((resolve) => {
    give = resolve;
  });
  const first = process().obtain(undefined, () => held);
  await settle();
  let asked = 0;
  const others = Array.from({ length: 9 }, () =>
    process().obtain(undefined, async () => {
      asked += 1;
      return token('own');
    }),
  );

  await clock.advance(5000);
  give(token('t1'));
  await clock.advance(500);

  expect((await Promise.all([first, ...others])).map(({ token }) => token.value)).toEqual(Array(10).fill('t1'));
  expect(asked).toBe(0);
});

test('a process that fails to get one lets the next one try', async () => {
  const { process, token, store } = create();

  expect((await rejection(process().obtain(undefined, () => Promise.reject(new Error('down'))))).message).toBe('down');
  await settle();
  expect((await process().obtain(undefined, async () => token('t2'))).token.value).toBe('t2');
  await settle();
  expect(await store.get(`${KEY}:lease`)).toBeUndefined();
});

test('a process that dies with the lease keeps the others waiting for 12 seconds, and no longer', async () => {
  const { clock, process, token, store } = create();
  // Its writes are lost from then on, as those of a process that ended.
  let isDead = false;
  const compareAndSet: Store['compareAndSet'] = (...given) =>
    isDead ? new Promise(() => {}) : store.compareAndSet(...given);
  void process({ compareAndSet }).obtain(undefined, () => new Promise(() => {}));
  await settle();
  isDead = true;
  let got: string | undefined;
  void process()
    .obtain(undefined, async () => token('t2'))
    .then(({ token }) => {
      got = token.value;
    });

  await clock.advance(11_000);
  expect(got).toBeUndefined();
  await clock.advance(2000);
  expect(got).toBe('t2');
});

test('a token that was refused is replaced, though the store still holds it', async () => {
  const { process, token } = create();
  await process().obtain(undefined, async () => token('t1'));
  await settle();

  expect((await process().obtain('t1', async () => token('t2'))).token.value).toBe('t2');
  expect((await process().obtain('t1', async () => token('t3'))).token.value).toBe('t2');
});

test('a token that has expired is not taken', async () => {
  const { clock, process, token } = create();
  await process().obtain(undefined, async () => token('t1'));
  await clock.advance(1000_001);

  expect((await process().obtain(undefined, async () => token('t2'))).token.value).toBe('t2');
});

test.each(['', 'text', 'null', '[]', '{"value":7}', '{"value":"t","lifeMs":"long"}'])(
  'what is no token in the store is not taken: %j',
  async (text) => {
    const { process, store, token } = create();
    await store.set(KEY, text);

    expect((await process().obtain(undefined, async () => token('t1'))).token.value).toBe('t1');
  },
);

describe('a store that fails', () => {
  const down = () => Promise.reject(new Error('store is down'));

  test.each([
    ['get', ['read token']],
    ['set', ['write token']],
    ['setIfAbsent', ['lease token']],
    ['compareAndDelete', ['release token lease']],
  ] as const)('at %s costs a token request at most, and is told', async (operation, told) => {
    const { process, token, failures } = create();

    const obtained = await process({ [operation]: down }).obtain(undefined, async () => token('t1'));
    await settle();

    expect(obtained.token.value).toBe('t1');
    expect(failures).toEqual(told);
  });
});

test('a process has its token once the store has it, and ends once its lease is given back', async () => {
  const { store, process, token } = create();
  const steps: (() => void)[] = [];
  const slowly = (): Promise<void> => new Promise((resolve) => steps.push(resolve));
  const slow = process({
    set: (...given) => slowly().then(() => store.set(...given)),
    compareAndDelete: (...given) => slowly().then(() => store.compareAndDelete(...given)),
  });
  let isObtained = false;
  let isIdle = false;
  void slow
    .obtain(undefined, async () => token('t1'))
    .then(() => {
      isObtained = true;
      void slow.whenIdle().then(() => {
        isIdle = true;
      });
    });

  for (let writes = 0; writes < 2; writes += 1) {
    await settle();
    expect(isObtained).toBe(false);
    steps.shift()?.();
  }
  await settle();
  expect([isObtained, isIdle]).toEqual([true, false]);
  expect((await process().look())?.token.value).toBe('t1');
  steps.shift()?.();
  await settle();

  expect(isIdle).toBe(true);
  expect(await store.get(`${KEY}:lease`)).toBeUndefined();
});
