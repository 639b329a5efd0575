import { describe, expect, test } from 'vitest';
import type { Order } from '../support/records.js';
import { expectPriceIdentities } from '../support/shapes.js';
import { checkout, HANDOFFS, readOrder } from '../support/shop.js';
import { needs, openTarget } from '../support/target.js';
import { ANY_SERVICE, cook, MAGIC, mixed, totalsOf } from './recipes.js';

describe('Identities of a price calculation', () => {
  test.each(ANY_SERVICE)('PriceCalculation: lines, totals, fees and discounts add up for %s', async (_case, recipe) => {
    const { price } = await cook(openTarget(), recipe);

    expect(price.line_items.length).toBeGreaterThan(0);
    expectPriceIdentities(price);
  });

  needs('known promo codes and members').each(MAGIC)(
    'PriceCalculation: lines, totals, fees and discounts add up for %s',
    async (_case, recipe) => {
      const { price } = await cook(openTarget(), recipe);

      expect(price.line_items.length).toBeGreaterThan(0);
      expectPriceIdentities(price);
    },
  );

  test.each(ANY_SERVICE)(
    'Resources, Cart (gap CART-3): the totals of the cart are those of the calculation for %s',
    async (_case, recipe) => {
      const { cart, price } = await cook(openTarget(), recipe);

      expect(totalsOf(cart)).toEqual(totalsOf(price));
      expect(cart.fees).toEqual(price.fees);
    },
  );

  needs('known promo codes and members').each(MAGIC)(
    'Resources, Cart (gap CART-3): the totals of the cart are those of the calculation for %s',
    async (_case, recipe) => {
      const { cart, price } = await cook(openTarget(), recipe);

      expect(totalsOf(cart)).toEqual(totalsOf(price));
      expect(cart.fees).toEqual(price.fees);
    },
  );

  test('Order (gap ORD-4): the lines of the order are those of the calculation', async () => {
    const target = openTarget();
    const { cart, price } = await cook(target, { items: mixed });
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    const order: Order = await readOrder(target, result.order_id);

    expect(
      order.items.map((line) => [line.menu_item_id, line.quantity, line.item_subtotal, line.item_tax, line.item_total]),
    ).toEqual(
      price.line_items.map((line) => [
        line.menu_item_id,
        line.quantity,
        line.item_subtotal,
        line.item_tax,
        line.item_total,
      ]),
    );
  });
});
