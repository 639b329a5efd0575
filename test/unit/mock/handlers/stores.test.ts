import { describe, expect, test } from 'vitest';
import type { InventoryItem, Location } from '../../../../src/contract/index.js';
import { openSampleStore } from './sample-store.js';

interface Page<T> {
  data: T[];
  pagination: { has_more: boolean; next_cursor: string | null };
}

describe('locations', () => {
  test('the list holds the locations in scope, and no other', () => {
    const { call, locations } = openSampleStore();
    const listed = (partnerId: string) =>
      (call('GET /locations', undefined, { partnerId }).body as Page<Location>).data.map(({ id }) => id);

    expect(listed('us')).toEqual([locations.downtown, locations.harbor, locations.closed]);
    expect(listed('newcomer')).toEqual([locations.harbor]);
  });

  test('a location without online ordering can be read', () => {
    const { call, locations } = openSampleStore();

    expect(call(`GET /locations/${locations.closed}`)).toMatchObject({
      status: 200,
      body: { online_ordering_enabled: false, timezone: 'America/New_York' },
    });
  });

  test.each(['', '/menu', '/menu/metadata', '/inventory'])(
    'GET /locations/{location_id}%s out of scope is 403',
    (rest) => {
      const { call, locations } = openSampleStore();

      expect(call(`GET /locations/${locations.downtown}${rest}`, undefined, { partnerId: 'newcomer' })).toMatchObject({
        status: 403,
        body: { message: 'Location not in partner scope', detail: expect.stringContaining(locations.downtown) },
      });
    },
  );
});

describe('menus', () => {
  test('metadata are the first three fields of the menu (gap MENU-1)', () => {
    const { call, locations, location } = openSampleStore();
    const { menu } = location('downtown');

    expect(call(`GET /locations/${locations.downtown}/menu/metadata`).body).toEqual({
      location_id: locations.downtown,
      last_modified: '2026-03-10T17:00:00.000Z',
      version_hash: menu.version_hash,
    });
    expect(call(`GET /locations/${locations.downtown}/menu`).body).toEqual(menu);
  });
});

describe('inventory', () => {
  test('an item that is not returned is not available, one that the store took off sale is out of stock', () => {
    const { call, locations, items } = openSampleStore();
    const { data } = call(`GET /locations/${locations.downtown}/inventory`).body as Page<InventoryItem>;
    const statusOf = (id: string) => data.find((entry) => entry.item_id === id)?.availability_status;

    expect(statusOf(items.motorOil)).toBeUndefined();
    expect(statusOf(items.seasonalPie)).toBe('OUT_OF_STOCK');
    expect(statusOf(items.beefJerky)).toBe('LOW_STOCK');
    expect(data.find((entry) => entry.item_id === items.latte)).toEqual({
      item_id: items.latte,
      name: 'Latte',
      availability_status: 'IN_STOCK',
      updated_at: '2026-03-10T17:00:00.000Z',
    });
  });

  test('pages of ten hold every item once', () => {
    const { call, locations } = openSampleStore();
    const all = (call(`GET /locations/${locations.downtown}/inventory`).body as Page<InventoryItem>).data;
    const seen: string[] = [];
    let query = 'limit=10';
    for (let pages = 0; pages < 10; pages += 1) {
      const page = call(`GET /locations/${locations.downtown}/inventory?${query}`).body as Page<InventoryItem>;
      seen.push(...page.data.map((entry) => entry.item_id));
      if (!page.pagination.has_more) break;
      query = `limit=10&cursor=${page.pagination.next_cursor}`;
    }

    expect(seen).toEqual(all.map((entry) => entry.item_id));
  });

  test('the cursor of one location is refused at another', () => {
    const { call, locations } = openSampleStore();
    const { pagination } = call(`GET /locations/${locations.downtown}/inventory?limit=1`).body as Page<InventoryItem>;

    expect(call(`GET /locations/${locations.harbor}/inventory?cursor=${pagination.next_cursor}`)).toMatchObject({
      status: 400,
      body: { message: 'Invalid parameter format', field: 'cursor' },
    });
  });

  test.each([
    [500, 200],
    [501, 400],
    [0, 400],
  ])('a limit of %i gets %i', (limit, status) => {
    const { call, locations } = openSampleStore();

    expect(call(`GET /locations/${locations.downtown}/inventory?limit=${limit}`).status).toBe(status);
  });
});
