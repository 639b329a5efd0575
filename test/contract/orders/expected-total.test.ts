import { describe, expect, test } from 'vitest';
import { itemsOf } from '../support/catalogue.js';
import { PROMO } from '../support/magic.js';
import type { Cart, Menu } from '../support/records.js';
import { badRequest, cents, conflict, expectRefusal, expectStatus, unprocessable } from '../support/shapes.js';
import { calculate, checkout, filledCart, HANDOFFS } from '../support/shop.js';
import { type ControlledTarget, needs, openMock, openTarget } from '../support/target.js';

const REASONS = ['PROMO_EXPIRED', 'DISCOUNT_CHANGED', 'FEE_CHANGED', 'ITEM_PRICE_CHANGED', 'ITEM_UNAVAILABLE'];
const PICKUP = { handoff_mode: HANDOFFS.PICKUP };

describe('expected_total', () => {
  test('Cart rules 6: the current total is accepted', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    const price = await calculate(target, cart.id);

    const result = await checkout(target, cart.id, { expected_total: cents(price.total) });

    expect(result.total).toEqual(price.total);
  });

  test('Cart rules 6 (gap CART-18): it is compared with the total of the handoff in the body', async () => {
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
