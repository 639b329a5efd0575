import { checkStore, memoryStore, type Store, StoreRuleError } from 'online-ordering-sdk/stores';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.js';

const clock = new VirtualClock();
const pass = (ms: number) => clock.advance(ms);
const good = (): Store => memoryStore({ clock });

async function brokenRules(store: Store, other?: Store): Promise<string[]> {
  const error = await checkStore(store, { other, pass, rounds: 20 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreRuleError);
  return (error as StoreRuleError).broken.map(({ rule }) => rule);
}

test('a store that does everything passes, and leaves nothing behind', async () => {
  const keys = new Set<string>();
  const store = good();
  const watched: Store = {
    ...store,
    set: (key, ...rest) => {
      keys.add(key);
      return store.set(key, ...rest);
    },
  };

  const rules = await checkStore(watched, { pass });

  expect(rules).toContain('an empty text is a value');
  for (const key of keys) expect(await store.get(key)).toBeUndefined();
});

test('a store whose comparison is a reading and a writing is found out', async () => {
  const store = good();
  const racy: Store = {
    ...store,
    async setIfAbsent(key, value, options) {
      if ((await store.get(key)) !== undefined) return false;
      await store.set(key, value, options);
      return true;
    },
  };

  expect(await brokenRules(racy)).toContain('of many that write where nothing is, one wins, and its value is there');
});

test('a store that gives null for nothing is found out', async () => {
  const store = good();
  const nullish: Store = { ...store, get: async (key) => (await store.get(key)) ?? (null as never) };

  expect(await brokenRules(nullish)).toContain('a key that was never written has no value');
});

test('a store that keeps the old life, or counts it in seconds, is found out', async () => {
  const store = good();
  const seconds: Store = {
    ...store,
    set: (key, value, options) =>
      store.set(key, value, options?.ttlMs ? { ttlMs: Math.ceil(options.ttlMs / 1000) * 1000 } : undefined),
  };

  expect(await brokenRules(seconds)).toContain('a value with a life is gone after it, and not before');
});

test('two processes that do not see the same state are found out', async () => {
  expect(await brokenRules(good(), good())).toContain('a value is read as it was written, by every process');
});

test('a store that cannot be reached is told by its own message', async () => {
  const down = async (): Promise<never> => {
    throw new Error('connect ECONNREFUSED');
  };
  const store: Store = { get: down, set: down, setIfAbsent: down, compareAndSet: down, compareAndDelete: down };

  await expect(checkStore(store, { rounds: 1 })).rejects.toThrow('connect ECONNREFUSED');
});
