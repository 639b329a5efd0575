import { describe, expect, test } from 'vitest';
import { isPlain } from '../support/catalogue.js';
import type { Order, OrderSummary, Page } from '../support/records.js';
import { badRequest, cents, expectPage, expectRefusal } from '../support/shapes.js';
import {
  addItem,
  checkout,
  createCart,
  everyLocation,
  findItem,
  found,
  HANDOFFS,
  openShop,
  pay,
  placeOrder,
  readOrder,
  requestFor,
  serves,
} from '../support/shop.js';
import { needs, openMock, openTarget, type Target } from '../support/target.js';

const needsFresh = needs('an account without orders');

/** Three orders that differ in what the filters look at. */
async function threeOrders() {
  const controlled = openMock();
  const { target, mock } = controlled;
  const { location, plain } = await openShop(target);
  const locations = (await everyLocation(target)).filter(
    (other) => other.online_ordering_enabled && other.id !== location.id && serves(other, 'PICKUP'),
  );
  const elsewhere = found(locations[0], 'a second location that takes orders');
  const make = async (locationId: string, customerId?: string): Promise<Order> => {
    const cart = await createCart(target, locationId, customerId);
    const item = locationId === location.id ? plain : (await openShopAt(target, locationId)).plain;
    await addItem(target, cart.id, requestFor(item, 4));
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });
    return readOrder(target, result.order_id);
  };
  const unpaid = await make(location.id, 'CUST-1');
  await mock.clock.advance('1h');
  const paid = await make(location.id, 'CUST-2');
  await pay(target, paid.id, 'CREDIT_CARD', cents(paid.total));
  await mock.clock.advance('1h');
  const cancelled = await make(elsewhere.id, 'CUST-1');
  await target.post(`/orders/${cancelled.id}/cancel`);
  return { target, unpaid, paid, cancelled, location, elsewhere };
}

async function openShopAt(target: Target, locationId: string) {
  return { plain: await findItem(target, locationId, 'a plain item', isPlain) };
}

type Three = Awaited<ReturnType<typeof threeOrders>>;

describe('Filters of GET /orders', () => {
  const filters: readonly (readonly [
    string,
    (three: Three) => Record<string, string>,
    (three: Three) => readonly Order[],
  ])[] = [
    ['status', () => ({ status: 'CANCELLED' }), (three) => [three.cancelled]],
    ['status CONFIRMED', () => ({ status: 'CONFIRMED' }), (three) => [three.paid]],
    ['status PENDING', () => ({ status: 'PENDING' }), (three) => [three.unpaid]],
    ['fulfillment_status', () => ({ fulfillment_status: 'PENDING' }), (three) => [three.paid, three.unpaid]],
    ['fulfillment_status CANCELLED', () => ({ fulfillment_status: 'CANCELLED' }), (three) => [three.cancelled]],
    ['location_id', (three) => ({ location_id: three.location.id }), (three) => [three.paid, three.unpaid]],
    ['customer_id', () => ({ customer_id: 'CUST-1' }), (three) => [three.cancelled, three.unpaid]],
    ['customer_id, which matches exactly', () => ({ customer_id: 'CUST' }), () => []],
    [
      'date_from, inclusive',
      (three) => ({ date_from: three.paid.created_at }),
      (three) => [three.cancelled, three.paid],
    ],
    ['date_to, inclusive', (three) => ({ date_to: three.paid.created_at }), (three) => [three.paid, three.unpaid]],
    [
      'a date range',
      (three) => ({ date_from: three.paid.created_at, date_to: three.paid.created_at }),
      (three) => [three.paid],
    ],
    [
      'customer_id and status, combined with AND',
      () => ({ customer_id: 'CUST-1', status: 'PENDING' }),
      (three) => [three.unpaid],
    ],
    [
      'customer_id and location_id, combined with AND',
      (three) => ({ customer_id: 'CUST-2', location_id: three.elsewhere.id }),
      () => [],
    ],
    ['a location without orders', () => ({ customer_id: 'CUST-3' }), () => []],
  ];

  needsFresh.each(filters)('Endpoints, GET /orders: filters by %s', async (_case, query, expected) => {
    const three = await threeOrders();

    const page = expectPage(await three.target.get<Page<OrderSummary>>('/orders', { query: query(three) }));

    expect(page.data.map((order) => order.id)).toEqual(expected(three).map((order) => order.id));
  });

  needsFresh('Endpoints, GET /orders (gap ORD-6): a plain date means midnight UTC', async () => {
    const { target, mock, advance } = openMock();
    const before = await placeOrder(target);
    await advance('24h');
    const after = await placeOrder(target);
    const midnight = new Date(mock.clock.now()).toISOString().slice(0, 10);

    const page = expectPage(await target.get<Page<OrderSummary>>('/orders', { query: { date_from: midnight } }));

    expect(page.data.map((order) => order.id)).toContain(after.id);
    expect(page.data.map((order) => order.id)).not.toContain(before.id);
  });

  needsFresh('Endpoints, GET /orders: filters hold on every page', async () => {
    const { target } = openMock();
    for (let count = 0; count < 5; count += 1) await placeOrder(target);
    const first = expectPage(
      await target.get<Page<OrderSummary>>('/orders', { query: { status: 'PENDING', limit: 3 } }),
    );

    const second = expectPage(
      await target.get<Page<OrderSummary>>('/orders', {
        query: { status: 'PENDING', limit: 3, cursor: first.pagination.next_cursor! },
      }),
    );

    expect([first.data.length, second.data.length]).toEqual([3, 2]);
  });

  test.each([
    ['status', 'EATEN'],
    ['fulfillment_status', 'COOKING'],
    ['location_id', 'store-1'],
    ['date_from', 'yesterday'],
    ['date_to', '31/12/2026'],
  ])('Errors 400 (gap ORD-12): a %s of "%s" is an invalid parameter', async (name, value) => {
    expectRefusal(await openTarget().get('/orders', { query: { [name]: value } }), badRequest(undefined, name));
  });
});
