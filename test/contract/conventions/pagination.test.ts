import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Page } from '../support/records.js';
import { badRequest, expectPage, expectRefusal, expectStatus } from '../support/shapes.js';
import { everyItem, openLocation, placeOrder } from '../support/shop.js';
import { isLive, needs, openMock, openTarget, type Target } from '../support/target.js';

type Row = Record<string, unknown>;

/** A list endpoint: its path, its page sizes, and how to get rows into it. */
interface List {
  readonly path: (target: Target) => Promise<string>;
  readonly standard: number;
  readonly most: number;
  readonly fill: (target: Target, count: number) => Promise<void>;
}

const nothing = async (): Promise<void> => {};

const LISTS: Readonly<Record<string, List>> = {
  'GET /locations': { path: async () => '/locations', standard: 20, most: 100, fill: nothing },
  'GET /orders': {
    path: async () => '/orders',
    standard: 20,
    most: 100,
    fill: async (target, count) => {
      for (let done = 0; done < count; done += 1) await placeOrder(target, 'PICKUP', 1);
    },
  },
  'GET /webhooks': {
    path: async () => '/webhooks',
    standard: 20,
    most: 100,
    fill: async (target, count) => {
      for (let done = 0; done < count; done += 1) {
        const url = `https://hooks.example.com/${randomUUID()}`;
        expectStatus(await target.post('/webhooks', { url, event_types: ['order.created'] }), 201);
      }
    },
  },
  'GET /locations/{location_id}/inventory': {
    path: async (target) => `/locations/${(await openLocation(target)).id}/inventory`,
    standard: 100,
    most: 500,
    fill: nothing,
  },
};

const NAMES = Object.keys(LISTS);
const needsRows = needs('many rows');

/** A list with rows in it: a real service shows those that it has. */
async function open(name: string, rows = 5): Promise<{ target: Target; path: string; list: List }> {
  const list = LISTS[name]!;
  // Enough for many requests, so that the limits of the service are not what is tested here.
  const target = isLive ? openTarget() : openMock({ rateLimits: false }).target;
  if (!isLive) await list.fill(target, rows);
  return { target, path: await list.path(target), list };
}

/** None where one page is all: an account may have a single location, and no subscription. */
const cursorOf = ({ next_cursor: cursor }: Page<Row>['pagination']): { cursor?: string } =>
  cursor === null ? {} : { cursor };

const idOf = (row: Row): unknown => row.id ?? row.item_id;
const idsOf = (rows: readonly Row[]): unknown[] => rows.map(idOf);

describe.each(NAMES)('%s', (name) => {
  test(`Pagination, ${name}: a page has data, has_more and next_cursor`, async () => {
    const { target, path } = await open(name);

    expectPage(await target.get<Page<Row>>(path));
  });

  test(`Pagination, ${name}: limit bounds a page`, async () => {
    const { target, path } = await open(name);

    const page = expectPage(await target.get<Page<Row>>(path, { query: { limit: 2 } }));

    expect(page.data.length).toBeLessThanOrEqual(2);
  });

  needsRows(`Pagination, ${name}: has_more is true and next_cursor set while more results exist`, async () => {
    const { target, path } = await open(name);

    const page = expectPage(await target.get<Page<Row>>(path, { query: { limit: 1 } }));

    expect(page.data).toHaveLength(1);
    expect(page.pagination.has_more).toBe(true);
    expect(page.pagination.next_cursor).toMatch(/\S/);
  });

  needsRows(`Pagination, ${name}: next_cursor is null on the last page`, async () => {
    const { target, path, list } = await open(name);
    const all = await everyItem<Row>(target, path, { limit: list.most });

    const page = expectPage(await target.get<Page<Row>>(path, { query: { limit: Math.min(all.length, list.most) } }));

    if (all.length <= list.most) expect(page.pagination).toEqual({ has_more: false, next_cursor: null });
  });

  test(`Pagination, ${name}: walking the cursors gives every row once`, async () => {
    const { target, path, list } = await open(name);
    const whole = await everyItem<Row>(target, path, { limit: list.most });

    const walked = await everyItem<Row>(target, path, { limit: name.endsWith('inventory') ? 37 : 2 });

    expect(idsOf(walked)).toEqual(idsOf(whole));
    expect(new Set(idsOf(walked)).size).toBe(walked.length);
  });

  test(`Pagination, ${name}: a cursor used twice gives the same page`, async () => {
    const { target, path } = await open(name);
    const { pagination } = expectPage(await target.get<Page<Row>>(path, { query: { limit: 1 } }));
    const query = { limit: 1, ...cursorOf(pagination) };
    const first = await target.get<Page<Row>>(path, { query });

    const second = await target.get<Page<Row>>(path, { query });

    expect(second.body).toEqual(first.body);
  });

  test(`Pagination, ${name}: omitting the cursor restarts at the first page`, async () => {
    const { target, path } = await open(name);
    const first = expectPage(await target.get<Page<Row>>(path, { query: { limit: 2 } }));
    await target.get(path, { query: { limit: 2, ...cursorOf(first.pagination) } });

    const again = expectPage(await target.get<Page<Row>>(path, { query: { limit: 2 } }));

    expect(idsOf(again.data)).toEqual(idsOf(first.data));
  });

  test(`Pagination, ${name}: the order is the same at every reading`, async () => {
    const { target, path } = await open(name);
    const first = await everyItem<Row>(target, path);

    expect(idsOf(await everyItem<Row>(target, path))).toEqual(idsOf(first));
  });

  test(`Limits, ${name}: the maximum limit of ${LISTS[name]!.most} is accepted`, async () => {
    const { target, path, list } = await open(name);

    expectPage(await target.get<Page<Row>>(path, { query: { limit: list.most } }));
  });

  test.each([
    ['one above the maximum', (list: List) => list.most + 1],
    ['zero', () => 0],
    ['below zero', () => -1],
    ['a fraction', () => 1.5],
    ['text', () => 'many'],
  ])(`Limits, ${name} (gap LOC-6): a limit that is %s is refused with 400`, async (_case, limit) => {
    const { target, path, list } = await open(name, 0);

    expectRefusal(
      await target.get(path, { query: { limit: limit(list) } }),
      badRequest('Invalid parameter format', 'limit'),
    );
  });

  test(`Pagination, ${name}: a cursor that the service did not issue is refused with 400`, async () => {
    const { target, path } = await open(name, 0);

    expectRefusal(
      await target.get(path, { query: { cursor: 'made-up-cursor' } }),
      badRequest('Invalid parameter format', 'cursor'),
    );
  });
});

describe('Default page sizes', () => {
  needsRows.each(['GET /orders', 'GET /webhooks'])(
    'Limits, %s: 20 rows make a page when no limit is given',
    async (name) => {
      const { target, path } = await open(name, 21);

      const page = expectPage(await target.get<Page<Row>>(path));

      expect(page.data).toHaveLength(20);
      expect(page.pagination.has_more).toBe(true);
    },
  );

  needsRows('Limits, inventory: 100 rows make a page when no limit is given', async () => {
    const { target, path } = await open('GET /locations/{location_id}/inventory');
    const all = await everyItem<Row>(target, path, { limit: 500 });

    const page = expectPage(await target.get<Page<Row>>(path));

    expect(page.data).toHaveLength(Math.min(100, all.length));
  });

  test('Limits, locations: at most 20 rows make a page when no limit is given', async () => {
    const page = expectPage(await openTarget().get<Page<Row>>('/locations'));

    expect(page.data.length).toBeLessThanOrEqual(20);
  });

  needsRows('Limits, GET /orders: exactly 20 rows are one page', async () => {
    const { target, path } = await open('GET /orders', 20);

    const page = expectPage(await target.get<Page<Row>>(path));

    expect(page.data).toHaveLength(20);
    expect(page.pagination).toEqual({ has_more: false, next_cursor: null });
  });

  needsRows('Pagination, GET /orders: an order placed during a walk does not repeat a row', async () => {
    const { target, path, list } = await open('GET /orders', 5);
    const first = expectPage(await target.get<Page<Row>>(path, { query: { limit: 3 } }));
    await list.fill(target, 1);

    const second = expectPage(
      await target.get<Page<Row>>(path, { query: { limit: 3, cursor: first.pagination.next_cursor! } }),
    );

    expect(idsOf(first.data).filter((id) => idsOf(second.data).includes(id))).toEqual([]);
    expect(second.data).toHaveLength(2);
  });
});
