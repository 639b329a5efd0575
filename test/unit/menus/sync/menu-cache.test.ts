import { createMenuCache } from 'online-ordering-sdk/menus';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MenuClient } from '../../../../src/menus/index.js';
import type { Clock } from '../../../../src/platform/clock.js';
import { memoryStore } from '../../../../src/stores/memory.js';
import type { StoreWriteOptions } from '../../../../src/stores/store.js';
import { deliMenu } from '../../../support/records/deli-menu.js';
import { StoredRecords } from '../../../support/service/stored-records.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';

let service: StoredRecords;
let clock: VirtualClock;
const minutes = 60_000;

beforeEach(() => {
  service = new StoredRecords({ s1: deliMenu(), s2: deliMenu() });
  clock = new VirtualClock(Date.parse('2026-01-15T12:00:00Z'));
});

/** A service whose menu takes so long; the first `failures` times it fails then. */
function slowMenus(ms: number, failures = 0) {
  const slow = { asked: 0, client: {} as MenuClient };
  const menus: Partial<MenuClient['menus']> = {
    retrieve: async (id) => {
      slow.asked += 1;
      const fails = slow.asked <= failures;
      await new Promise<void>((resolve) => clock.setTimer(resolve, ms));
      if (fails) throw new Error('service down');
      return service.client.menus.retrieve(id);
    },
  };
  slow.client = { ...service.client, menus: { ...service.client.menus, ...menus } } as MenuClient;
  return slow;
}

/** The clock of a process that dies: nothing that it planned takes place. */
function stoppedTimers(real: Clock): Clock {
  return { now: () => real.now(), setTimer: () => () => {} };
}

test('the first call fetches the menu once, however many wait', async () => {
  const cache = createMenuCache(service.client, { clock });

  const menus = await Promise.all(Array.from({ length: 20 }, () => cache.menu('s1')));

  expect(service.reads).toEqual(['menu s1']);
  expect(new Set(menus).size).toBe(1);
});

test('a fresh menu costs no request, and its index is built once', async () => {
  const cache = createMenuCache(service.client, { clock });
  const index = await cache.index('s1');
  await clock.advance(5 * minutes - 1);

  expect(await cache.index('s1')).toBe(index);
  expect(service.reads).toEqual(['menu s1']);
});

test('an old menu is given at once while one metadata request checks its version', async () => {
  const cache = createMenuCache(service.client, { clock });
  const menu = await cache.menu('s1');
  await clock.advance(5 * minutes);
  service.reads.length = 0;

  const again = await Promise.all([cache.menu('s1'), cache.menu('s1')]);
  await settle();

  expect(again).toEqual([menu, menu]);
  expect(service.reads).toEqual(['metadata s1']);
});

test('a changed version is fetched, and given from the next call on', async () => {
  const cache = createMenuCache(service.client, { clock });
  await cache.menu('s1');
  service.changeMenu('s1', 'sha256:b2', () => {});
  await clock.advance(5 * minutes);
  service.reads.length = 0;

  const stale = await cache.menu('s1');
  await settle();
  const fresh = await cache.menu('s1');

  expect([stale.version_hash, fresh.version_hash]).toEqual(['sha256:a1', 'sha256:b2']);
  expect(service.reads).toEqual(['metadata s1', 'menu s1']);
});

test('refresh asks the service at once and gives the current menu', async () => {
  const cache = createMenuCache(service.client, { clock });
  await cache.menu('s1');
  service.changeMenu('s1', 'sha256:b2', () => {});

  expect((await cache.refresh('s1')).version_hash).toBe('sha256:b2');
});

describe('a refresh that fails', () => {
  test('leaves the known menu in use, is told, and is tried again after a growing wait', async () => {
    const errors: unknown[] = [];
    const cache = createMenuCache(service.client, { clock, onError: (error) => errors.push(error) });
    const menu = await cache.menu('s1');
    await clock.advance(6 * minutes);
    const down = new Error('down');
    service.gate = () => Promise.reject(down);
    service.reads.length = 0;

    expect(await cache.menu('s1')).toBe(menu);
    await settle();
    expect(await cache.menu('s1')).toBe(menu);
    expect(errors).toEqual([down]);
    expect(service.reads).toHaveLength(1);

    await clock.advance(5_000);
    await cache.menu('s1');
    await settle();
    await clock.advance(9_999);
    await cache.menu('s1');
    expect(service.reads).toHaveLength(2);

    await clock.advance(1);
    await cache.menu('s1');
    expect(service.reads).toHaveLength(3);
  });

  test('is not tried again before the Retry-After that the service gave', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    await clock.advance(5 * minutes);
    service.gate = () => Promise.reject(Object.assign(new Error('limited'), { retryAfterSeconds: 61 }));
    service.reads.length = 0;
    await cache.menu('s1');
    await settle();

    await clock.advance(60_999);
    await cache.menu('s1');
    await settle();
    expect(service.reads).toHaveLength(1);

    await clock.advance(1);
    await cache.menu('s1');
    await settle();
    expect(service.reads).toHaveLength(2);
  });

  test('is an error of the caller when no menu is known, and the next call tries again', async () => {
    const cache = createMenuCache(service.client, { clock });
    service.gate = () => Promise.reject(new Error('down'));
    await expect(cache.menu('s1')).rejects.toThrow('down');
    service.gate = undefined;

    expect((await cache.menu('s1')).version_hash).toBe('sha256:a1');
  });

  test('is an error of the caller when the known menu is older than maxStaleMs', async () => {
    const cache = createMenuCache(service.client, { clock, maxStaleMs: 10 * minutes });
    await cache.menu('s1');
    await clock.advance(10 * minutes);
    service.gate = () => Promise.reject(new Error('down'));

    await expect(cache.menu('s1')).rejects.toThrow('down');
  });
});

test('the abort of one caller ends its wait, and not the request of the others', async () => {
  let open = () => {};
  service.gate = () => new Promise((resolve) => (open = resolve));
  const cache = createMenuCache(service.client, { clock });
  const leaving = new AbortController();
  const left = cache.menu('s1', { signal: leaving.signal });
  const stays = cache.menu('s1');

  leaving.abort(new Error('left'));

  await expect(left).rejects.toThrow('left');
  open();
  expect((await stays).version_hash).toBe('sha256:a1');
  expect(service.reads).toEqual(['menu s1']);
});

test('a caller whose signal is aborted already gets its reason, and begins nothing', async () => {
  const cache = createMenuCache(service.client, { clock });
  await cache.menu('s1');

  const signal = AbortSignal.abort(new Error('left'));
  await expect(cache.menu('s1', { signal })).rejects.toThrow('left');
  await expect(cache.menu('s2', { signal })).rejects.toThrow('left');
  expect(service.reads).toEqual(['menu s1']);
});

describe('expire', () => {
  test('refreshes in the background at once', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});

    cache.expire('s1', 'sha256:b2');
    await settle();

    expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('does nothing for the version that is known, and for a menu nobody asked for', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    service.reads.length = 0;

    cache.expire('s1', 'sha256:a1');
    cache.expire('s2', 'sha256:b2');
    await settle();

    expect(service.reads).toEqual([]);
  });

  test('during a refresh makes another one follow, since the first may have read the old menu', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    let open = () => {};
    service.gate = () => new Promise((resolve) => (open = resolve));
    const refresh = cache.refresh('s1');
    await settle();
    cache.expire('s1', 'sha256:b2');
    service.gate = async () => service.changeMenu('s1', 'sha256:b2', () => {});
    open();

    expect((await refresh).version_hash).toBe('sha256:a1');
    await settle();

    expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });
});

describe('with a store', () => {
  test('a second process takes the menu from the store, without a request', async () => {
    const store = memoryStore({ clock });
    await createMenuCache(service.client, { clock, store }).menu('s1');
    service.reads.length = 0;

    const menu = await createMenuCache(service.client, { clock, store }).menu('s1');

    expect(menu).toEqual(deliMenu());
    expect(service.reads).toEqual([]);
  });

  test('refresh asks the service also while the menu is being taken from the store', async () => {
    const store = memoryStore({ clock });
    await createMenuCache(service.client, { clock, store }).menu('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});
    const cache = createMenuCache(service.client, { clock, store });

    const [kept, current] = await Promise.all([cache.menu('s1'), cache.refresh('s1')]);

    expect([kept.version_hash, current.version_hash]).toEqual(['sha256:a1', 'sha256:b2']);
  });

  test('one process asks for all of them when the menu is old', async () => {
    const store = memoryStore({ clock });
    const caches = Array.from({ length: 10 }, () => createMenuCache(service.client, { clock, store }));
    for (const cache of caches) await cache.menu('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});
    await clock.advance(5 * minutes);
    service.reads.length = 0;

    for (const cache of caches) void cache.menu('s1');
    await settle();
    await clock.advance(1_000);
    for (const cache of caches) void cache.menu('s1');
    await settle();

    expect(service.reads).toEqual(['metadata s1', 'menu s1']);
    for (const cache of caches) expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('ten processes that hear of a change fetch it once', async () => {
    const store = memoryStore({ clock });
    const caches = Array.from({ length: 10 }, () => createMenuCache(service.client, { clock, store }));
    for (const cache of caches) await cache.menu('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});
    service.reads.length = 0;

    for (const cache of caches) cache.expire('s1', 'sha256:b2');
    await settle();
    await clock.advance(1_000);
    for (const cache of caches) void cache.menu('s1');
    await settle();

    expect(service.reads).toEqual(['metadata s1', 'menu s1']);
    for (const cache of caches) expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('cold processes that start together fetch the menu once', async () => {
    const store = memoryStore({ clock });
    const menus = Array.from({ length: 5 }, () => createMenuCache(service.client, { clock, store }).menu('s1'));

    await clock.advance(1_000);

    expect((await Promise.all(menus)).map(({ version_hash }) => version_hash)).toEqual(Array(5).fill('sha256:a1'));
    expect(service.reads).toEqual(['menu s1']);
  });

  test('twenty cold processes wait for the one that asks, however long the service takes, and look rarely', async () => {
    let operations = 0;
    const memory = memoryStore({ clock });
    const store = {
      ...memory,
      get: (key: string) => {
        operations += 1;
        return memory.get(key);
      },
      setIfAbsent: (key: string, value: string, options: StoreWriteOptions) => {
        operations += 1;
        return memory.setIfAbsent(key, value, options);
      },
    };
    const slow = slowMenus(90_000);
    const menus = Array.from({ length: 20 }, () => createMenuCache(slow.client, { clock, store }).menu('s1'));

    for (let second = 0; second < 89; second += 1) await clock.advance(1_000);
    expect(slow.asked).toBe(1);
    for (let second = 0; second < 10; second += 1) await clock.advance(1_000);

    expect((await Promise.all(menus)).map(({ version_hash }) => version_hash)).toEqual(Array(20).fill('sha256:a1'));
    expect(slow.asked).toBe(1);
    // Two operations for each look of each process.
    expect(operations / 20).toBeLessThan(100);
  });

  test('when the one that asks fails, another one of those that wait takes over at once', async () => {
    const store = memoryStore({ clock });
    const slow = slowMenus(3_000, 1);
    const caches = Array.from({ length: 5 }, () => createMenuCache(slow.client, { clock, store }));
    const menus = caches.map((cache) => cache.menu('s1').then(({ version_hash }) => version_hash, String));

    for (let second = 0; second < 20; second += 1) await clock.advance(1_000);

    expect((await Promise.all(menus)).sort()).toEqual(['Error: service down', ...Array(4).fill('sha256:a1')]);
    expect(slow.asked).toBe(2);
  });

  test('a process that died while asking holds the others up for seconds, and one of them takes over', async () => {
    const store = memoryStore({ clock });
    const never = () => new Promise<never>(() => {});
    const dead = createMenuCache(
      { menus: { retrieve: never, retrieveMetadata: never } },
      {
        clock: { ...stoppedTimers(clock) },
        store,
      },
    );
    void dead.menu('s1');
    await settle();
    const menus = Array.from({ length: 5 }, () => createMenuCache(service.client, { clock, store }).menu('s1'));

    for (let second = 0; second < 10; second += 1) await clock.advance(1_000);

    expect((await Promise.all(menus)).map(({ version_hash }) => version_hash)).toEqual(Array(5).fill('sha256:a1'));
    expect(service.reads).toEqual(['menu s1']);
  });

  test('a store that fails is as good as none, and is told', async () => {
    const errors: unknown[] = [];
    const fails = () => Promise.reject(new Error('store down'));
    const store = { get: fails, set: fails, setIfAbsent: fails, compareAndSet: fails, compareAndDelete: fails };
    const cache = createMenuCache(service.client, { clock, store, onError: (error) => errors.push(error) });

    expect((await cache.menu('s1')).version_hash).toBe('sha256:a1');
    expect(errors).toContainEqual(new Error('store down'));
  });

  test('what another program left under the keys is not taken for a menu', async () => {
    const store = memoryStore({ clock });
    await store.set('online-ordering-sdk:menu:s1:check', '{"versionHash":"x","checkedAt":"soon"}');
    await store.set('online-ordering-sdk:menu:s1:menu', 'not json');

    expect((await createMenuCache(service.client, { clock, store }).menu('s1')).version_hash).toBe('sha256:a1');
  });
});

test('an interval that is not above 0 is refused', () => {
  expect(() => createMenuCache(service.client, { maxAgeMs: 0 })).toThrow('"maxAgeMs" is 0');
});
