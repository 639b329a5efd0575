import { describe, expect, test } from 'vitest';
import { findThreeLevels, itemsOf, threeLevelSelections } from '../support/catalogue.js';
import { MEMBER, PROMO, STRANGER } from '../support/magic.js';
import type { Cart, CartItemRequest, MenuItem, PriceCalculation } from '../support/records.js';
import {
  cents,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  sum,
  unprocessable,
} from '../support/shapes.js';
import {
  addItem,
  calculate,
  createCart,
  filledCart,
  found,
  menuOf,
  openLocation,
  readCart,
  requestFor,
} from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';
import { assortment, basket, cook, isNonDiscountable, mixed, pick, totalsOf } from './recipes.js';

describe('POST /carts/{cart_id}/calculate', () => {
  test('Endpoints, calculate: answers 200 with the price of the cart', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2);

    const answer = await target.post<PriceCalculation>(`/carts/${cart.id}/calculate`, undefined, { key: null });

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ cart_id: cart.id, currency: 'USD' });
  });

  test('Idempotency rules 1: calculate needs no Idempotency-Key', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectStatus(await target.post(`/carts/${cart.id}/calculate`, undefined, { key: null }), 200);
  });

  test('Resources, PriceCalculation: has Money in every total', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    const price = await calculate(target, cart.id);

    for (const field of ['subtotal', 'total_tax', 'total_fees', 'total_discount', 'taxable_amount', 'total'] as const)
      expectMoney(price[field]);
  });

  test('Resources, PriceCalculation: a line names its cart item, menu item, name, quantity and prices', async () => {
    const target = openTarget();
    const { cart, plain: item } = await filledCart(target, 3);

    const [line] = (await calculate(target, cart.id)).line_items;

    expect(line).toMatchObject({
      cart_item_id: cart.items[0]!.id,
      menu_item_id: item.id,
      name: item.name,
      quantity: 3,
      base_price: item.base_price,
      modifier_total: { amount: 0, currency: 'USD' },
    });
    for (const field of ['item_subtotal', 'item_tax', 'item_total'] as const) expectMoney(line![field]);
    expect(Array.isArray(line!.discounts)).toBe(true);
  });

  test('Resources, PriceCalculation: has one line for each cart item', async () => {
    const { cart, price } = await cook(openTarget(), { items: mixed });

    expect(price.line_items.map((line) => line.cart_item_id)).toEqual(cart.items.map((item) => item.id));
  });

  test('Resources, PriceCalculation: modifier_total of a line is that of the cart item', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const path = found(findThreeLevels(await menuOf(target, location.id)), 'an item with three levels of modifiers');
    const { id } = await createCart(target, location.id);
    const cart = await addItem(target, id, {
      menu_item_id: path.item.id,
      quantity: 2,
      modifier_selections: threeLevelSelections(path),
    });

    expect((await calculate(target, id)).line_items[0]!.modifier_total).toEqual(cart.items[0]!.modifier_total);
  });

  test('Resources, PriceCalculation.calculated_at: is a date-time', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectTimestamp((await calculate(target, cart.id)).calculated_at);
  });

  needs('the clock')('Endpoints, calculate: prices are computed at request time', async () => {
    const { target, mock } = openMock();
    const { cart } = await filledCart(target);
    await mock.clock.advance('3m');

    const price = await calculate(target, cart.id);

    expect(Math.abs(Date.parse(price.calculated_at) - mock.clock.now())).toBeLessThan(1000);
  });

  test('Endpoints, calculate: is read-only: the cart stays as it was', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2);
    await calculate(target, cart.id);

    expect(await readCart(target, cart.id)).toEqual(cart);
  });

  test('Endpoints, calculate: twice gives the same price', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2);
    const { calculated_at: _first, ...first } = await calculate(target, cart.id);

    const { calculated_at: _second, ...second } = await calculate(target, cart.id);

    expect(second).toEqual(first);
  });

  test('Endpoints, calculate: fails with 422 on an empty cart', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    expectRefusal(
      await target.post(`/carts/${cart.id}/calculate`, undefined, { key: null }),
      unprocessable('Cart is empty'),
    );
  });

  test('Resources, PriceCalculation.age_verification_required: is false without restricted items', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expect((await calculate(target, cart.id)).age_verification_required).toBe(false);
  });

  needs('control of the menu')('Endpoints, calculate: takes the prices of the current menu', async () => {
    const { target, mock } = openMock();
    const { cart, location, plain: item } = await filledCart(target);
    await mock.menu.update(location.id, (menu) => {
      for (const other of itemsOf(menu as Parameters<typeof itemsOf>[0]))
        if (other.id === item.id) other.base_price.amount += 25;
    });

    expect((await calculate(target, cart.id)).line_items[0]!.base_price.amount).toBe(item.base_price.amount + 25);
  });
});

describe('A price that changes under a cart', () => {
  async function changed() {
    const controlled = openMock();
    const { cart, location, plain: item } = await filledCart(controlled.target);
    await controlled.mock.menu.update(location.id, (menu) => {
      for (const other of itemsOf(menu as Parameters<typeof itemsOf>[0]))
        if (other.id === item.id) other.base_price.amount += 25;
    });
    return { ...controlled, cart, item };
  }

  needs('control of the menu')(
    'Resources, Cart (gap CART-3): the cart keeps the totals of its last modification',
    async () => {
      const { target, cart } = await changed();

      expect(await readCart(target, cart.id)).toEqual(cart);
    },
  );

  needs('control of the menu')('Cart rules 3: the next modification takes the current price', async () => {
    const { target, cart, item } = await changed();

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${cart.items[0]!.id}`, requestFor(item, 2));

    expect(cents(answer.body.subtotal)).toBe((item.base_price.amount + 25) * 2);
  });
});

describe('Member prices', () => {
  const needsMember = needs('a known member');

  test('Resources, PriceCalculation.member_pricing_applied: is false for an anonymous cart', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expect((await calculate(target, cart.id)).member_pricing_applied).toBe(false);
  });

  needsMember(
    'Resources, PriceCalculation.member_pricing_applied: is false for a customer who is not recognized',
    async () => {
      const { price } = await cook(openTarget(), { items: basket, customer: STRANGER });

      expect(price.member_pricing_applied).toBe(false);
    },
  );

  needsMember('Resources, PriceCalculation.member_pricing_applied: is true for a recognized customer', async () => {
    const { price } = await cook(openTarget(), { items: assortment, customer: MEMBER });

    expect(price.member_pricing_applied).toBe(true);
  });

  needsMember('Resources, Cart.customer_id: a member pays less than an anonymous customer', async () => {
    const target = openTarget();
    const anonymous = await cook(target, { items: assortment });

    const member = await cook(target, { items: assortment, customer: MEMBER });

    expect(cents(member.price.subtotal) - cents(member.price.total_discount)).toBeLessThan(
      cents(anonymous.price.subtotal),
    );
  });

  needsMember('Resources, Cart.customer_id: null brings the anonymous prices back', async () => {
    const target = openTarget();
    const anonymous = await cook(target, { items: assortment });
    const member = await cook(target, { items: assortment, customer: MEMBER });
    await target.patch(`/carts/${member.cart.id}`, { customer_id: null });

    expect(totalsOf(await calculate(target, member.cart.id))).toEqual(totalsOf(anonymous.price));
  });

  needsMember('Endpoints, PATCH: a member set later gets member prices', async () => {
    const target = openTarget();
    const member = await cook(target, { items: assortment, customer: MEMBER });
    const { cart } = await cook(target, { items: assortment });
    await target.patch(`/carts/${cart.id}`, { customer_id: MEMBER });

    expect(totalsOf(await calculate(target, cart.id))).toEqual(totalsOf(member.price));
  });

  needsMember('Resources, DiscountLineItem: what a member saves has the source AUTOMATIC', async () => {
    const { price } = await cook(openTarget(), { items: assortment, customer: MEMBER });
    const discounts = [...price.discounts, ...price.line_items.flatMap((line) => line.discounts)];

    expect(discounts.length).toBeGreaterThan(0);
    for (const discount of discounts) expect(discount.source).toBe('AUTOMATIC');
  });
});

describe('Discounts', () => {
  const needsPromo = needs('known promo codes');

  needsPromo.each([
    ['percentage', PROMO.percentage],
    ['fixed', PROMO.fixed],
  ])('Resources, DiscountLineItem: a %s discount has name, type, value, amount and source', async (_case, promo) => {
    const { price } = await cook(openTarget(), { items: basket, promo });
    const [discount] = price.discounts;

    expect(discount!.name).toMatch(/\S/);
    expect(discount!.type).toMatch(/^[A-Z_]+$/);
    expect(discount!.value).toMatch(/^\d+(\.\d+)?$/);
    expectMoney(discount!.amount);
    expect(discount!.source).toBe('PROMO_CODE');
  });

  needsPromo('Resources, DiscountLineItem.type: a percentage code has the type PERCENTAGE', async () => {
    const { price } = await cook(openTarget(), { items: basket, promo: PROMO.percentage });

    expect(price.discounts[0]!.type).toBe('PERCENTAGE');
  });

  needsPromo('Resources, DiscountLineItem.value: the percentage is the share of the subtotal taken off', async () => {
    const { price } = await cook(openTarget(), { items: basket, promo: PROMO.percentage });
    const share = Number(price.discounts[0]!.value) / 100;

    expect(Math.abs(cents(price.discounts[0]!.amount) - cents(price.subtotal) * share)).toBeLessThanOrEqual(1);
  });

  needsPromo('Resources, DiscountLineItem.value (gap DISC-2): a fixed value is in the major unit', async () => {
    const { price } = await cook(openTarget(), { items: basket, promo: PROMO.fixed });

    expect(cents(price.discounts[0]!.amount)).toBe(Math.round(Number(price.discounts[0]!.value) * 100));
  });

  needsPromo('Resources, MenuItem.non_discountable: a promo code takes nothing off such an item', async () => {
    const target = openTarget();
    const withItem = (items: readonly MenuItem[]): CartItemRequest[] => [
      ...basket(items),
      requestFor(pick(items, isNonDiscountable, 'an undiscounted item')),
    ];
    const without = await cook(target, { items: basket, promo: PROMO.percentage });

    const withIt = await cook(target, { items: withItem, promo: PROMO.percentage });

    expect(cents(withIt.price.total_discount)).toBe(cents(without.price.total_discount));
  });

  needsPromo('Resources, MenuItem.non_discountable: a member gets nothing off such an item', async () => {
    const { price, items } = await cook(openTarget(), { items: assortment, customer: MEMBER });
    const excluded = new Set(items.filter((item) => item.non_discountable).map((item) => item.id));

    const lines = price.line_items.filter((line) => excluded.has(line.menu_item_id));

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.discounts).toEqual([]);
      expect(cents(line.item_subtotal)).toBe((cents(line.base_price) + cents(line.modifier_total)) * line.quantity);
    }
  });

  needsPromo('Resources, Cart.total_discount: holds cart-level discounts only', async () => {
    const { cart, price } = await cook(openTarget(), { items: assortment, customer: MEMBER, promo: PROMO.fixed });

    expect(cents(cart.total_discount)).toBe(sum(price.discounts.map((discount) => cents(discount.amount))));
  });

  needsPromo('PriceCalculation (gap DISC-3): a discount lowers the basis of the tax', async () => {
    const target = openTarget();
    const full = await cook(target, { items: basket });

    const reduced = await cook(target, { items: basket, promo: PROMO.percentage });

    expect(cents(reduced.price.taxable_amount)).toBeLessThan(cents(full.price.taxable_amount));
    expect(cents(reduced.price.total_tax)).toBeLessThan(cents(full.price.total_tax));
  });
});
