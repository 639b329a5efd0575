import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isAgeRestricted } from '../support/catalogue.js';
import type { CheckoutResult, MenuItem, Order, Page } from '../support/records.js';
import {
  badRequest,
  conflict,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  NO_SUCH_ID,
  UUID,
  unprocessable,
} from '../support/shapes.js';
import {
  addItem,
  calculate,
  checkout,
  createCart,
  filledCart,
  findItem,
  HANDOFFS,
  openLocation,
  readCart,
  readOrder,
  requestFor,
} from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';

const _REASONS = ['PROMO_EXPIRED', 'DISCOUNT_CHANGED', 'FEE_CHANGED', 'ITEM_PRICE_CHANGED', 'ITEM_UNAVAILABLE'];
const PICKUP = { handoff_mode: HANDOFFS.PICKUP };

async function checkedOut() {
  const target = openTarget();
  const filled = await filledCart(target, 2);
  return { target, ...filled, result: await checkout(target, filled.cart.id, PICKUP) };
}

describe('The checkout result', () => {
  test('Endpoints, checkout: answers 201 with the result', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.post<CheckoutResult>(`/carts/${cart.id}/checkout`, PICKUP);

    expectStatus(answer, 201);
    expect(answer.body.order_id).toMatch(UUID);
  });

  test('Resources, Checkout result: names the cart and the mode', async () => {
    const { cart, result } = await checkedOut();

    expect(result).toMatchObject({ cart_id: cart.id, handoff_mode: 'PICKUP' });
  });

  test('States, order: a new order is PENDING', async () => {
    expect((await checkedOut()).result.status).toBe('PENDING');
  });

  test.each(['subtotal', 'total_tax', 'total_discount', 'total'] as const)(
    'Resources, Checkout result: %s is Money',
    async (field) => {
      expectMoney((await checkedOut()).result[field]);
    },
  );

  test('Resources, Checkout result: the totals are those of the calculation', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 3);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    const price = await calculate(target, cart.id);

    const result = await checkout(target, cart.id);

    expect(result).toMatchObject({
      subtotal: price.subtotal,
      total_tax: price.total_tax,
      total_discount: price.total_discount,
      total: price.total,
    });
  });

  test('Resources, Checkout result: created_at is a date-time', async () => {
    expectTimestamp((await checkedOut()).result.created_at);
  });

  test('Resources, Checkout result: without restricted items there is no age notice', async () => {
    expect((await checkedOut()).result).toMatchObject({
      age_verification_required: false,
      age_verification_notice: null,
    });
  });

  test('Resources, Checkout result: with restricted items the notice tells of the photo ID', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const item = await findItem(target, location.id, 'an age-restricted item', isAgeRestricted);
    const cart = await createCart(target, location.id);
    await addItem(target, cart.id, requestFor(item));

    const result = await checkout(target, cart.id, PICKUP);

    expect(result.age_verification_required).toBe(true);
    expect(result.age_verification_notice).toMatch(/ID/);
  });

  test('Resources, Checkout result: the customer_id of the cart is carried to the order', async () => {
    const target = openTarget();
    const { location, plain } = await filledCart(target);
    const cart = await createCart(target, location.id, 'CUST-4711');
    await addItem(target, cart.id, requestFor(plain));
    const result = await checkout(target, cart.id, PICKUP);

    expect((await readOrder(target, result.order_id)).customer_id).toBe('CUST-4711');
  });

  test('States, cart: the cart is CHECKED_OUT afterwards', async () => {
    const { target, cart } = await checkedOut();

    expect((await readCart(target, cart.id)).status).toBe('CHECKED_OUT');
  });
});

describe('What checkout asks for', () => {
  test('Errors 422 (gap CART-6): an empty cart is not checked out', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    expectRefusal(await target.post(`/carts/${cart.id}/checkout`, PICKUP), unprocessable('Cart is empty'));
  });

  test('Errors rules 3: a checkout without a handoff mode is refused with 422', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectRefusal(await target.post(`/carts/${cart.id}/checkout`, {}), unprocessable('Missing handoff mode'));
  });

  test('Errors rules 3: a checkout without a body and without a handoff mode is refused with 422', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectRefusal(await target.post(`/carts/${cart.id}/checkout`), unprocessable('Missing handoff mode'));
  });

  test.each([
    ['no body', undefined],
    ['an empty body', {}],
  ])('Endpoints, checkout: %s is enough when the cart has a handoff mode', async (_case, body) => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    expectStatus(await target.post(`/carts/${cart.id}/checkout`, body), 201);
  });

  test('Cart rules 6: a refused checkout leaves the cart ACTIVE and makes no order', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.post(`/carts/${cart.id}/checkout`, {});

    expect(await readCart(target, cart.id)).toEqual(cart);
  });

  test('Errors 409: a second checkout with another key is refused', async () => {
    const { target, cart } = await checkedOut();

    expectRefusal(
      await target.post(`/carts/${cart.id}/checkout`, PICKUP),
      conflict('Cart has already been checked out'),
    );
  });

  test('Errors 400: a cart id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().post('/carts/mine/checkout', PICKUP), badRequest(undefined, 'cart_id'));
  });

  needs('control of the stock')('Cart rules 6: an item that is no longer available is refused with 422', async () => {
    const { target, mock } = openMock();
    const { cart, location, plain } = await filledCart(target);
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');

    expectRefusal(await target.post(`/carts/${cart.id}/checkout`, PICKUP), unprocessable('Item is not available'));
  });

  needs('control of the stock')('States, cart: after an item ran out, checkout works once it is removed', async () => {
    const { target, mock } = openMock();
    const { cart, location, plain } = await filledCart(target);
    const isOther = (item: MenuItem): boolean =>
      item.available && item.id !== plain.id && !item.modifier_groups?.length && !item.daily_sales_start_time;
    await addItem(target, cart.id, requestFor(await findItem(target, location.id, 'another item', isOther)));
    await mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');
    await target.delete(`/carts/${cart.id}/items/${cart.items[0]!.id}`);

    expectStatus(await target.post(`/carts/${cart.id}/checkout`, PICKUP), 201);
  });
});

describe('Checkout and its key', () => {
  test('Idempotency rules 6: a checkout with the key of the first returns the original order', async () => {
    const target = openTarget();
    const key = randomUUID();
    const { cart } = await filledCart(target);
    const first = await target.post<CheckoutResult>(`/carts/${cart.id}/checkout`, PICKUP, { key });

    const second = await target.post<CheckoutResult>(`/carts/${cart.id}/checkout`, PICKUP, { key });

    expectStatus(second, 201);
    expect(second.body).toEqual(first.body);
  });

  needs('an account without orders')('Idempotency rules 6: the repeated checkout makes no second order', async () => {
    const target = openTarget();
    const key = randomUUID();
    const { cart } = await filledCart(target);
    await target.post(`/carts/${cart.id}/checkout`, PICKUP, { key });
    await target.post(`/carts/${cart.id}/checkout`, PICKUP, { key });

    const orders = await target.get<Page<Order>>('/orders');

    expect(orders.body.data).toHaveLength(1);
  });

  test('Idempotency rules 3: a checkout refused first succeeds with the same key once the cart is in order', async () => {
    const target = openTarget();
    const key = randomUUID();
    const { cart } = await filledCart(target);
    expect((await target.post(`/carts/${cart.id}/checkout`, undefined, { key })).status).toBe(422);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    expectStatus(await target.post(`/carts/${cart.id}/checkout`, undefined, { key }), 201);
  });

  test('Errors 404: checkout of an unknown cart is refused', async () => {
    const answer = await openTarget().post(`/carts/${NO_SUCH_ID}/checkout`, PICKUP);

    expect(answer.status).toBe(404);
  });
});
