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

test('no write looks through all keys, however many there are', async () => {
  const clock = new VirtualClock();
  const store = memoryStore({ clock });
  const pauses: number[] = [];
  /** A thousand writes; their time is that of the processor, since a busy machine takes the time of some. */
  const writeThousand = (keyOf: (index: number) => string): void => {
    const before = process.cpuUsage();
    for (let index = 0; index < 1000; index += 1) void store.set(keyOf(index), 'done', { ttlMs: 60_000 });
    const { user, system } = process.cpuUsage(before);
    pauses.push((user + system) / 1000);
  };
  for (let thousand = 0; thousand < 300; thousand += 1) {
    writeThousand((index) => `event:${thousand}:${index}`);
    await new Promise(setImmediate);
  }
  await clock.advance(60_000);
  for (let thousand = 0; thousand < 100; thousand += 1) writeThousand(() => 'one key');
  pauses.sort((a, b) => b - a);

  // The collector takes some; a sweep of the whole, once in a thousand writes, took 77 ms of each of the last hundred.
  expect(pauses[20]).toBeLessThan(20);
});

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
