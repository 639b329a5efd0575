import { describe, expect, test } from 'vitest';
import { type Json, openService } from '../../open-service.js';

async function openStore() {
  const opened = await openService();
  const { downtown } = opened.service.samples.locations;
  const inventory = async () => (await opened.call(`GET /locations/${downtown}/inventory?limit=500`)).body.data;
  const types = () => opened.service.webhooks.events().map(({ event_type }) => event_type);
  return { ...opened, downtown, inventory, types };
}

describe('A menu', () => {
  test('that a change breaks stays as it was, without an event', async () => {
    const { service, call, downtown, inventory, types } = await openStore();
    const before = (await call(`GET /locations/${downtown}/menu`)).body;

    const breaks: ((menu: Json) => unknown)[] = [
      (menu) => delete menu.categories[0].items,
      (menu) => {
        menu.categories[0].items[0].base_price = 12.5;
      },
      (menu) => {
        menu.categories[0].name = 'Deli';
        throw new Error('on the way');
      },
    ];
    expect(() => service.menu.update(downtown, breaks[0]!)).toThrow(
      'menu: "categories[0].items" is missing; write a list',
    );
    expect(() => service.menu.update(downtown, breaks[1]!)).toThrow('"categories[0].items[0].base_price" is 12.5');
    expect(() => service.menu.update(downtown, breaks[2]!)).toThrow('on the way');

    expect((await call(`GET /locations/${downtown}/menu`)).body).toEqual(before);
    expect(await inventory()).not.toEqual([]);
    expect(types()).toEqual([]);
  });

  test('whose items are switched off changes the inventory, and says so in one event', async () => {
    const { service, downtown, inventory, types } = await openStore();
    const { houseCoffee, latte } = service.samples.items;
    await service.clock.advance('1m');

    service.menu.update(downtown, (menu) => {
      for (const item of menu.categories.flatMap(({ items }) => items)) {
        if (item.id === houseCoffee || item.id === latte) item.available = false;
      }
    });

    expect(types()).toEqual(['menu.changed', 'stock.updated']);
    const [, event] = service.webhooks.events();
    expect(event?.data).toMatchObject({
      items: [houseCoffee, latte].map((item_id) => ({
        item_id,
        previous_status: 'IN_STOCK',
        current_status: 'OUT_OF_STOCK',
        updated_at: '2026-03-10T17:01:00.000Z',
      })),
    });
    const shown = (await inventory()).find((item: Json) => item.item_id === latte);
    expect(shown).toMatchObject({ availability_status: 'OUT_OF_STOCK', updated_at: '2026-03-10T17:01:00.000Z' });
  });

  test('may have enum values and fields that nobody knows yet', async () => {
    const { service, call, downtown } = await openStore();

    service.menu.update(downtown, (menu) => {
      Object.assign(menu.categories[0]!.items[0]!, {
        tender_restriction_level: 'RESTRICTED',
        allowed_tenders: ['CRYPTO'],
        calories: 240,
      });
    });

    const [item] = (await call(`GET /locations/${downtown}/menu`)).body.categories[0].items;
    expect(item).toMatchObject({ allowed_tenders: ['CRYPTO'], calories: 240 });
  });
});

describe('Stock', () => {
  test('of several items is told by one event, without those that stay what they are', async () => {
    const { service, downtown } = await openStore();
    const { houseCoffee, latte, turkeySub } = service.samples.items;
    service.stock.set(downtown, latte, 'OUT_OF_STOCK');

    service.stock.setMany(downtown, {
      [houseCoffee]: 'LOW_STOCK',
      [latte]: 'OUT_OF_STOCK',
      [turkeySub]: 'OUT_OF_STOCK',
    });

    const [, event] = service.webhooks.events();
    expect((event!.data as Json).items.map(({ item_id }: Json) => item_id).sort()).toEqual(
      [houseCoffee, turkeySub].sort(),
    );
  });

  test('is changed for all items or for none', async () => {
    const { service, downtown, types } = await openStore();
    const { houseCoffee } = service.samples.items;

    const slip = () => service.stock.setMany(downtown, { [houseCoffee]: 'OUT_OF_STOCK', [downtown]: 'IN_STOCK' });

    expect(slip).toThrow('has no item');
    expect(types()).toEqual([]);
  });
});

describe('Hours', () => {
  const HOURS = [{ day_of_week: 'MONDAY', open_time: '08:00', close_time: '20:00', is_closed: false }];

  test('with an effective date are told at once, and hold from the local midnight of that day', async () => {
    const { service, call, downtown } = await openStore();
    const hours = async () => (await call(`GET /locations/${downtown}`)).body.business_hours;
    const before = await hours();

    service.hours.set(downtown, HOURS, { effectiveDate: '2026-03-11' });

    expect(service.webhooks.events()[0]?.data).toMatchObject({
      previous_hours: before,
      current_hours: HOURS,
      effective_date: '2026-03-11',
    });
    expect(await hours()).toEqual(before);
    // Tuesday noon in Chicago; midnight is twelve hours away.
    await service.clock.advance('11h');
    expect(await hours()).toEqual(before);
    await service.clock.advance('1h');
    expect(await hours()).toEqual(HOURS);
  });
});

describe('A location', () => {
  test('that stops taking orders in mid-session refuses new carts and checkouts', async () => {
    const { service, call, downtown } = await openStore();
    const cart = (await call('POST /carts', { body: { location_id: downtown } })).body;
    await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.turkeySub });

    service.locations.update(downtown, { online_ordering_enabled: false });

    const refused = { status: 422, body: { error: { message: 'Location is not available for online ordering' } } };
    expect(await call('POST /carts', { body: { location_id: downtown } })).toMatchObject(refused);
    const checkout = () => call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: { mode: 'PICKUP' } } });
    expect(await checkout()).toMatchObject(refused);
    service.locations.update(downtown, { online_ordering_enabled: true });
    expect((await checkout()).status).toBe(201);
  });

  test('that is inactive is neither listed nor found', async () => {
    const { service, call, downtown } = await openStore();

    service.locations.update(downtown, { active: false });

    expect((await call('GET /locations')).body.data.map(({ id }: Json) => id)).not.toContain(downtown);
    expect((await call(`GET /locations/${downtown}`)).status).toBe(404);
    expect((await call('POST /carts', { body: { location_id: downtown } })).status).toBe(404);
    expect(service.locations.list().map(({ id }) => id)).toContain(downtown);
  });

  test('changes its modes, minimums and time zone for carts that exist', async () => {
    const { service, call, downtown } = await openStore();
    const cart = (await call('POST /carts', { body: { location_id: downtown } })).body;
    await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.turkeySub });
    await call(`PUT /carts/${cart.id}/handoff`, { body: { mode: 'PICKUP' } });

    service.locations.update(downtown, { minimum_order_amounts: { PICKUP: { amount: 5000, currency: 'USD' } } });
    const { fees } = (await call(`POST /carts/${cart.id}/calculate`)).body;
    expect(fees.map(({ type }: Json) => type)).toContain('SMALL_ORDER');

    service.locations.update(downtown, { handoff_modes: ['CURBSIDE'], timezone: 'Pacific/Auckland' });
    expect((await call(`PUT /carts/${cart.id}/handoff`, { body: { mode: 'PICKUP' } })).status).toBe(422);
    expect((await call(`GET /locations/${downtown}`)).body.timezone).toBe('Pacific/Auckland');
  });
});
