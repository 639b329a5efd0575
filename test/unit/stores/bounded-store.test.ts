import { expect, test } from 'vitest';
import { boundedStore } from '../../../src/stores/bounded-store.js';
import { memoryStore } from '../../../src/stores/memory.js';
import type { Store } from '../../../src/stores/store.js';
import { rejection } from '../../support/rejection.js';

import { settle, VirtualClock } from '../../support/virtual-clock.js';
import { testStore } from './store-rules.js';

testStore('a bounded store', async () => {
  const clock = new VirtualClock();
  return { store: boundedStore(memoryStore({ clock }), { clock }), pass: (ms) => clock.advance(ms) };
});

test.each([
  ['get', (store: Store) => store.get('a')],
  ['set', (store: Store) => store.set('a', '1')],
  ['setIfAbsent', (store: Store) => store.setIfAbsent('a', '1')],
  ['compareAndSet', (store: Store) => store.compareAndSet('a', '1', '2')],
  ['compareAndDelete', (store: Store) => store.compareAndDelete('a', '1')],
] as const)(
  '%s that does not answer within two seconds is a failure, and keeps no process alive',
  async (name, work) => {
    const clock = new VirtualClock();
    const never = () => new Promise<never>(() => {});
    const store = boundedStore({ ...memoryStore({ clock }), [name]: never }, { clock });
    const failure = rejection(work(store));
    await clock.advance(1999);
    expect(clock.foregroundTimers).toBe(0);
    await clock.advance(1);

    expect(await failure).toMatchObject({
      name: 'TimeLimitError',
      message: `"${name}" of the store did not respond within 2000 ms.`,
    });
  },
);

test('an operation that ends in time leaves no timer, whether it succeeds, rejects or throws', async () => {
  const clock = new VirtualClock();
  const get = () => {
    throw new Error('thrown');
  };
  const set = () => Promise.reject(new Error('rejected'));
  const store = boundedStore({ ...memoryStore({ clock }), get, set }, { clock });

  expect((await rejection(store.get('a'))).message).toBe('thrown');
  expect((await rejection(store.set('a', '1'))).message).toBe('rejected');
  expect(await store.setIfAbsent('a', '1')).toBe(true);
  await settle();
  expect(clock.backgroundTimers).toBe(0);
});
