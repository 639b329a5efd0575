import { describe, expect, test } from 'vitest';
import { MEMBER, PROMO } from '../support/magic.js';
import type { ErrorBody, Order } from '../support/records.js';
import { cents, conflict, expectCart, expectPriceIdentities, expectRefusal } from '../support/shapes.js';
import { checkout, HANDOFFS, readCart, readOrder } from '../support/shop.js';
import { needs, openTarget } from '../support/target.js';
import { ANY_SERVICE, assortment, cook, MAGIC, mixed, totalsOf } from './recipes.js';

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

  needs('known promo codes and members').each(MAGIC.filter(([, { customer }]) => customer === undefined))(
    'Resources, Cart (gap CART-3): the totals of the cart are those of the calculation for %s',
    async (_case, recipe) => {
      const { cart, price } = await cook(openTarget(), recipe);

      expect(totalsOf(cart)).toEqual(totalsOf(price));
      expect(cart.fees).toEqual(price.fees);
    },
  );

  test.each(ANY_SERVICE)('Resources, Cart.subtotal: is the sum of the item totals for %s', async (_case, recipe) => {
    const { cart } = await cook(openTarget(), recipe);

    expectCart(cart);
  });

  needs('known promo codes and members').each(MAGIC)(
    'Resources, Cart.subtotal: is the sum of the item totals for %s, before the checkout and after',
    async (_case, recipe) => {
      const target = openTarget();
      const { cart } = await cook(target, recipe);
      expectCart(cart);

      await checkout(target, cart.id, { handoff_mode: cart.handoff_mode ?? HANDOFFS.PICKUP });

      expectCart(await readCart(target, cart.id));
    },
  );

  needs('a known member').each([[undefined], [PROMO.fixed]])(
    'Resources, Cart.customer_id (gap CART-3): member prices are applied at price calculation, not in the cart (code %s)',
    async (promo) => {
      const target = openTarget();
      const recipe = { items: assortment, ...(promo && { promo }) };
      const anonymous = await cook(target, recipe);
      const member = await cook(target, { ...recipe, customer: MEMBER });

      expect(totalsOf(member.cart)).toEqual(totalsOf(anonymous.cart));
      expect(cents(member.price.total)).toBeLessThan(cents(member.cart.total));
    },
  );

  needs('a known member')(
    'Cart rules 6 (gap CART-3): the current total of a member is that of a calculation, and another is a changed discount',
    async () => {
      const target = openTarget();
      const { cart, price } = await cook(target, { items: assortment, customer: MEMBER, mode: 'PICKUP' });
      const other = await target.post<ErrorBody>(`/carts/${cart.id}/checkout`, { expected_total: cents(cart.total) });
      expectRefusal(other, conflict('Expected total mismatch'));
      expect(other.body).toMatchObject({ error: { change_reasons: ['DISCOUNT_CHANGED'] } });

      const result = await checkout(target, cart.id, { expected_total: cents(price.total) });

      expect(result.total).toEqual(price.total);
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
