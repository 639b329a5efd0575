import { expect, test } from 'vitest';
import { memoryStore } from '../../../src/stores/memory.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { testStore } from './store-rules.js';

testStore('the store in memory', async () => {
  const clock = new VirtualClock();
  return { store: memoryStore({ clock }), pass: (ms) => clock.advance(ms) };
});

test('two stores in memory share nothing', async () => {
  await memoryStore().set('a', '1');

  expect(await memoryStore().get('a')).toBeUndefined();
});

test('a million keys hold the process up for 20 ms at no write', async () => {
  const clock = new VirtualClock();
  const store = memoryStore({ clock });
  const pauses: number[] = [];
  const write = (key: string): void => {
    const startedAt = performance.now();
    void store.set(key, 'done', { ttlMs: 60_000 });
    pauses.push(performance.now() - startedAt);
  };
  for (let key = 0; key < 1_000_000; key += 1) {
    write(`event:${key}`);
    if (key % 10_000 === 0) await new Promise(setImmediate);
  }
  await clock.advance(60_000);
  for (let key = 0; key < 300_000; key += 1) write('one key');
  pauses.sort((a, b) => b - a);

  // The collector and a busy machine take the time of some writes; a sweep of the whole took that of hundreds.
  expect(pauses[20]).toBeLessThan(20);
}, 30_000);

test('what has expired is deleted by later writes of other keys', async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, monotonic: () => now, setTimer: () => () => {} } });
  for (let key = 0; key < 1000; key += 1) await store.set(`event:${key}`, 'done', { ttlMs: 60_000 });
  now = 60_000;
  for (let write = 0; write < 1000; write += 1) await store.set('another', String(write));

  now = 0; // Entries that were only hidden would be there again.
  expect(await store.get('event:0')).toBeUndefined();
  expect(await store.get('event:999')).toBeUndefined();
});
