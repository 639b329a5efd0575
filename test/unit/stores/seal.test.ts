import { memoryStore, systemClock } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { Seal, sealedStore } from '../../../src/stores/seal.js';

const seal = (secret: () => string | Uint8Array, context = 'https://api.example.com client') =>
  new Seal({ readSecret: secret, context });

test('a sealed text shows nothing of itself, and never looks the same twice', async () => {
  const sealer = seal(() => 'the client secret');

  const [one, two] = [await sealer.seal('{"value":"token-1"}', 'key'), await sealer.seal('{"value":"token-1"}', 'key')];

  expect(one).toMatch(/^sealed:1:[A-Za-z0-9+/=]+$/);
  expect(one).not.toContain('token');
  expect(one).not.toBe(two);
  expect(await sealer.open(one, 'key')).toBe('{"value":"token-1"}');
});

test('it opens in another process that has the secret, as text or as bytes', async () => {
  const stored = await seal(() => 'the client secret').seal('token ü', 'key');

  expect(await seal(() => new TextEncoder().encode('the client secret')).open(stored, 'key')).toBe('token ü');
});

test('it opens with no other secret, for no other partner, under no other name, and not when it was changed', async () => {
  const stored = await seal(() => 'the client secret').seal('token', 'key');
  const changed = stored.slice(0, -6) + (stored.at(-6) === 'A' ? 'B' : 'A') + stored.slice(-5);

  expect(await seal(() => 'another').open(stored, 'key')).toBeUndefined();
  expect(await seal(() => 'the client secret', 'another').open(stored, 'key')).toBeUndefined();
  expect(await seal(() => 'the client secret').open(stored, 'another')).toBeUndefined();
  expect(await seal(() => 'the client secret').open(changed, 'key')).toBeUndefined();
  for (const text of ['', '{"value":"token"}', 'sealed:1:', 'sealed:1:AAAA', 'sealed:1:~']) {
    expect(await seal(() => 'the client secret').open(text, 'key')).toBeUndefined();
  }
});

test('a secret that was replaced is read again when a text does not open', async () => {
  let secret = 'old';
  const here = seal(() => secret);
  const before = await here.seal('token 1', 'key');
  const after = await seal(() => 'new').seal('token 2', 'key');

  expect(await here.open(before, 'key')).toBe('token 1');
  expect(await here.open(after, 'key')).toBeUndefined();
  secret = 'new';
  expect(await here.open(after, 'key')).toBe('token 2');
  expect(await here.open(await here.seal('token 3', 'key'), 'key')).toBe('token 3');
});

test('a secret that cannot be read is an error of the store, and is read again the next time', async () => {
  let works = false;
  const here = seal(() => {
    if (!works) throw new Error('vault is sealed');
    return 'secret';
  });

  await expect(here.seal('token', 'key')).rejects.toThrow('vault is sealed');
  works = true;
  expect(await here.open(await here.seal('token', 'key'), 'key')).toBe('token');
});

test('only what is set and got is sealed: a lease is compared as it is', async () => {
  const store = memoryStore();
  const sealed = sealedStore(
    store,
    seal(() => 'the client secret'),
  );

  await sealed.set('token', 'value');
  await sealed.setIfAbsent('lease', 'holder');

  expect(await store.get('token')).toMatch(/^sealed:1:/);
  expect(await sealed.get('token')).toBe('value');
  expect(await sealed.get('nothing')).toBeUndefined();
  expect(await sealed.compareAndDelete('lease', 'holder')).toBe(true);
});

test('a digest compares two texts, under a mark of its secret', async () => {
  const [here, there, other] = ['the client secret', 'the client secret', 'another'].map((text) => seal(() => text));
  const digest = await here!.digest('body', 'name');

  expect(await there!.digest('body', 'name')).toBe(digest);
  expect(await here!.digest('body 2', 'name')).not.toBe(digest);
  expect(await here!.digest('body', 'name 2')).not.toBe(digest);
  expect((await here!.digest('body 2', 'name')).split(':')[0]).toBe(digest.split(':')[0]);
  expect((await other!.digest('body', 'name')).split(':')[0]).not.toBe(digest.split(':')[0]);
});

test('a virtual clock knows of the work of threads, and of nothing while the secret is read', async () => {
  let underWay = 0;
  const seen: string[] = [];
  const clock = {
    ...systemClock,
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      underWay += 1;
      seen.push('work');
      return work().finally(() => {
        underWay -= 1;
      });
    },
  };
  const readSecret = () => {
    seen.push(`secret read, ${underWay} at work`);
    return 'the client secret';
  };
  const sealer = new Seal({ readSecret, context: 'client', clock });

  const stored = await sealer.seal('token', 'key');
  expect(seen).toEqual(['secret read, 0 at work', 'work', 'work']);
  seen.length = 0;
  expect(await sealer.open(stored, 'key')).toBe('token');
  await sealer.digest('token', 'key');

  expect(seen).toEqual(['work', 'work', 'work']);
  expect(underWay).toBe(0);
});
