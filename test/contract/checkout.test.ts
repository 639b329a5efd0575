import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isAgeRestricted, itemsOf } from './catalogue.js';
import { PROMO } from './magic.js';
import type { Cart, CheckoutResult, Menu, MenuItem, Order, Page } from './records.js';
import {
  badRequest,
  cents,
  conflict,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  NO_SUCH_ID,
  UUID,
  unprocessable,
} from './shapes.js';
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
} from './shop.js';
import { type ControlledTarget, needs, openMock, openTarget } from './target.js';

const REASONS = ['PROMO_EXPIRED', 'DISCOUNT_CHANGED', 'FEE_CHANGED', 'ITEM_PRICE_CHANGED', 'ITEM_UNAVAILABLE'];
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

describe('expected_total', () => {
  test('Cart rules 6: the current total is accepted', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    const price = await calculate(target, cart.id);

    const result = await checkout(target, cart.id, { expected_total: cents(price.total) });

    expect(result.total).toEqual(price.total);
  });

  test('Cart rules 6: it is compared with the total of the handoff in the body', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 1, 'DELIVERY');
    const priced = await target.put<Cart>(`/carts/${cart.id}/handoff`, HANDOFFS.DELIVERY);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    const result = await checkout(target, cart.id, {
      handoff_mode: HANDOFFS.DELIVERY,
      expected_total: cents(priced.body.total),
    });

    expect(result.total).toEqual(priced.body.total);
  });

  test.each([
    ['one cent more', 1],
    ['one cent less', -1],
    ['zero', Number.NaN],
  ])('Cart rules 6, Errors 409: %s is a mismatch', async (_case, difference) => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    const total = cents((await target.put<Cart>(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP)).body.total);

    const answer = await target.post(`/carts/${cart.id}/checkout`, {
      expected_total: Number.isNaN(difference) ? 0 : total + difference,
    });

    expectRefusal(answer, conflict('Expected total mismatch'));
  });

  test('Cart rules 6 (gap ERR-1): a mismatch carries change_reasons of the five values', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.post(`/carts/${cart.id}/checkout`, { ...PICKUP, expected_total: 1 });

    const error = expectRefusal(answer, conflict('Expected total mismatch'));
    expect(Array.isArray(error.change_reasons)).toBe(true);
    for (const reason of error.change_reasons!) expect(REASONS).toContain(reason);
  });

  test('Cart rules 6: after a mismatch the cart is still ACTIVE, and the right total checks it out', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.post(`/carts/${cart.id}/checkout`, { ...PICKUP, expected_total: 1 });
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    const price = await calculate(target, cart.id);

    expectStatus(await target.post(`/carts/${cart.id}/checkout`, { expected_total: cents(price.total) }), 201);
  });

  test.each([
    ['text', '1250'],
    ['a fraction', 12.5],
    ['Money', { amount: 1250, currency: 'USD' }],
  ])('Endpoints, checkout: an expected_total that is %s is refused with 400', async (_case, expectedTotal) => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectRefusal(
      await target.post(`/carts/${cart.id}/checkout`, { ...PICKUP, expected_total: expectedTotal }),
      badRequest(undefined, 'expected_total'),
    );
  });

  const needsChange = needs('changes of price, fee and promo code');

  async function mismatch({ target }: ControlledTarget, cart: Cart, total: number): Promise<string[]> {
    const answer = await target.post(`/carts/${cart.id}/checkout`, { expected_total: total });
    return expectRefusal(answer, conflict('Expected total mismatch')).change_reasons!;
  }

  async function priced(controlled: ControlledTarget, promo?: string) {
    const { target } = controlled;
    const filled = await filledCart(target, 6);
    if (promo) expectStatus(await target.post(`/carts/${filled.cart.id}/promo-codes`, { code: promo }), 200);
    await target.put(`/carts/${filled.cart.id}/handoff`, HANDOFFS.PICKUP);
    return { ...filled, total: cents((await calculate(target, filled.cart.id)).total) };
  }

  async function changePrice(
    { mock }: ControlledTarget,
    locationId: string,
    itemId: string,
    by: number,
  ): Promise<void> {
    await mock.menu.update(locationId, (menu) => {
      for (const item of itemsOf(menu as Menu)) if (item.id === itemId) item.base_price.amount += by;
    });
  }

  needsChange('Cart rules 6: a changed price is told as ITEM_PRICE_CHANGED', async () => {
    const controlled = openMock();
    const { cart, total, location, plain } = await priced(controlled);
    await changePrice(controlled, location.id, plain.id, 30);

    expect(await mismatch(controlled, cart, total)).toContain('ITEM_PRICE_CHANGED');
  });

  needsChange('Cart rules 6: when expected_total is omitted, the current price is accepted', async () => {
    const controlled = openMock();
    const { cart, total, location, plain } = await priced(controlled);
    await changePrice(controlled, location.id, plain.id, 30);

    const result = await checkout(controlled.target, cart.id);

    expect(cents(result.total)).toBeGreaterThanOrEqual(total + 6 * 30);
  });

  needsChange('Cart rules 6: a change that concerns another item is no mismatch', async () => {
    const controlled = openMock();
    const { cart, total, location, menu, plain } = await priced(controlled);
    const other = itemsOf(menu).find((item) => item.id !== plain.id)!;
    await changePrice(controlled, location.id, other.id, 30);

    expectStatus(await controlled.target.post(`/carts/${cart.id}/checkout`, { expected_total: total }), 201);
  });

  needsChange('Cart rules 6: a changed price under a percentage code is told as DISCOUNT_CHANGED too', async () => {
    const controlled = openMock();
    const { cart, total, location, plain } = await priced(controlled, PROMO.percentage);
    await changePrice(controlled, location.id, plain.id, 100);

    const reasons = await mismatch(controlled, cart, total);

    expect(reasons).toEqual(expect.arrayContaining(['ITEM_PRICE_CHANGED', 'DISCOUNT_CHANGED']));
  });

  needsChange('Cart rules 6: a handoff that brings a fee is told as FEE_CHANGED', async () => {
    const controlled = openMock();
    const { target } = controlled;
    const { cart } = await filledCart(target, 1, 'DELIVERY');
    const pickup = await target.put<Cart>(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    const answer = await target.post(`/carts/${cart.id}/checkout`, {
      handoff_mode: HANDOFFS.DELIVERY,
      expected_total: cents(pickup.body.total),
    });

    expect(expectRefusal(answer, conflict('Expected total mismatch')).change_reasons).toContain('FEE_CHANGED');
  });

  needsChange(
    'Cart rules 6: an item that ran out, with an expected_total, is told as ITEM_UNAVAILABLE or refused with 422',
    async () => {
      const controlled = openMock();
      const { cart, total, location, plain } = await priced(controlled);
      await controlled.mock.stock.set(location.id, plain.id, 'OUT_OF_STOCK');

      const answer = await controlled.target.post<{ error: { change_reasons?: string[] } }>(
        `/carts/${cart.id}/checkout`,
        { expected_total: total },
      );

      if (answer.status === 409) expect(answer.body.error.change_reasons).toContain('ITEM_UNAVAILABLE');
      else expectRefusal(answer, unprocessable('Item is not available'));
    },
  );
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
