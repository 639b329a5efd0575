import { describe, expect } from 'vitest';
import { isOnSaleAllDay, itemsOf } from '../support/catalogue.js';
import { MEMBER, PROMO } from '../support/magic.js';
import type { MenuItem, PriceCalculation, PriceLine, PromoValidation } from '../support/records.js';
import { cents, expectStatus, sum } from '../support/shapes.js';
import {
  addItem,
  calculate,
  createCart,
  filledCart,
  inStock,
  menuOf,
  openLocation,
  requestFor,
} from '../support/shop.js';
import { needs, openTarget, type Target } from '../support/target.js';

const needsPromo = needs('known promo codes and members');

/** One of everything, with the promo code and the customer. */
async function assortment(target: Target, promo?: string, customer?: string, quantity = 1) {
  const location = await openLocation(target);
  const stock = await inStock(target, location.id);
  const items = itemsOf(await menuOf(target, location.id)).filter((item) => stock.has(item.id) && isOnSaleAllDay(item));
  const { id } = await createCart(target, location.id, customer);
  for (const item of items)
    await addItem(target, id, requestFor(item, Math.min(quantity, item.max_allowed_quantity ?? quantity)));
  const before = await calculate(target, id);
  if (promo) expectStatus(await target.post(`/carts/${id}/promo-codes`, { code: promo }), 200);
  return { id, items, before, price: await calculate(target, id) };
}

/** Whole cents in proportion to the weights, the largest remainders first (gap DISC-3). */
function shares(total: number, weights: readonly number[]): number[] {
  const all = sum(weights);
  const exact = weights.map((weight) => (total * weight) / all);
  const whole = exact.map(Math.floor);
  const left = total - sum(whole);
  const byRemainder = exact
    .map((share, index) => [share - Math.floor(share), index] as const)
    .sort(([a, i], [b, j]) => b - a || i - j);
  for (const [, index] of byRemainder.slice(0, left)) whole[index]! += 1;
  return whole;
}

/** What each line is taxed on: its subtotal less its share of the cart-level discounts. */
function basesOf(price: PriceCalculation, items: readonly MenuItem[]): number[] {
  const excluded = new Set(items.filter((item) => item.non_discountable).map((item) => item.id));
  const weights = price.line_items.map((line) => (excluded.has(line.menu_item_id) ? 0 : cents(line.item_subtotal)));
  const discounts = shares(cents(price.total_discount), weights);
  return price.line_items.map((line, index) => cents(line.item_subtotal) - discounts[index]!);
}

/** The tax rate of each line, in hundredths of a per cent, read off a large quantity. */
async function ratesOf(target: Target): Promise<Map<string, number>> {
  const { before } = await assortment(target, undefined, undefined, 1000);
  return new Map(before.line_items.map((line) => [line.menu_item_id, rateOf(line)]));
}

const rateOf = (line: PriceLine): number => Math.round((cents(line.item_tax) / cents(line.item_subtotal)) * 10_000);

const CASES: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['no discount', undefined, undefined],
  ['a percentage off', PROMO.percentage, undefined],
  ['a capped percentage off', PROMO.capped, undefined],
  ['an amount off', PROMO.fixed, undefined],
  ['member prices', undefined, MEMBER],
  ['member prices and a percentage off', PROMO.percentage, MEMBER],
];

describe('Tax', () => {
  needsPromo.each(CASES)(
    'PriceCalculation.taxable_amount (gap DISC-3): is the sum of the taxed bases with %s',
    async (_case, promo, customer) => {
      const target = openTarget();
      const rates = await ratesOf(target);
      const { price, items } = await assortment(target, promo, customer);

      const bases = basesOf(price, items);

      const taxed = bases.filter((_base, index) => rates.get(price.line_items[index]!.menu_item_id)! > 0);
      expect(cents(price.taxable_amount)).toBe(sum(taxed));
    },
  );

  needsPromo.each(CASES)(
    'PriceCalculation.item_tax (gap DISC-4): is rounded half up per line with %s',
    async (_case, promo, customer) => {
      const target = openTarget();
      const rates = await ratesOf(target);
      const { price, items } = await assortment(target, promo, customer);

      const bases = basesOf(price, items);

      const expected = price.line_items.map((line, index) =>
        Math.floor((bases[index]! * rates.get(line.menu_item_id)! + 5_000) / 10_000),
      );
      expect(price.line_items.map((line) => cents(line.item_tax))).toEqual(expected);
    },
  );
});

describe('Discounts', () => {
  needsPromo('DiscountLineItem.amount: a percentage is taken of the discountable lines, rounded half up', async () => {
    const { price, items } = await assortment(openTarget(), PROMO.percentage);
    const excluded = new Set(items.filter((item) => item.non_discountable).map((item) => item.id));
    const discountable = sum(
      price.line_items.filter((line) => !excluded.has(line.menu_item_id)).map((line) => cents(line.item_subtotal)),
    );

    expect(cents(price.total_discount)).toBe(Math.floor((discountable * 15 + 50) / 100));
  });

  needsPromo('DiscountLineItem.amount: a discount is never more than what it applies to', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const stock = await inStock(target, location.id);
    const cheap = itemsOf(await menuOf(target, location.id))
      .filter((item) => stock.has(item.id) && isOnSaleAllDay(item) && !item.non_discountable)
      .sort((a, b) => a.base_price.amount - b.base_price.amount)[0]!;
    const { id } = await createCart(target, location.id);
    await addItem(target, id, requestFor(cheap));
    expectStatus(await target.post(`/carts/${id}/promo-codes`, { code: PROMO.fixed }), 200);

    const price = await calculate(target, id);

    expect(cents(price.total_discount)).toBeLessThanOrEqual(cents(price.subtotal));
    expect(cents(price.total)).toBeGreaterThanOrEqual(0);
  });

  needsPromo(
    'Endpoints, validate (gap PROMO-4): applicable_items names the cart items that a code is for',
    async () => {
      const target = openTarget();
      const { id, before } = await assortment(target);

      const answer = await target.get<PromoValidation>(`/carts/${id}/promo-codes/validate`, {
        query: { code: PROMO.someItems },
      });

      const applicable = answer.body.discount_preview!.applicable_items!;
      const lines = before.line_items.map((line) => line.cart_item_id);
      expect(applicable.length).toBeGreaterThan(0);
      expect(applicable.length).toBeLessThan(lines.length);
      expect(applicable.filter((item) => !lines.includes(item))).toEqual([]);
    },
  );

  needsPromo('Endpoints, validate (gap PROMO-4): applicable_items is empty for a code on the whole cart', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 6);

    const answer = await target.get<PromoValidation>(`/carts/${cart.id}/promo-codes/validate`, {
      query: { code: PROMO.fixed },
    });

    expect(answer.body.discount_preview!.applicable_items).toEqual([]);
  });

  needsPromo(
    'Resources, MenuItem.non_discountable: validation leaves such an item out of applicable_items',
    async () => {
      const target = openTarget();
      const { id, before, items } = await assortment(target);
      const excluded = items.filter((item) => item.non_discountable).map((item) => item.id);

      const { body } = await target.get<PromoValidation>(`/carts/${id}/promo-codes/validate`, {
        query: { code: PROMO.fixed },
      });

      const rest = before.line_items.filter((line) => !excluded.includes(line.menu_item_id));
      expect(excluded.length).toBeGreaterThan(0);
      expect(body.discount_preview!.applicable_items).toEqual(rest.map((line) => line.cart_item_id));
    },
  );

  needsPromo('Cart rules 5: a code for some items takes nothing off the others', async () => {
    const target = openTarget();
    const { id, before } = await assortment(target);
    const { body } = await target.get<PromoValidation>(`/carts/${id}/promo-codes/validate`, {
      query: { code: PROMO.someItems },
    });
    const applicable = before.line_items.filter((line) =>
      body.discount_preview!.applicable_items!.includes(line.cart_item_id),
    );
    expectStatus(await target.post(`/carts/${id}/promo-codes`, { code: PROMO.someItems }), 200);

    const after = await calculate(target, id);

    const saved = cents(before.subtotal) - (cents(after.subtotal) - cents(after.total_discount));
    const half = sum(applicable.map((line) => cents(line.item_subtotal))) / 2;
    expect(Math.abs(saved - half)).toBeLessThanOrEqual(applicable.length);
    expect(saved).toBe(cents(body.discount_preview!.estimated_discount));
  });

  needsPromo('Resources, DiscountLineItem (gap DISC-1): each has an id and a scope', async () => {
    const { price } = await assortment(openTarget(), PROMO.fixed, MEMBER);

    for (const discount of [...price.discounts, ...price.line_items.flatMap((line) => line.discounts)]) {
      expect(discount).toMatchObject({ id: expect.stringMatching(/\S/), application_scope: 'PRE_TAX' });
    }
  });
});
