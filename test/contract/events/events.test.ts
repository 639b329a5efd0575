import { describe, expect } from 'vitest';
import { itemsOf } from '../support/catalogue.js';
import type { Hours, Menu, MenuMetadata, Order } from '../support/records.js';
import { cents, expectMoney, expectStatus, expectTimestamp } from '../support/shapes.js';
import { everyLocation, MODES, openShop, paidOrder, pay, placeOrder, readOrder } from '../support/shop.js';
import { aMoment, type Listening, listening, needsEvents } from './listening.js';
import { type Delivery, isSignedWith } from './receiver.js';

async function onlyEvent(service: Listening, type: string): Promise<Record<string, unknown>> {
  const [delivery] = await service.deliveries(type);
  return delivery!.event.data;
}

async function changeHours({
  mock,
  target,
}: Listening): Promise<{ locationId: string; before: Hours[]; after: Hours[] }> {
  const [location] = await everyLocation(target);
  const after = location!.business_hours.map((day) => ({ ...day, open_time: '06:15', close_time: '20:45' }));
  await mock.hours.set(location!.id, after);
  return { locationId: location!.id, before: location!.business_hours, after };
}

async function changeMenu({ mock, target }: Listening): Promise<string> {
  const { location } = await openShop(target);
  await mock.menu.update(location.id, (menu) => {
    itemsOf(menu as Menu)[0]!.base_price.amount += 15;
  });
  return location.id;
}

async function runOut({ mock, target }: Listening) {
  const shop = await openShop(target);
  await mock.stock.set(shop.location.id, shop.plain.id, 'OUT_OF_STOCK');
  return shop;
}

/** What makes each event happen. */
const CAUSES: Readonly<Record<string, (service: Listening) => Promise<unknown>>> = {
  'order.created': ({ target }) => placeOrder(target),
  'order.status_changed': ({ target }) => paidOrder(target),
  'order.cancelled': async ({ target }) => target.post(`/orders/${(await placeOrder(target)).id}/cancel`),
  'stock.updated': runOut,
  'menu.changed': changeMenu,
  'location.hours_changed': changeHours,
};
const TYPES = Object.keys(CAUSES);

describe('Every event', () => {
  needsEvents.each(TYPES)('Events: %s is delivered as a POST of JSON to the URL of the subscription', async (type) => {
    const service = await listening(type);
    await CAUSES[type]!(service);

    const [delivery] = await service.deliveries(type);

    expect(delivery).toMatchObject({ method: 'POST', path: '/events' });
    expect(delivery!.headers['content-type']).toMatch(/^application\/json/);
  });

  needsEvents.each(TYPES)('Events (gap EVT-1): %s has event_id, event_type, created_at and data', async (type) => {
    const service = await listening(type);
    await CAUSES[type]!(service);

    const [{ event }] = (await service.deliveries(type)) as [Delivery];

    expect(Object.keys(event).sort()).toEqual(['created_at', 'data', 'event_id', 'event_type']);
    expect(event.event_id).toMatch(/\S/);
    expect(event.event_type).toBe(type);
    expectTimestamp(event.created_at);
  });

  needsEvents.each(TYPES)('Events rules 1 (gap SIG-1): %s is signed with HMAC-SHA256 of its raw body', async (type) => {
    const service = await listening(type);
    await CAUSES[type]!(service);

    const [delivery] = await service.deliveries(type);

    expect(isSignedWith(delivery!, service.subscription.signing_secret!)).toBe(true);
    expect(isSignedWith(delivery!, 'another secret')).toBe(false);
  });

  needsEvents.each(TYPES)('Events: %s is not sent to a subscription of other types', async (type) => {
    const service = await listening({}, ...TYPES.filter((other) => other !== type));
    await CAUSES[type]!(service);
    await aMoment();

    expect(service.receiver.deliveries.map(({ event }) => event.event_type)).not.toContain(type);
  });
});

describe('order.created', () => {
  needsEvents('Events, order.created (gap EVT-2): carries minimal order data', async () => {
    const service = await listening('order.created');
    const order = await placeOrder(service.target);

    const data = await onlyEvent(service, 'order.created');

    expect(data).toMatchObject({
      order_id: order.id,
      location_id: order.location_id,
      status: 'PENDING',
      handoff_mode: 'PICKUP',
      total: order.total,
    });
    expectMoney(data.total);
    expectTimestamp(data.created_at);
    expect(data).not.toHaveProperty('items');
  });

  needsEvents.each(MODES)('Events, order.created: names the handoff mode %s', async (mode) => {
    const service = await listening('order.created');
    await placeOrder(service.target, mode);

    expect((await onlyEvent(service, 'order.created')).handoff_mode).toBe(mode);
  });

  needsEvents('Events, order.created: a cart that is not checked out sends none', async () => {
    const service = await listening('order.created');
    await openShop(service.target);
    await aMoment();

    expect(service.receiver.deliveries).toEqual([]);
  });
});

describe('order.status_changed', () => {
  const fields = ['status', 'fulfillment_status', 'payment_status'] as const;

  needsEvents(
    'Events, order.status_changed (gap EVT-3): carries previous and current values of all three',
    async () => {
      const service = await listening('order.status_changed');
      const order = await paidOrder(service.target);

      for (const { event } of await service.deliveries('order.status_changed')) {
        expect(event.data).toMatchObject({ order_id: order.id, location_id: order.location_id });
        for (const field of fields) {
          expect(event.data[`previous_${field}`]).toMatch(/\S/);
          expect(event.data[`current_${field}`]).toMatch(/\S/);
        }
        expectTimestamp(event.data.changed_at);
        expect(fields.some((field) => event.data[`previous_${field}`] !== event.data[`current_${field}`])).toBe(true);
      }
    },
  );

  needsEvents('Events, order.status_changed: a payment leads from UNPAID to PAID', async () => {
    const service = await listening('order.status_changed');
    await paidOrder(service.target);

    await service.change({ previous_payment_status: 'UNPAID', previous_status: 'PENDING' });
    await service.change({ current_payment_status: 'PAID', current_status: 'CONFIRMED' });
  });

  const way = ['IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP', 'FULFILLED', 'RETURNED'] as const;

  needsEvents.each(way.map((to, index) => [index === 0 ? 'PENDING' : way[index - 1]!, to] as const))(
    'States, fulfillment: the change from %s to %s emits order.status_changed',
    async (from, to) => {
      const service = await listening('order.status_changed');
      const order = await paidOrder(service.target);
      for (const step of way.slice(0, way.indexOf(to) + 1)) await service.mock.orders.advance(order.id, step);

      await service.change({ previous_fulfillment_status: from, current_fulfillment_status: to });
    },
  );

  needsEvents('Events, order.status_changed: each change continues where the last one ended', async () => {
    const service = await listening('order.status_changed');
    const order = await paidOrder(service.target);
    for (const step of way) await service.mock.orders.advance(order.id, step);
    await service.change({ current_fulfillment_status: 'RETURNED' });
    await service.deliveries('order.status_changed', way.length + 1);

    const changes = service.receiver.deliveries.map(({ event }) => event.data);
    const state = (change: Record<string, unknown>, when: string): string =>
      fields.map((field) => change[`${when}_${field}`]).join(' ');
    const next = new Map(changes.map((change) => [state(change, 'previous'), state(change, 'current')]));
    const seen: string[] = [];
    for (
      let at: string | undefined = 'PENDING PENDING UNPAID';
      at !== undefined && seen.length <= changes.length;
      at = next.get(at)
    )
      seen.push(at);

    // Deliveries have no order of their own: the changes are put in a row by what they say.
    expect(seen).toHaveLength(changes.length + 1);
    expect(seen.at(-1)).toBe('COMPLETED RETURNED PAID');
  });

  needsEvents('Events, order.status_changed: a partial payment leads to PARTIALLY_PAID', async () => {
    const service = await listening('order.status_changed');
    const order = await placeOrder(service.target);
    await pay(service.target, order.id, 'GIFT_CARD', 100);

    await service.change({ current_payment_status: 'PARTIALLY_PAID' });
  });

  needsEvents('Events, order.status_changed: a cancel is a change of status too', async () => {
    const service = await listening('order.status_changed');
    const order = await placeOrder(service.target);
    await service.target.post(`/orders/${order.id}/cancel`);

    await service.change({ current_status: 'CANCELLED', current_fulfillment_status: 'CANCELLED' });
  });
});

describe('order.cancelled', () => {
  needsEvents.each([
    ['the reason', { reason: 'Out of fuel' }, 'Out of fuel'],
    ['null when no reason was provided', undefined, null],
  ])('Events, order.cancelled (gap EVT-4): carries %s', async (_case, body, reason) => {
    const service = await listening('order.cancelled');
    const order = await placeOrder(service.target);
    await service.target.post(`/orders/${order.id}/cancel`, body);

    const data = await onlyEvent(service, 'order.cancelled');

    expect(data).toMatchObject({ order_id: order.id, location_id: order.location_id, reason });
    expectTimestamp(data.cancelled_at);
  });

  needsEvents('Events, order.cancelled: completed payments are refunded by then', async () => {
    const service = await listening('order.cancelled');
    const order: Order = await paidOrder(service.target);
    await service.target.post(`/orders/${order.id}/cancel`);
    await service.deliveries('order.cancelled');

    expect(cents((await readOrder(service.target, order.id)).amount_refunded)).toBe(cents(order.total));
  });

  needsEvents('Events, order.cancelled: a refused cancel sends none', async () => {
    const service = await listening('order.cancelled');
    const order = await paidOrder(service.target);
    await service.mock.orders.advance(order.id, 'IN_PROGRESS');
    await service.mock.orders.advance(order.id, 'PREPARING');
    expectStatus(await service.target.post(`/orders/${order.id}/cancel`), 409);
    await aMoment();

    expect(service.receiver.deliveries).toEqual([]);
  });
});

describe('stock.updated', () => {
  needsEvents(
    'Events, stock.updated (gap EVT-5): carries location and items with previous and current status',
    async () => {
      const service = await listening('stock.updated');
      const { location, plain } = await runOut(service);

      const data = await onlyEvent(service, 'stock.updated');

      expect(data.location_id).toBe(location.id);
      expect(data.items).toEqual([
        {
          item_id: plain.id,
          name: plain.name,
          previous_status: expect.stringMatching(/^(IN|LOW)_STOCK$/),
          current_status: 'OUT_OF_STOCK',
          updated_at: expect.any(String),
        },
      ]);
    },
  );

  needsEvents('Events, stock.updated: a status that stays the same sends none', async () => {
    const service = await listening('stock.updated');
    const { location, plain } = await runOut(service);
    await service.deliveries('stock.updated');
    await service.mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');
    await aMoment();

    expect(service.receiver.deliveries).toHaveLength(1);
  });
});

describe('menu.changed', () => {
  needsEvents('Events, menu.changed (gap EVT-6): carries the version_hash of the new menu', async () => {
    const service = await listening('menu.changed');
    const locationId = await changeMenu(service);

    const data = await onlyEvent(service, 'menu.changed');

    const metadata = await service.target.get<MenuMetadata>(`/locations/${locationId}/menu/metadata`);
    expect(data).toMatchObject({ location_id: locationId, version_hash: metadata.body.version_hash });
    expectTimestamp(data.changed_at);
  });

  needsEvents('Events, menu.changed (gap EVT-6): change_type is one of the named kinds', async () => {
    const service = await listening('menu.changed');
    await changeMenu(service);

    expect(['ITEMS_ADDED', 'ITEMS_REMOVED', 'ITEMS_MODIFIED', 'CATEGORIES_CHANGED', 'FULL_UPDATE']).toContain(
      (await onlyEvent(service, 'menu.changed')).change_type,
    );
  });
});

describe('location.hours_changed', () => {
  needsEvents('Events, location.hours_changed (gap EVT-7): carries previous and current hours', async () => {
    const service = await listening('location.hours_changed');
    const { locationId, before, after } = await changeHours(service);

    const data = await onlyEvent(service, 'location.hours_changed');

    expect(data).toMatchObject({ location_id: locationId, previous_hours: before, current_hours: after });
    expectTimestamp(data.changed_at);
    expect(data).toHaveProperty('effective_date');
  });
});
