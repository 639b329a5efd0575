import { describe, expect, test } from 'vitest';
import { depthOf, groupsOf, itemsOf, nestedGroupsOf } from '../support/catalogue.js';
import type { Menu, MenuItem, MenuMetadata, ModifierGroup } from '../support/records.js';
import {
  badRequest,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  NO_SUCH_ID,
  notFound,
  TIME_OF_DAY,
  UUID,
} from '../support/shapes.js';
import { menuOf, openLocation } from '../support/shop.js';
import { needs, openMock, openTarget, type Target } from '../support/target.js';

const TENDERS = ['CREDIT_CARD', 'DEBIT_CARD', 'CASH', 'GIFT_CARD', 'LOYALTY_POINTS', 'DIGITAL_WALLET', 'EBT'];
const needsMenu = needs('control of the menu');

async function openMenu(target: Target = openTarget()): Promise<Menu> {
  return menuOf(target, (await openLocation(target)).id);
}

async function everyMenuItem(): Promise<MenuItem[]> {
  const items = itemsOf(await openMenu());
  expect(items.length).toBeGreaterThan(0);
  return items;
}

async function everyGroup(): Promise<ModifierGroup[]> {
  const below = (group: ModifierGroup): ModifierGroup[] => [
    group,
    ...group.modifiers.flatMap(nestedGroupsOf).flatMap(below),
  ];
  const groups = (await everyMenuItem()).flatMap(groupsOf).flatMap(below);
  expect(groups.length).toBeGreaterThan(0);
  return groups;
}

describe('GET /locations/{location_id}/menu', () => {
  test('Endpoints, menu: answers 200 with categories and items', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.get<Menu>(`/locations/${location.id}/menu`);

    expectStatus(answer, 200);
    expect(itemsOf(answer.body).length).toBeGreaterThan(0);
  });

  test('Resources, Menu structure: the menu carries a version_hash', async () => {
    expect((await openMenu()).version_hash).toMatch(/\S/);
  });

  test('Endpoints, menu (gap MENU-1): names its location and its last modification', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const menu = await menuOf(target, location.id);

    expect(menu.location_id).toBe(location.id);
    expectTimestamp(menu.last_modified);
  });

  needs('the sample store')('Endpoints, menu: a response can exceed 100 KB', async () => {
    const { target } = openMock();
    const location = await openLocation(target);

    const answer = await target.get<Menu>(`/locations/${location.id}/menu`);

    expect(Buffer.byteLength(answer.text)).toBeGreaterThan(100 * 1024);
  });

  test('Endpoints, menu: reading twice gives the same menu', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const first = await target.get<Menu>(`/locations/${location.id}/menu`);

    const second = await target.get<Menu>(`/locations/${location.id}/menu`);

    expect(second.body).toEqual(first.body);
  });

  test('Errors 404: the menu of an unknown location is not found', async () => {
    expectRefusal(await openTarget().get(`/locations/${NO_SUCH_ID}/menu`), notFound('Location not found'));
  });

  test('Errors 400: the menu of a location id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().get('/locations/1/menu'), badRequest(undefined, 'location_id'));
  });
});

describe('Menu records', () => {
  test('Other records, category (gap MENU-2): has id, name, description, sort_order and items', async () => {
    for (const category of (await openMenu()).categories) {
      expect(category.id).toMatch(/\S/);
      expect(category.name).toMatch(/\S/);
      if (category.description !== null) expect(typeof category.description).toBe('string');
      expect(Number.isInteger(category.sort_order)).toBe(true);
      expect(Array.isArray(category.items)).toBe(true);
    }
  });

  test('Resources, MenuItem.id: is a UUID that no other item has', async () => {
    const ids = (await everyMenuItem()).map((item) => item.id);

    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['name', 'string'],
    ['description', 'string'],
    ['available', 'boolean'],
    ['age_verification_required', 'boolean'],
    ['non_discountable', 'boolean'],
  ] as const)('Resources, MenuItem.%s: is a %s on every item', async (field, type) => {
    for (const item of await everyMenuItem()) expect(typeof item[field]).toBe(type);
  });

  test('Resources, MenuItem.base_price: is Money, not below zero', async () => {
    for (const item of await everyMenuItem()) {
      expectMoney(item.base_price);
      expect(item.base_price.amount).toBeGreaterThanOrEqual(0);
    }
  });

  test('Resources, MenuItem.minimum_age: is an integer where age is verified, else null', async () => {
    for (const item of await everyMenuItem()) {
      if (item.age_verification_required) expect(item.minimum_age).toBeGreaterThanOrEqual(16);
      else expect(item.minimum_age).toBeNull();
    }
  });

  test('Resources, MenuItem.max_allowed_quantity: is a positive integer or null', async () => {
    for (const { max_allowed_quantity: most } of await everyMenuItem()) {
      if (most !== null) expect(Number.isInteger(most) && most > 0).toBe(true);
    }
  });

  test('Resources, MenuItem.tender_restriction_level: is NONE, RESTRICTED or null', async () => {
    for (const item of await everyMenuItem())
      expect(['NONE', 'RESTRICTED', null]).toContain(item.tender_restriction_level);
  });

  needs('a menu whose tenders are all known')(
    'Resources, MenuItem.allowed_tenders: lists named tenders or is null',
    async () => {
      for (const item of await everyMenuItem()) {
        for (const tender of item.allowed_tenders ?? []) expect(TENDERS).toContain(tender);
      }
    },
  );

  test('Resources, MenuItem.allowed_tenders: is present on a restricted item', async () => {
    for (const item of await everyMenuItem()) {
      if (item.tender_restriction_level === 'RESTRICTED') expect(item.allowed_tenders).not.toBeUndefined();
    }
  });

  test.each(['daily_sales_start_time', 'daily_sales_end_time'] as const)(
    'Resources, MenuItem.%s: is HH:MM, 24-hour, or null',
    async (field) => {
      for (const item of await everyMenuItem()) {
        if (item[field] !== null) expect(item[field]).toMatch(TIME_OF_DAY);
      }
    },
  );

  test('Resources, ModifierSelection (gap MENU-4): a group has whole limits, and no more than it needs at least', async () => {
    for (const group of await everyGroup()) {
      expect(Number.isInteger(group.min_selections) && group.min_selections >= 0).toBe(true);
      expect(Number.isInteger(group.max_selections)).toBe(true);
      expect(group.max_selections).toBeGreaterThanOrEqual(group.min_selections);
    }
  });

  test('Other records, modifier group: allows_duplicates is a boolean', async () => {
    for (const group of await everyGroup()) expect(typeof group.allows_duplicates).toBe('boolean');
  });

  test('Other records, modifier group: can be satisfied with its own modifiers', async () => {
    for (const group of await everyGroup()) {
      const most = group.allows_duplicates ? Number.POSITIVE_INFINITY : group.modifiers.length;
      expect(most).toBeGreaterThanOrEqual(group.min_selections);
    }
  });

  test('Other records, modifier (gap MENU-5): has id, name and price', async () => {
    for (const modifier of (await everyGroup()).flatMap((group) => group.modifiers)) {
      expect(modifier.id).toMatch(UUID);
      expect(modifier.name).toMatch(/\S/);
      expectMoney(modifier.price);
    }
  });

  test('Limits: modifier groups nest at most 3 levels deep', async () => {
    for (const item of await everyMenuItem()) expect(depthOf(groupsOf(item))).toBeLessThanOrEqual(3);
  });

  needs('the sample store').each([
    ['a group that must be chosen from', (group: ModifierGroup) => group.min_selections > 0],
    ['an optional group', (group: ModifierGroup) => group.min_selections === 0],
    ['a group that allows duplicates', (group: ModifierGroup) => group.allows_duplicates],
    ['a group that allows no duplicates', (group: ModifierGroup) => !group.allows_duplicates],
  ])('Resources, Menu structure: the sample menu has %s', async (_case, matches) => {
    expect((await everyGroup()).some(matches)).toBe(true);
  });

  needs('the sample store').each([
    ['three levels of modifier groups', (item: MenuItem) => depthOf(groupsOf(item)) === 3],
    ['an item with an age limit', (item: MenuItem) => item.minimum_age !== null],
    ['an item with sale hours', (item: MenuItem) => item.daily_sales_start_time !== null],
    ['an item of restricted tenders', (item: MenuItem) => item.tender_restriction_level === 'RESTRICTED'],
    ['an item with a quantity limit', (item: MenuItem) => item.max_allowed_quantity !== null],
    ['an item that no discount touches', (item: MenuItem) => item.non_discountable],
  ])('Resources, MenuItem: the sample menu has %s', async (_case, matches) => {
    expect((await everyMenuItem()).some(matches)).toBe(true);
  });
});

describe('GET /locations/{location_id}/menu/metadata', () => {
  test('Endpoints, menu metadata: answers 200 with the hash and the time of the menu', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const menu = await menuOf(target, location.id);

    const answer = await target.get<MenuMetadata>(`/locations/${location.id}/menu/metadata`);

    expectStatus(answer, 200);
    expect(answer.body.version_hash).toBe(menu.version_hash);
    expect(answer.body.last_modified).toBe(menu.last_modified);
  });

  test('Endpoints, menu metadata (gap MENU-1): is lightweight: three fields', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.get<MenuMetadata>(`/locations/${location.id}/menu/metadata`);

    expect(Object.keys(answer.body).sort()).toEqual(['last_modified', 'location_id', 'version_hash']);
  });

  test('Errors 404: the metadata of an unknown location is not found', async () => {
    expectRefusal(await openTarget().get(`/locations/${NO_SUCH_ID}/menu/metadata`), notFound('Location not found'));
  });

  needsMenu('Endpoints, menu metadata: a changed menu has another hash, and its metadata the same one', async () => {
    const { target, mock } = openMock();
    const { id } = await openLocation(target);
    const before = await menuOf(target, id);
    await raisePrices(mock, id);

    const menu = await target.get<Menu>(`/locations/${id}/menu`);
    const metadata = await target.get<MenuMetadata>(`/locations/${id}/menu/metadata`);

    expect(menu.body.version_hash).not.toBe(before.version_hash);
    expect(metadata.body.version_hash).toBe(menu.body.version_hash);
  });

  needsMenu('Endpoints, menu metadata: a changed menu moves the time of its last modification', async () => {
    const { target, mock } = openMock();
    const { id } = await openLocation(target);
    const before = await menuOf(target, id);
    await mock.clock.advance('10m');
    await raisePrices(mock, id);

    const metadata = await target.get<MenuMetadata>(`/locations/${id}/menu/metadata`);

    expect(Date.parse(metadata.body.last_modified)).toBeGreaterThan(Date.parse(before.last_modified));
  });

  needsMenu('Endpoints, menu metadata: passing time alone changes nothing', async () => {
    const { target, mock } = openMock();
    const { id } = await openLocation(target);
    const before = await target.get<MenuMetadata>(`/locations/${id}/menu/metadata`);
    await mock.clock.advance('6h');

    const after = await target.get<MenuMetadata>(`/locations/${id}/menu/metadata`);

    expect(after.body).toEqual(before.body);
  });
});

async function raisePrices(mock: ReturnType<typeof openMock>['mock'], locationId: string): Promise<void> {
  await mock.menu.update(locationId, (menu) => {
    for (const item of (menu as Menu).categories.flatMap((category) => category.items)) item.base_price.amount += 10;
  });
}
