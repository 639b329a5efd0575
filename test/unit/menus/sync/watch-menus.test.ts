import { type MenuChange, type MenuEvent, watchMenus } from 'online-ordering-sdk/menus';
import { beforeEach, describe, expect, test } from 'vitest';
import { Emitter } from '../../../../src/platform/emitter.js';
import { deliMenu, ids, menuItem } from '../../../support/records/deli-menu.js';
import { StoredRecords } from '../../../support/service/stored-records.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';

let service: StoredRecords;
let clock: VirtualClock;
const random = () => 0;
const minutes = 60_000;

beforeEach(() => {
  service = new StoredRecords({ s1: deliMenu() });
  for (const id of Object.values(ids)) service.item(id, 'IN_STOCK');
  clock = new VirtualClock(Date.parse('2026-01-15T12:00:00Z'));
});

/** A read that is under way, and what it gave so far. */
function reading(watch: AsyncIterator<MenuChange>) {
  const result: { change: MenuChange | undefined; done: boolean } = { change: undefined, done: false };
  void watch.next().then(({ value, done }) => Object.assign(result, { change: value, done: done === true }));
  return result;
}

class Events extends Emitter<Record<'menu.changed' | 'stock.updated' | 'location.hours_changed', MenuEvent>> {}

test('begins with the first menu, and yields what a poll finds changed', async () => {
  const read = reading(watchMenus(service.client, ['s1'], { clock, random }));
  await settle();
  service.changeMenu('s1', 'sha256:b2', (menu) => {
    menu.categories[0]!.items[0]!.base_price.amount = 949;
    menu.categories[0]!.items.push(menuItem('new', 'Cookie', 149));
  });
  await clock.advance(5 * minutes - 1);
  expect(read.change).toBeUndefined();

  await clock.advance(1);

  expect(read.change).toMatchObject({
    locationId: 's1',
    reason: 'poll',
    diff: {
      added: [{ name: 'Cookie' }],
      removed: [],
      changed: [{ name: 'Italian Sub', price: { before: { amount: 899 }, after: { amount: 949 } } }],
    },
  });
  expect(read.change?.menu.item('new')?.name).toBe('Cookie');
});

test('one metadata request decides; an unchanged menu is not fetched again', async () => {
  reading(watchMenus(service.client, ['s1'], { clock, random, inventory: false }));
  await settle();
  expect(service.reads).toEqual(['location s1', 'menu s1']);

  await clock.advance(15 * minutes);

  expect(service.reads.slice(2)).toEqual(['metadata s1', 'metadata s1', 'metadata s1']);
});

test('outside business hours polls come every 30 minutes, and opening time is not slept through', async () => {
  service.location = {
    timezone: 'UTC',
    business_hours: [{ day_of_week: 'THURSDAY', open_time: '13:10', close_time: '22:00', is_closed: false }],
  };
  const polls: string[] = [];
  service.gate = async () => {
    if (service.reads.at(-1) === 'metadata s1') polls.push(new Date(clock.now()).toISOString().slice(11, 16));
  };
  reading(watchMenus(service.client, ['s1'], { clock, random, inventory: false }));

  await clock.advance(90 * minutes);

  expect(polls).toEqual(['12:30', '13:00', '13:10', '13:15', '13:20', '13:25', '13:30']);
});

test('the polls of many locations are spread over the interval, and jitter only ever delays them', async () => {
  const locationIds = ['a', 'b', 'c', 'd', 'e'];
  service = new StoredRecords(Object.fromEntries(locationIds.map((id) => [id, deliMenu()])));
  const polls: [string, number][] = [];
  service.gate = async () => {
    const [call, locationId] = service.reads.at(-1)!.split(' ') as [string, string];
    if (call === 'metadata') polls.push([locationId, (clock.now() - Date.parse('2026-01-15T12:00:00Z')) / 1000]);
  };
  const always = () => 0.5;
  reading(watchMenus(service.client, locationIds, { clock, random: always, inventory: false }));

  await clock.advance(11 * minutes);

  expect(polls).toEqual([
    ['a', 75],
    ['b', 135],
    ['c', 195],
    ['d', 255],
    ['e', 315],
    ['a', 390],
    ['b', 450],
    ['c', 510],
    ['d', 570],
    ['e', 630],
  ]);
});

test('at most four locations are read at a time', async () => {
  const locationIds = Array.from({ length: 9 }, (_, place) => `s${place}`);
  service = new StoredRecords(Object.fromEntries(locationIds.map((id) => [id, deliMenu()])));
  let under = 0;
  let most = 0;
  service.gate = async () => {
    under += 1;
    most = Math.max(most, under);
    await settle();
    under -= 1;
  };

  reading(watchMenus(service.client, locationIds, { clock, random, inventory: false }));
  for (let turn = 0; turn < 20; turn += 1) await settle();

  expect(service.reads.filter((call) => call.startsWith('menu'))).toHaveLength(9);
  expect(most).toBe(4);
});

describe('events', () => {
  test('menu.changed wakes the watch at once, and fetches the menu without asking first', async () => {
    const events = new Events();
    const read = reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await settle();
    service.changeMenu('s1', 'sha256:b2', (menu) => menu.categories[1]!.items.pop());
    service.reads.length = 0;

    events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
    await settle();

    expect(service.reads).toEqual(['menu s1']);
    expect(read.change).toMatchObject({ reason: 'menu.changed', diff: { removed: [{ name: 'Slush' }] } });
  });

  test('an event about the version that is known, or about another location, costs nothing', async () => {
    const events = new Events();
    reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await settle();
    service.reads.length = 0;

    events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:a1' } });
    events.emit('menu.changed', { data: { location_id: 'elsewhere', version_hash: 'sha256:b2' } });
    await settle();

    expect(service.reads).toEqual([]);
  });

  test('stock.updated reads the inventory, and yields what became available or sold out', async () => {
    const events = new Events();
    const read = reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await settle();
    service.inventory.delete(ids.milk);
    service.item(ids.beer, 'OUT_OF_STOCK');
    service.reads.length = 0;

    events.emit('stock.updated', { data: { location_id: 's1' } });
    await settle();

    expect(service.reads).toEqual(['inventory s1']);
    expect(read.change?.diff.changed).toEqual([
      {
        itemId: ids.beer,
        name: 'Lager',
        availability: { before: true, after: false },
        stock: { before: 'IN_STOCK', after: 'OUT_OF_STOCK' },
      },
      {
        itemId: ids.milk,
        name: 'Milk',
        availability: { before: true, after: false },
        stock: { before: 'IN_STOCK', after: null },
      },
    ]);
  });

  test('location.hours_changed makes it read the hours again, and poll as often as they say', async () => {
    const hours = { open_time: '20:00', close_time: '22:00', is_closed: false };
    service.location = { timezone: 'UTC', business_hours: [{ day_of_week: 'THURSDAY', ...hours }] };
    const events = new Events();
    reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await clock.advance(1 * minutes);
    service.reads.length = 0;

    service.location = { timezone: 'UTC', business_hours: [{ day_of_week: 'THURSDAY', ...hours, open_time: '09:00' }] };
    events.emit('location.hours_changed', { data: { location_id: 's1' } });
    await clock.advance(14 * minutes);

    expect(service.reads).toEqual(['location s1', 'metadata s1', 'metadata s1', 'metadata s1']);
  });

  test('an item that is new on the menu is looked up in the stock too', async () => {
    const events = new Events();
    const read = reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await settle();
    service.changeMenu('s1', 'sha256:b2', (menu) => menu.categories[1]!.items.push(menuItem('new', 'Cookie', 149)));
    service.item('new', 'IN_STOCK');
    service.reads.length = 0;

    events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
    await settle();

    expect(service.reads).toEqual(['menu s1', 'inventory s1']);
    expect(read.change?.diff).toMatchObject({ added: [{ name: 'Cookie' }], changed: [] });
  });

  test('an event that comes while a poll is under way is followed by another look', async () => {
    const events = new Events();
    const read = reading(watchMenus(service.client, ['s1'], { clock, random, events }));
    await settle();
    let open = () => {};
    service.gate = () => new Promise((resolve) => (open = resolve));
    events.emit('stock.updated', { data: { location_id: 's1' } });
    await settle();
    events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
    service.changeMenu('s1', 'sha256:b2', (menu) => menu.categories[1]!.items.pop());
    service.gate = undefined;
    open();
    await settle();

    expect(read.change?.diff.removed).toMatchObject([{ name: 'Slush' }]);
  });

  test('without events each poll reads the stock too', async () => {
    reading(watchMenus(service.client, ['s1'], { clock, random }));
    await settle();
    service.reads.length = 0;

    await clock.advance(5 * minutes);

    expect(service.reads).toEqual(['metadata s1', 'inventory s1']);
  });
});

test('a failed poll is told and tried again, and never before the Retry-After', async () => {
  const errors: unknown[] = [];
  const events = new Events();
  const read = reading(
    watchMenus(service.client, ['s1'], { clock, random, events, onError: (error) => errors.push(error) }),
  );
  await settle();
  const limited = Object.assign(new Error('limited'), { retryAfterSeconds: 61 });
  service.gate = () => Promise.reject(limited);
  service.changeMenu('s1', 'sha256:b2', (menu) => menu.categories[1]!.items.pop());
  events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
  await settle();
  service.gate = undefined;
  service.reads.length = 0;

  events.emit('menu.changed', { data: { location_id: 's1', version_hash: 'sha256:b2' } });
  await clock.advance(60_999);
  expect([errors, service.reads]).toEqual([[limited], []]);
  await clock.advance(1);

  expect(service.reads).toEqual(['menu s1']);
  expect(read.change?.diff.removed).toMatchObject([{ name: 'Slush' }]);
});

test('who reads slowly gets one diff over all that happened, and none for what was changed back', async () => {
  const watch = watchMenus(service.client, ['s1'], { clock, random, inventory: false });
  const first = reading(watch);
  await settle();
  const price = (cents: number, hash: string) =>
    service.changeMenu('s1', hash, (menu) => {
      menu.categories[0]!.items[0]!.base_price.amount = cents;
    });
  price(1000, 'b');
  await clock.advance(5 * minutes);
  expect(first.change?.diff.changed[0]?.price?.after?.amount).toBe(1000);

  price(1100, 'c');
  await clock.advance(5 * minutes);
  price(1200, 'd');
  await clock.advance(5 * minutes);
  const { value } = await watch.next();

  expect(value?.diff.changed[0]?.price).toEqual({
    before: { amount: 1000, currency: 'USD' },
    after: { amount: 1200, currency: 'USD' },
  });

  price(1300, 'e');
  await clock.advance(5 * minutes);
  price(1200, 'f');
  await clock.advance(5 * minutes);
  const next = reading(watch);
  await settle();
  expect(next.change).toBeUndefined();
});

test('a menu known from before is what the first diff is against', async () => {
  const known = deliMenu();
  known.categories[1]!.items.pop();

  const watch = watchMenus(service.client, ['s1'], { clock, random, since: new Map([['s1', known]]) });
  const { value } = await watch.next();

  expect(value?.diff.added).toMatchObject([{ name: 'Slush' }]);
  expect(value?.diff.changed).toEqual([]);
});

describe('the end', () => {
  test('an abort ends the loop without an error, and leaves no timer and no listener', async () => {
    const ending = new AbortController();
    const events = new Events();
    const seen: MenuChange[] = [];
    const loop = (async () => {
      for await (const change of watchMenus(service.client, ['s1'], { clock, random, events, signal: ending.signal })) {
        seen.push(change);
      }
    })();
    await settle();

    ending.abort();
    await loop;

    expect(seen).toEqual([]);
    expect(clock.foregroundTimers + clock.backgroundTimers).toBe(0);
    expect(events.has('menu.changed') || events.has('stock.updated')).toBe(false);
  });

  test('break ends it too', async () => {
    const known = deliMenu();
    known.categories[1]!.items.pop();
    for await (const { locationId } of watchMenus(service.client, ['s1'], { clock, since: new Map([['s1', known]]) })) {
      expect(locationId).toBe('s1');
      break;
    }
    await settle();

    expect(clock.foregroundTimers + clock.backgroundTimers).toBe(0);
  });

  test('requests under way are given up', async () => {
    let given: AbortSignal | undefined;
    const hanging = {
      ...service.client,
      menus: {
        ...service.client.menus,
        retrieve: (_: string, options?: { signal?: AbortSignal }) => {
          given = options?.signal;
          return new Promise<never>(() => {});
        },
      },
    };
    const watch = watchMenus(hanging, ['s1'], { clock, random });
    const read = reading(watch);
    await settle();

    await watch.return?.();
    await settle();

    expect(given?.aborted).toBe(true);
    expect(read.done).toBe(true);
  });

  test('a signal that is aborted before the first read ends it before the first request', async () => {
    const watch = watchMenus(service.client, ['s1'], { clock, signal: AbortSignal.abort() });

    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(service.reads).toEqual([]);
  });

  test('nothing is requested before the first read', async () => {
    watchMenus(service.client, ['s1'], { clock, random });
    await clock.advance(60 * minutes);

    expect(service.reads).toEqual([]);
  });
});
