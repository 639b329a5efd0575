import { describe, expect, test } from 'vitest';
import type { Order, OrderSummary, Page } from '../support/records.js';
import {
  badRequest,
  cents,
  expectMoney,
  expectPage,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  forbidden,
  NO_SUCH_ID,
  notFound,
  UUID,
} from '../support/shapes.js';
import {
  checkout,
  createCart,
  filledCart,
  HANDOFFS,
  MODES,
  openLocation,
  paidOrder,
  pay,
  placeOrder,
  readOrder,
  secondPartner,
} from '../support/shop.js';
import { needs, openMock, openTarget, Target } from '../support/target.js';

const TOTALS = [
  'subtotal',
  'total_tax',
  'total_fees',
  'total_discount',
  'total',
  'balance_due',
  'amount_paid',
  'amount_refunded',
] as const;
const _needsFresh = needs('an account without orders');

describe('GET /orders/{order_id}', () => {
  test('Endpoints, GET order: answers 200 with the order of the checkout', async () => {
    const target = openTarget();
    const { cart, location } = await filledCart(target, 2);
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    const order = await readOrder(target, result.order_id);

    expect(order).toMatchObject({
      id: result.order_id,
      cart_id: cart.id,
      location_id: location.id,
      total: result.total,
    });
  });

  test('Resources, Order: has three status fields: PENDING, UNPAID, PENDING after checkout', async () => {
    const order = await placeOrder(openTarget());

    expect(order).toMatchObject({ status: 'PENDING', payment_status: 'UNPAID', fulfillment_status: 'PENDING' });
  });

  test('Resources, Order: has the lines of the cart', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 3);
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    const order = await readOrder(target, result.order_id);

    expect(order.items.map((item) => [item.menu_item_id, item.name, item.quantity])).toEqual(
      cart.items.map((item) => [item.menu_item_id, item.name, item.quantity]),
    );
  });

  test('Resources, Order (gap ORD-4): item_total of a line is item_subtotal plus item_tax', async () => {
    const order = await placeOrder(openTarget());

    for (const item of order.items)
      expect(cents(item.item_total)).toBe(cents(item.item_subtotal) + cents(item.item_tax));
  });

  test('Resources, Order: has no payments after checkout', async () => {
    expect((await placeOrder(openTarget())).payments).toEqual([]);
  });

  test.each(TOTALS)('Resources, Order: %s is Money', async (field) => {
    expectMoney((await placeOrder(openTarget()))[field]);
  });

  test('Resources, Order (gap CART-18): the totals add up', async () => {
    const order = await placeOrder(openTarget(), 'DELIVERY');

    expect(cents(order.total)).toBe(
      cents(order.subtotal) + cents(order.total_tax) + cents(order.total_fees) - cents(order.total_discount),
    );
  });

  test('Resources, Order: before any payment balance_due is the total, amount_paid and amount_refunded are zero', async () => {
    const order = await placeOrder(openTarget());

    expect(order.balance_due).toEqual(order.total);
    expect([cents(order.amount_paid), cents(order.amount_refunded)]).toEqual([0, 0]);
  });

  test('Resources, Order (gap ORD-3): has created_at and updated_at', async () => {
    const order = await placeOrder(openTarget());

    expectTimestamp(order.created_at);
    expectTimestamp(order.updated_at);
  });

  test('Resources, Order (gap ORD-3): has arrays for discounts, fees, promo codes and refunds', async () => {
    const order = await placeOrder(openTarget());

    for (const field of ['discounts', 'fees', 'promo_codes', 'refunds'] as const)
      expect(Array.isArray(order[field])).toBe(true);
  });

  test('Resources, Order (gap ORD-3): age fields and cancellation reason are set', async () => {
    expect(await placeOrder(openTarget())).toMatchObject({
      age_verification_required: false,
      age_verification_notice: null,
      cancellation_reason: null,
    });
  });

  test('Resources, Order (gap ORD-11): estimated_ready_at is a date-time or null', async () => {
    const order = (await placeOrder(openTarget())) as Order & { estimated_ready_at: string | null };

    if (order.estimated_ready_at !== null) expectTimestamp(order.estimated_ready_at);
  });

  test('Resources, Order: customer_id is null for an anonymous cart', async () => {
    expect((await placeOrder(openTarget())).customer_id).toBeNull();
  });

  test('Errors 404: an unknown order is not found', async () => {
    expectRefusal(await openTarget().get(`/orders/${NO_SUCH_ID}`), notFound('Order not found'));
  });

  test('Errors 400: an order id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().get('/orders/17'), badRequest(undefined, 'order_id'));
  });

  needs('a second partner')('Errors 403: an order of another partner is refused', async () => {
    const controlled = openMock();
    const order = await placeOrder(controlled.target);
    const other = secondPartner(controlled, Target);

    expectRefusal(await other.get(`/orders/${order.id}`), forbidden('Resource belongs to another partner'));
  });

  needs('a second partner').each([
    ['payment', '/payments', { payment_method: 'CREDIT_CARD', amount: 100, payment_token: 'tok' }],
    ['refund', '/refunds', { amount: 100 }],
    ['cancel', '/cancel', undefined],
  ])('Errors 403: a %s on an order of another partner is refused', async (_case, path, body) => {
    const controlled = openMock();
    const order = await placeOrder(controlled.target);
    const other = secondPartner(controlled, Target);

    expectRefusal(
      await other.post(`/orders/${order.id}${path}`, body),
      forbidden('Resource belongs to another partner'),
    );
    expect(await readOrder(controlled.target, order.id)).toEqual(order);
  });

  test.each([
    ['payment', '/payments', { payment_method: 'CREDIT_CARD', amount: 100, payment_token: 'tok' }],
    ['refund', '/refunds', { amount: 100 }],
    ['cancel', '/cancel', undefined],
  ])('Errors 404: a %s on an unknown order is refused', async (_case, path, body) => {
    expectRefusal(await openTarget().post(`/orders/${NO_SUCH_ID}${path}`, body), notFound('Order not found'));
  });
});

describe('GET /orders', () => {
  test('Endpoints, GET /orders: answers 200 with the pagination envelope of the new order', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const page = expectPage(await target.get<Page<OrderSummary>>('/orders'));

    expect(page.data[0]).toMatchObject({ id: order.id, total: order.total, status: 'PENDING' });
  });

  test('Resources, OrderSummary: has neither items nor payments', async () => {
    const target = openTarget();
    await placeOrder(target);

    const [summary] = expectPage(await target.get<Page<OrderSummary>>('/orders')).data;

    expect(summary).not.toHaveProperty('items');
    expect(summary).not.toHaveProperty('payments');
  });

  test.each(['discounts', 'fees', 'promo_codes', 'refunds', 'handoff'])(
    'Resources, OrderSummary (gap ORD-5): has no %s',
    async (field) => {
      const target = openTarget();
      await placeOrder(target);

      expect(expectPage(await target.get<Page<OrderSummary>>('/orders')).data[0]).not.toHaveProperty(field);
    },
  );

  test('Resources, OrderSummary (gap ORD-5): has ids, statuses and totals of the order', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const [summary] = expectPage(await target.get<Page<OrderSummary>>('/orders')).data;

    for (const [field, value] of Object.entries(summary!)) expect(value).toEqual(order[field as keyof Order]);
    expect(summary!.id).toMatch(UUID);
    for (const field of TOTALS) expectMoney(summary![field]);
  });

  needs('the clock')('Endpoints, GET /orders: newest first', async () => {
    const { target, mock } = openMock();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.unshift((await placeOrder(target)).id);
      await mock.clock.advance('1m');
    }

    expect(expectPage(await target.get<Page<OrderSummary>>('/orders')).data.map((order) => order.id)).toEqual(ids);
  });

  test('Endpoints, GET /orders: two orders of the same moment are newest first too', async () => {
    const target = openTarget();
    const first = await placeOrder(target);
    const second = await placeOrder(target);

    const ids = expectPage(await target.get<Page<OrderSummary>>('/orders')).data.map((order) => order.id);

    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
  });

  needs('a second partner')('General conventions: a partner sees its own orders only', async () => {
    const controlled = openMock();
    await placeOrder(controlled.target);
    const other = secondPartner(controlled, Target);

    expect(expectPage(await other.get<Page<OrderSummary>>('/orders')).data).toEqual([]);
  });
});

describe('Orders over their life', () => {
  test.each(MODES)('Resources, Order (gap CART-18): a %s order can be placed and paid', async (mode) => {
    const order = await paidOrder(openTarget(), mode);

    expect(order).toMatchObject({ handoff_mode: mode, payment_status: 'PAID' });
    expect(order.handoff.mode).toBe(mode);
  });

  test('States, order (gap ORD-2): PENDING becomes CONFIRMED with the payment', async () => {
    expect((await paidOrder(openTarget())).status).toBe('CONFIRMED');
  });

  test('Resources, Order: a later change of the cart location does not change the order', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await createCart(target, (await openLocation(target)).id);

    expect(await readOrder(target, order.id)).toEqual(order);
  });

  needs('the clock')('Resources, Order: a payment moves updated_at', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await mock.clock.advance('5m');
    await pay(target, order.id, 'CREDIT_CARD', cents(order.total));

    const after = await readOrder(target, order.id);

    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(order.updated_at));
    expectStatus(await target.get(`/orders/${order.id}`), 200);
  });
});
