import { describe, expect, test } from 'vitest';
import { itemsOf } from '../support/catalogue.js';
import type { Cart, InventoryItem, Menu, Page } from '../support/records.js';
import {
  badRequest,
  expectPage,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  NO_SUCH_ID,
  notFound,
  unprocessable,
} from '../support/shapes.js';
import { createCart, everyItem, found, menuOf, openLocation, openShop, requestFor } from '../support/shop.js';
import { needs, openMock, openTarget, type Target } from '../support/target.js';

const needsStock = needs('control of the stock');

async function inventoryOf(target: Target, locationId: string): Promise<InventoryItem[]> {
  return everyItem<InventoryItem>(target, `/locations/${locationId}/inventory`, { limit: 500 });
}

describe('GET /locations/{location_id}/inventory', () => {
  test('Endpoints, inventory: answers 200 with the pagination envelope', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const page = expectPage(await target.get<Page<InventoryItem>>(`/locations/${location.id}/inventory`));

    expect(page.data.length).toBeGreaterThan(0);
  });

  test('Resources, Inventory item (gap INV-1): each record has item_id, name, availability_status and updated_at', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    for (const item of await inventoryOf(target, location.id)) {
      expect(item.item_id).toMatch(/\S/);
      expect(item.name).toMatch(/\S/);
      expect(['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK']).toContain(item.availability_status);
      expectTimestamp(item.updated_at);
    }
  });

  test('Endpoints, inventory: lists items of the menu, each once', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const ids = (await inventoryOf(target, location.id)).map((item) => item.item_id);

    const menuIds = new Set(itemsOf(await menuOf(target, location.id)).map((item) => item.id));

    expect(ids.filter((id) => !menuIds.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  needs('the sample store')('Endpoints, inventory: an item that is not returned is not available there', async () => {
    const { target } = openMock();
    const location = await openLocation(target);
    const listed = new Set((await inventoryOf(target, location.id)).map((item) => item.item_id));
    const offered = itemsOf(await menuOf(target, location.id)).find((item) => item.available && !listed.has(item.id));
    const item = found(offered, 'an item of the menu that the location does not carry');
    const cart = await createCart(target, location.id);

    expectRefusal(
      await target.post(`/carts/${cart.id}/items`, requestFor(item)),
      unprocessable('Item is not available'),
    );
  });

  needs('control of the menu')(
    'Endpoints, inventory: an item that is not returned stays unavailable when the menu changes',
    async () => {
      const { target, mock } = openMock();
      const location = await openLocation(target);
      const before = (await inventoryOf(target, location.id)).map((item) => item.item_id);
      await mock.menu.update(location.id, (menu) => {
        itemsOf(menu as Menu)[0]!.base_price.amount += 5;
      });

      expect((await inventoryOf(target, location.id)).map((item) => item.item_id)).toEqual(before);
    },
  );

  test('Resources, Inventory item: name is the name on the menu', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const names = new Map(itemsOf(await menuOf(target, location.id)).map((item) => [item.id, item.name]));

    const [first] = await inventoryOf(target, location.id);

    expect(first!.name).toBe(names.get(first!.item_id));
  });

  test('Errors 404: the inventory of an unknown location is not found', async () => {
    expectRefusal(await openTarget().get(`/locations/${NO_SUCH_ID}/inventory`), notFound('Location not found'));
  });

  test('Errors 400: the inventory of a location id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().get('/locations/store-1/inventory'), badRequest(undefined, 'location_id'));
  });
});

describe('Availability that changes', () => {
  needsStock.each(['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'] as const)(
    'Resources, Inventory item: an item set to %s is listed so',
    async (status) => {
      const { target, mock } = openMock();
      const { location, plain } = await openShop(target);
      await mock.stock.set(location.id, plain.id, status === 'IN_STOCK' ? 'LOW_STOCK' : 'IN_STOCK');
      await mock.stock.set(location.id, plain.id, status);

      const item = (await inventoryOf(target, location.id)).find(({ item_id }) => item_id === plain.id);

      expect(item!.availability_status).toBe(status);
    },
  );

  needsStock('Resources, Inventory item: a change moves updated_at', async () => {
    const { target, mock } = openMock();
    const { location, plain } = await openShop(target);
    const before = (await inventoryOf(target, location.id)).find(({ item_id }) => item_id === plain.id)!;
    await mock.clock.advance('90s');
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');

    const after = (await inventoryOf(target, location.id)).find(({ item_id }) => item_id === plain.id)!;

    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  });

  needsStock('Cart rules 1, Errors 422: an item that is out of stock is not added', async () => {
    const { target, mock } = openMock();
    const { location, plain } = await openShop(target);
    const cart = await createCart(target, location.id);
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');

    const answer = await target.post(`/carts/${cart.id}/items`, requestFor(plain));

    expectRefusal(answer, unprocessable('Item is not available'));
  });

  needsStock('Cart rules 1: an item of low stock is still sold', async () => {
    const { target, mock } = openMock();
    const { location, plain } = await openShop(target);
    const cart = await createCart(target, location.id);
    await mock.stock.set(location.id, plain.id, 'LOW_STOCK');

    expectStatus(await target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain)), 201);
  });

  needsStock('Cart rules 1: an item that is back in stock is sold again', async () => {
    const { target, mock } = openMock();
    const { location, plain } = await openShop(target);
    const cart = await createCart(target, location.id);
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');
    await mock.stock.set(location.id, plain.id, 'IN_STOCK');

    expectStatus(await target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain)), 201);
  });

  needsStock('Endpoints, inventory: stock is kept per location', async () => {
    const { target, mock } = openMock();
    const { location, plain } = await openShop(target);
    const elsewhere = (await everyItem<{ id: string }>(target, '/locations')).find(({ id }) => id !== location.id)!;
    const before = await inventoryOf(target, elsewhere.id);
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');

    expect(await inventoryOf(target, elsewhere.id)).toEqual(before);
  });

  needsStock('Resources, MenuItem: the menu of a location is not changed by its stock', async () => {
    const { target, mock } = openMock();
    const { location, menu, plain } = await openShop(target);
    await mock.stock.set(location.id, plain.id, 'LOW_STOCK');

    const again = await target.get<Menu>(`/locations/${location.id}/menu`);

    expect(again.body.version_hash).toBe(menu.version_hash);
  });
});
