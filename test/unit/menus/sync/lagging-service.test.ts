import { createMenuCache, type MenuEvent, watchMenus } from 'online-ordering-sdk/menus';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/platform/clock.js';
import { Emitter } from '../../../../src/platform/emitter.js';
import { memoryStore } from '../../../../src/stores/memory.js';
import { deliMenu } from '../../../support/records/deli-menu.js';
import { StoredRecords } from '../../../support/service/stored-records.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';

let service: StoredRecords;
let clock: VirtualClock;
const minutes = 60_000;
const unavailable = (retryAfterSeconds?: number) => Object.assign(new Error('503'), { retryAfterSeconds });

beforeEach(() => {
  service = new StoredRecords({ s1: deliMenu() });
  clock = new VirtualClock(Date.parse('2026-01-15T12:00:00Z'));
});

class Events extends Emitter<Record<'menu.changed' | 'stock.updated' | 'location.hours_changed', MenuEvent>> {}

describe('a change that was announced while the service still shows the old menu', () => {
  test('is given by the cache once the service shows it', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    cache.expire('s1', 'sha256:b2');
    await settle();
    service.changeMenu('s1', 'sha256:b2', () => {});
    await clock.advance(5_000);

    await cache.menu('s1');
    await settle();

    expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('is looked for after 5, 10, 20, … seconds, and no more often', async () => {
    const cache = createMenuCache(service.client, { clock });
    await cache.menu('s1');
    service.reads.length = 0;
    cache.expire('s1', 'sha256:b2');
    const looks: number[] = [];
    for (let second = 0; second < 300; second += 1) {
      await settle();
      if (service.reads.splice(0).length > 0) looks.push(second);
      await clock.advance(1_000);
      void cache.menu('s1');
    }

    expect(looks).toEqual([0, 5, 15, 35, 75, 155]);
  });

  test.each([
    ['an open', { timezone: 'UTC' }],
    [
      'a closed',
      {
        timezone: 'UTC',
        business_hours: [
          { day_of_week: 'THURSDAY' as const, open_time: '00:00', close_time: '00:00', is_closed: true },
        ],
      },
    ],
  ])('is yielded by the watch of %s location within seconds', async (_kind, location) => {
    const events = new Events();
    service.location = location;
    const watch = watchMenus(service.client, ['s1'], { clock, random: () => 0, events, inventory: false });
    let yielded = false;
    void watch.next().then(() => {
      yielded = true;
    });
    await settle();
    events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
    await clock.advance(2_000);
    service.changeMenu('s1', 'sha256:b2', (menu) => menu.categories[1]!.items.pop());
    await clock.advance(3_000);

    expect(yielded).toBe(true);
    await watch.return?.();
  });
});

describe('a service that asks to be left alone', () => {
  test('is asked by the watch of a closed location when it said, not before', async () => {
    service.location = {
      timezone: 'UTC',
      business_hours: [{ day_of_week: 'THURSDAY', open_time: '00:00', close_time: '00:00', is_closed: true }],
    };
    const watch = watchMenus(service.client, ['s1'], { clock, random: () => 0, inventory: false });
    void watch.next();
    await settle();
    service.gate = () => Promise.reject(unavailable(900));
    const asked: number[] = [];
    const start = clock.now();
    service.reads.length = 0;
    for (let second = 0; second < 5_400; second += 5) {
      await clock.advance(5_000);
      if (service.reads.splice(0).length > 0) asked.push((clock.now() - start) / 1000);
    }

    expect(asked[0]).toBe(1_800);
    for (let place = 1; place < asked.length; place += 1) {
      expect(asked[place]! - asked[place - 1]!).toBeGreaterThanOrEqual(900);
    }
  });

  test('is asked after 5, 10, 20, 40 s by the first of 200 locations', async () => {
    const ids = Array.from({ length: 200 }, (_, place) => `s${place + 1}`);
    service.location = {
      timezone: 'UTC',
      business_hours: [{ day_of_week: 'THURSDAY', open_time: '00:00', close_time: '00:00', is_closed: true }],
    };
    service.gate = async () => {
      if (service.reads.at(-1)?.startsWith('menu')) throw unavailable();
    };
    const watch = watchMenus(service.client, ids, { clock, random: () => 0, inventory: false });
    void watch.next();
    await settle();
    await settle();
    const asked: number[] = [];
    const start = clock.now();
    for (let second = 0; second < 80; second += 1) {
      service.reads.length = 0;
      await clock.advance(1_000);
      if (service.reads.includes('menu s1')) asked.push((clock.now() - start) / 1000);
    }

    expect(asked).toEqual([5, 15, 35, 75]);
    await watch.return?.();
  });

  test.each([
    ['a cold cache', false],
    ['a cache whose menu is too old', true],
  ])('is asked once within its Retry-After by %s, with a caller a second', async (_kind, isOld) => {
    const cache = createMenuCache(service.client, { clock, maxStaleMs: 10 * minutes });
    if (isOld) await cache.menu('s1');
    await clock.advance(10 * minutes);
    service.gate = () => Promise.reject(unavailable(60));
    service.reads.length = 0;

    for (let second = 0; second < 60; second += 1) {
      await expect(cache.menu('s1')).rejects.toThrow('503');
      await clock.advance(1_000);
    }

    expect(service.reads).toHaveLength(1);
    service.gate = undefined;
    expect((await cache.menu('s1')).version_hash).toBe('sha256:a1');
  });

  test('without Retry-After is asked again at once after the first failure, then after 5 s, 10 s, …', async () => {
    const cache = createMenuCache(service.client, { clock });
    service.gate = () => Promise.reject(unavailable());
    for (let second = 0; second < 60; second += 1) {
      await expect(cache.menu('s1')).rejects.toThrow('503');
      await clock.advance(1_000);
    }

    expect(service.reads.length).toBeLessThanOrEqual(6);
  });
});

describe('processes that share a store', () => {
  test('whose clocks differ by an hour give no menu that is an hour too old', async () => {
    const store = memoryStore({ clock });
    const ahead: Clock = {
      now: () => clock.now() + 3_600_000,
      monotonic: () => clock.monotonic() + 3_600_000,
      setTimer: (...given) => clock.setTimer(...given),
    };
    await createMenuCache(service.client, { clock: ahead, store }).menu('s1');
    const cache = createMenuCache(service.client, { clock, store });
    await cache.menu('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});

    await clock.advance(5 * minutes);
    await cache.menu('s1');
    await settle();

    expect((await cache.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('read a menu that was said to have changed after that was said, whatever others checked before', async () => {
    const store = memoryStore({ clock });
    const [one, other] = [0, 1].map(() => createMenuCache(service.client, { clock, store }));
    await one!.menu('s1');
    await clock.advance(2 * minutes);
    await other!.refresh('s1');
    service.changeMenu('s1', 'sha256:b2', () => {});

    one!.expire('s1');
    await settle();

    expect((await one!.menu('s1')).version_hash).toBe('sha256:b2');
  });

  test('get a menu within seconds when the store does not respond', async () => {
    const hangs = () => new Promise<never>(() => {});
    const store = { get: hangs, set: hangs, setIfAbsent: hangs, compareAndSet: hangs, compareAndDelete: hangs };
    const menu = createMenuCache(service.client, { clock, store }).menu('s1');
    let version: string | undefined;
    void menu.then(({ version_hash }) => {
      version = version_hash;
    });

    await clock.advance(3_000);

    expect(version).toBe('sha256:a1');
  });
});

test('a step of the wall clock makes no menu older or younger', async () => {
  const cache = createMenuCache(service.client, { clock });
  await cache.menu('s1');
  clock.step(24 * 60 * minutes);
  await cache.menu('s1');
  await settle();
  expect(service.reads).toEqual(['menu s1']);

  clock.step(-48 * 60 * minutes);
  await clock.advance(5 * minutes);
  await cache.menu('s1');
  await settle();

  expect(service.reads).toEqual(['menu s1', 'metadata s1']);
});
