import { expect, test } from 'vitest';
import { memoryStore } from '../../../src/stores/memory.js';
import { describeStore } from '../../support/store-suite.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describeStore('the store in memory', async () => {
  const clock = new VirtualClock();
  return { store: memoryStore({ clock }), pass: (ms) => clock.advance(ms) };
});

test('two stores in memory share nothing', async () => {
  await memoryStore().set('a', '1');

  expect(await memoryStore().get('a')).toBeUndefined();
});
