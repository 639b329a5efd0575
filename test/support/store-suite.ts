import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/stores/store.js';

export interface StoreUnderTest {
  readonly store: Store;
  /** A second view of the same state, as another process has it; the same store where there is only one. */
  readonly other?: Store;
  /** Lets this many milliseconds pass for the store. */
  readonly pass: (ms: number) => Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** What every store must do, whatever keeps its state. */
export function describeStore(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let under: StoreUnderTest;
    let store: Store;
    let other: Store;
    beforeEach(async () => {
      under = await start();
      store = under.store;
      other = under.other ?? under.store;
    });
    afterEach(async () => under.stop?.());

    test('has nothing under a key that was never written', async () => {
      expect(await store.get('a')).toBeUndefined();
    });

    test('gives back what was written, to every process', async () => {
      await store.set('a', 'text with ü, 🥪, " and \n');

      expect(await store.get('a')).toBe('text with ü, 🥪, " and \n');
      expect(await other.get('a')).toBe('text with ü, 🥪, " and \n');
    });

    test('tells an empty text from nothing', async () => {
      await store.set('a', '');

      expect(await store.get('a')).toBe('');
      expect(await store.setIfAbsent('a', 'x')).toBe(false);
      expect(await store.compareAndSet('a', '', 'y')).toBe(true);
    });

    test('set replaces value and expiry', async () => {
      await store.set('a', '1', { ttlMs: 1000 });
      await store.set('a', '2');
      await under.pass(1500);

      expect(await store.get('a')).toBe('2');
    });

    test('a value with a life is gone after it, and not before', async () => {
      await store.set('a', '1', { ttlMs: 60_000 });
      await store.set('b', '1', { ttlMs: 1000 });
      await under.pass(1500);

      expect(await store.get('a')).toBe('1');
      expect(await store.get('b')).toBeUndefined();
      expect(await store.compareAndSet('b', '1', '2')).toBe(false);
      expect(await store.compareAndDelete('b', '1')).toBe(false);
      expect(await store.setIfAbsent('b', '3')).toBe(true);
    });

    test('setIfAbsent writes once, whoever comes first', async () => {
      const won = await Promise.all(
        Array.from({ length: 20 }, (_none, index) => (index % 2 ? store : other).setIfAbsent('a', String(index))),
      );

      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.get('a')).toBe(String(won.indexOf(true)));
    });

    test('compareAndSet writes only over what it expects, and at most one of many wins', async () => {
      expect(await store.compareAndSet('a', '0', '1')).toBe(false);
      await store.set('a', '0');
      const won = await Promise.all(
        Array.from({ length: 20 }, (_none, index) => (index % 2 ? store : other).compareAndSet('a', '0', `n${index}`)),
      );

      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.get('a')).toBe(`n${won.indexOf(true)}`);
    });

    test('compareAndSet gives the new value its own life', async () => {
      await store.set('a', '1', { ttlMs: 1000 });
      await store.compareAndSet('a', '1', '2', { ttlMs: 60_000 });
      await under.pass(1500);

      expect(await store.get('a')).toBe('2');
    });

    test('compareAndDelete deletes only what it expects', async () => {
      await store.set('a', '1');

      expect(await store.compareAndDelete('a', '2')).toBe(false);
      expect(await store.compareAndDelete('a', '1')).toBe(true);
      expect(await store.compareAndDelete('a', '1')).toBe(false);
      expect(await store.get('a')).toBeUndefined();
    });

    test('keys are told apart to the letter', async () => {
      await store.set('a:b', '1');

      expect(await store.get('a')).toBeUndefined();
      expect(await store.get('A:b')).toBeUndefined();
      expect(await store.get('__proto__')).toBeUndefined();
    });
  });
}
