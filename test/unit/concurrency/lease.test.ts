import { describe, expect, test } from 'vitest';
import { takeLease } from '../../../src/concurrency/lease.js';
import { memoryStore } from '../../../src/stores/memory.js';
import type { Store } from '../../../src/stores/store.js';
import { rejection } from '../../support/rejection.js';
import { settle, VirtualClock } from '../../support/virtual-clock.js';

function create() {
  const clock = new VirtualClock();
  const store = memoryStore({ clock });
  const take = (holder: string, over: Partial<Store> = {}, longestMs?: number) =>
    takeLease({ store: { ...store, ...over }, clock, key: 'k', holder, ttlMs: 12_000, longestMs });
  return { clock, store, take };
}

test('one holder has the lease at a time, and the next one after its release', async () => {
  const { take } = create();
  const first = await take('a');
  expect(await take('b')).toBeUndefined();
  await first?.release();

  expect(await take('b')).toBeDefined();
});

test('a lease lasts as long as its holder lives', async () => {
  const { clock, take } = create();
  const lease = await take('a');
  await clock.advance(600_000);

  expect(await take('b')).toBeUndefined();
  expect(lease?.signal.aborted).toBe(false);
});

test('a lease ends with its holder, after its time to live', async () => {
  const { clock, take } = create();
  (await take('a'))?.stop();
  await clock.advance(11_999);
  expect(await take('b')).toBeUndefined();
  await clock.advance(1);

  expect(await take('b')).toBeDefined();
});

test('a holder learns that the lease is lost, and takes the next holder’s from nobody', async () => {
  const { clock, store, take } = create();
  const lease = await take('a');
  await store.set('k', 'b');
  await clock.advance(4000);
  expect(lease?.signal.aborted).toBe(true);
  await lease?.release();

  expect(await store.get('k')).toBe('b');
  expect(clock.backgroundTimers).toBe(0);
});

test('work that takes longer than it may loses the lease, which nobody renews then', async () => {
  const { clock, take } = create();
  const lease = await take('a', {}, 30_000);
  await clock.advance(29_999);
  expect(lease?.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(lease?.signal.aborted).toBe(true);
  await clock.advance(12_000);

  expect(await take('b')).toBeDefined();
});

describe('a store that fails', () => {
  test('for a moment ends no lease; for longer than the time to live it does', async () => {
    const { clock, store, take } = create();
    let isDown = true;
    const compareAndSet: Store['compareAndSet'] = async (...given) => {
      if (isDown) throw new Error('store is down');
      return store.compareAndSet(...given);
    };
    const lease = await take('a', { compareAndSet });
    await clock.advance(5000);
    isDown = false;
    await clock.advance(20_000);
    expect(lease?.signal.aborted).toBe(false);
    isDown = true;
    await clock.advance(16_000);

    expect(lease?.signal.aborted).toBe(true);
  });

  test('while the lease is taken is the failure of the taker, and gives back what was taken all the same', async () => {
    const { store, take } = create();
    const setIfAbsent: Store['setIfAbsent'] = async (...given) => {
      await store.setIfAbsent(...given);
      throw new Error('no answer');
    };

    expect((await rejection(take('a', { setIfAbsent }))).message).toBe('no answer');
    await settle();
    expect(await take('b')).toBeDefined();
  });
});
