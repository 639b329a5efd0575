import { sleep, systemClock } from '../platform/clock.js';
import type { Store } from './store.js';

/** What a rule is tried on. */
export interface RuleSubject {
  readonly store: Store;
  /** The same state, as another process sees it. */
  readonly other: Store;
  /** A key that nothing else uses. */
  readonly key: (name: string) => string;
  /** Lets so many milliseconds pass for the store. */
  readonly pass: (ms: number) => Promise<void>;
  /** How often each race is run. */
  readonly rounds: number;
}

/** One thing that every store must do, and how it is tried; it rejects when the store does not. */
export interface StoreRule {
  readonly title: string;
  readonly check: (subject: RuleSubject) => Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Short, since it is waited for; long against the time of an operation. */
const SHORT_MS = 250;
const LONG_MS = 60_000;
/** How many operations of one round run at once. */
const RIVALS = 4;

/** What every store must do, whatever keeps its state. */
export const STORE_RULES: readonly StoreRule[] = [
  {
    title: 'a key that was never written has no value',
    async check({ store, key }) {
      same(await store.get(key('a')), undefined, 'get');
      same(await store.compareAndSet(key('a'), '', 'x'), false, 'compareAndSet over nothing');
      same(await store.compareAndDelete(key('a'), ''), false, 'compareAndDelete of nothing');
    },
  },
  {
    title: 'a value is read as it was written, by every process',
    async check({ store, other, key }) {
      const texts = ['text with ü, 🥪, ", \\ and \n', '  ', '{"a":1}', '0', 'null', 'x'.repeat(300_000)];
      for (const [index, text] of texts.entries()) {
        await store.set(key(`${index}`), text);
        same(await store.get(key(`${index}`)), text, 'get');
        same(await other.get(key(`${index}`)), text, 'get of another process');
      }
    },
  },
  {
    title: 'an empty text is a value',
    async check({ store, key }) {
      await store.set(key('a'), '');
      same(await store.get(key('a')), '', 'get');
      same(await store.setIfAbsent(key('a'), 'x'), false, 'setIfAbsent over an empty text');
      same(await store.compareAndSet(key('a'), '', 'y'), true, 'compareAndSet over an empty text');
    },
  },
  {
    title: 'keys that differ in one letter are two keys',
    async check({ store, key }) {
      const names = [
        'a:b',
        'a',
        'A:b',
        'a:b ',
        '__proto__',
        'a:\u00fc',
        'a:u\u0308',
        `l${'o'.repeat(3000)}ng`,
        '%',
        '_',
      ];
      for (const name of names) same(await store.setIfAbsent(key(name), name), true, 'setIfAbsent of a new key');
      for (const name of names) same(await store.get(key(name)), name, 'get');
    },
  },
  {
    title: 'a value is compared to the letter',
    async check({ store, key }) {
      await store.set(key('a'), 'Ü ');
      for (const near of ['Ü', 'ü ', 'U\u0308 ', 'Ü  ', '']) {
        same(await store.compareAndSet(key('a'), near, 'x'), false, 'compareAndSet over a value that is alike');
        same(await store.compareAndDelete(key('a'), near), false, 'compareAndDelete of a value that is alike');
      }
      same(await store.get(key('a')), 'Ü ', 'get');
    },
  },
  {
    title: 'compareAndSet writes over what it expects, and over nothing else',
    async check({ store, key }) {
      await store.set(key('a'), '1');
      same(await store.compareAndSet(key('a'), '0', '2'), false, 'compareAndSet over another value');
      same(await store.get(key('a')), '1', 'get');
      same(await store.compareAndSet(key('a'), '1', '2'), true, 'compareAndSet over the value');
      same(await store.get(key('a')), '2', 'get');
      same(await store.compareAndSet(key('a'), '2', '2'), true, 'compareAndSet of the same value');
    },
  },
  {
    title: 'compareAndDelete deletes what it expects, and nothing else',
    async check({ store, key }) {
      await store.set(key('a'), '1');
      same(await store.compareAndDelete(key('a'), '2'), false, 'compareAndDelete of another value');
      same(await store.compareAndDelete(key('a'), '1'), true, 'compareAndDelete of the value');
      same(await store.compareAndDelete(key('a'), '1'), false, 'compareAndDelete once more');
      same(await store.get(key('a')), undefined, 'get');
    },
  },
  {
    title: 'a value with a life is gone after it, and not before',
    async check({ store, key, pass }) {
      await store.set(key('long'), '1', { ttlMs: LONG_MS });
      await store.set(key('month'), '1', { ttlMs: 30 * DAY_MS + 0.5 });
      await store.set(key('set'), '1', { ttlMs: SHORT_MS });
      same(await store.setIfAbsent(key('absent'), '1', { ttlMs: SHORT_MS }), true, 'setIfAbsent');
      same(await store.get(key('set')), '1', 'get before the end');
      same(await store.setIfAbsent(key('absent'), '2'), false, 'setIfAbsent before the end');
      await pass(SHORT_MS + 150);
      same(await store.get(key('long')), '1', 'get of a value with a longer life');
      same(await store.get(key('month')), '1', 'get of a value with a life of a month');
      same(await store.get(key('set')), undefined, 'get after the end');
      same(await store.compareAndSet(key('set'), '1', '2'), false, 'compareAndSet after the end');
      same(await store.compareAndDelete(key('set'), '1'), false, 'compareAndDelete after the end');
      same(await store.setIfAbsent(key('absent'), '2'), true, 'setIfAbsent after the end');
      same(await store.get(key('absent')), '2', 'get of what took its place');
    },
  },
  {
    title: 'each write gives the value a life of its own',
    async check({ store, key, pass }) {
      for (const name of ['set', 'cas', 'longer']) await store.set(key(name), '1', { ttlMs: SHORT_MS });
      for (const name of ['shorter', 'given']) await store.set(key(name), '1');
      await store.set(key('set'), '2');
      same(await store.compareAndSet(key('cas'), '1', '2'), true, 'compareAndSet without a life');
      same(await store.compareAndSet(key('longer'), '1', '2', { ttlMs: LONG_MS }), true, 'compareAndSet');
      same(await store.compareAndSet(key('shorter'), '1', '2', { ttlMs: SHORT_MS }), true, 'compareAndSet with a life');
      await store.set(key('given'), '2', { ttlMs: SHORT_MS });
      await pass(SHORT_MS + 150);
      same(await store.get(key('set')), '2', 'a value that set wrote again without a life');
      same(await store.get(key('cas')), '2', 'a value that compareAndSet wrote again without a life');
      same(await store.get(key('longer')), '2', 'a value that compareAndSet gave a longer life');
      same(await store.get(key('shorter')), undefined, 'a value that compareAndSet gave a life');
      same(await store.get(key('given')), undefined, 'a value that set gave a life');
    },
  },
  {
    title: 'of many that write where nothing is, one wins, and its value is there',
    check: (subject) =>
      race(subject, async (_store, key) => {
        same(await subject.store.get(key), undefined, 'get before the race');
        return (store, value) => store.setIfAbsent(key, value, { ttlMs: LONG_MS });
      }),
  },
  {
    title: 'of many that write over one value, one wins, and its value is there',
    check: (subject) =>
      race(subject, async (store, key) => {
        await store.set(key, 'before', { ttlMs: LONG_MS });
        return (rival, value) => rival.compareAndSet(key, 'before', value, { ttlMs: LONG_MS });
      }),
  },
  {
    title: 'of many that delete one value, one does',
    async check({ store, other, key, rounds }) {
      for (let round = 0; round < Math.ceil(rounds / 10); round += 1) {
        await store.set(key('a'), 'before');
        const deleted = await Promise.all(
          rivals(store, other).map((rival) => rival.compareAndDelete(key('a'), 'before')),
        );
        same(deleted.filter(Boolean).length, 1, 'the number of those that deleted');
      }
    },
  },
  {
    title: 'a counter that many raise by compareAndSet loses nothing',
    async check({ store, other, key, rounds }) {
      const each = Math.max(1, Math.ceil(rounds / 20));
      await store.set(key('n'), '0');
      const raise = async (rival: Store): Promise<void> => {
        for (let done = 0, tries = 0; done < each; tries += 1) {
          if (tries > each * RIVALS * 100) throw new Error('compareAndSet over what get gave never succeeds');
          const present = (await rival.get(key('n'))) ?? 'nothing';
          if (await rival.compareAndSet(key('n'), present, String(Number(present) + 1))) done += 1;
        }
      };
      const all = rivals(store, other);
      await Promise.all(all.map(raise));
      same(await store.get(key('n')), String(each * all.length), 'the counter');
    },
  },
];

type Attempt = (rival: Store, value: string) => Promise<boolean>;

/** Rounds with one winner each; the value of the winner is what every process then reads. */
async function race(
  { store, other, key, rounds }: RuleSubject,
  prepare: (store: Store, key: string) => Promise<Attempt>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const at = key(`round-${round}`);
    const attempt = await prepare(store, at);
    const won = await Promise.all(rivals(store, other).map((rival, index) => attempt(rival, `rival ${index}`)));
    same(won.filter(Boolean).length, 1, 'the number of winners');
    const value = `rival ${won.indexOf(true)}`;
    same(await other.get(at), value, 'get after the race');
    await store.compareAndDelete(at, value);
  }
}

function rivals(store: Store, other: Store): Store[] {
  return Array.from({ length: RIVALS }, (_none, index) => (index % 2 ? other : store));
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (Object.is(actual, expected)) return;
  throw new Error(`${what} gave ${shown(actual)} instead of ${shown(expected)}`);
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
}

export function realPass(ms: number): Promise<void> {
  return sleep(systemClock, ms);
}
