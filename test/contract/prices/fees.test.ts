import { describe, expect, test } from 'vitest';
import { isPlain, itemsOf } from '../support/catalogue.js';
import { CannotTry } from '../support/live.js';
import type { Cart, Fee, Location, MenuItem } from '../support/records.js';
import { cents, expectCart, expectMoney, expectStatus, sum } from '../support/shapes.js';
import {
  addItem,
  calculate,
  checkout,
  createCart,
  everyLocation,
  found,
  HANDOFFS,
  inStock,
  MODES,
  type Mode,
  menuOf,
  openLocation,
  readOrder,
  requestFor,
  serves,
  setHandoff,
} from '../support/shop.js';
import { openTarget, type Target } from '../support/target.js';

const smallOrder = (fees: readonly Fee[]): Fee | undefined => fees.find((fee) => fee.type === 'SMALL_ORDER');

interface Small {
  readonly target: Target;
  readonly location: Location;
  readonly mode: Mode;
  readonly minimum: number;
  /** A plain item that costs less than the minimum. */
  readonly item: MenuItem;
}

/** A location with a minimum for some mode, and an item that stays below it. */
async function belowMinimum(): Promise<Small> {
  const target = openTarget();
  for (const location of (await everyLocation(target)).filter((candidate) => candidate.online_ordering_enabled)) {
    for (const mode of MODES.filter((candidate) => serves(location, candidate))) {
      const minimum = location.minimum_order_amounts?.[mode]?.amount ?? 0;
      const stock = await inStock(target, location.id);
      const items = itemsOf(await menuOf(target, location.id)).filter((item) => stock.has(item.id) && isPlain(item));
      const item = items.sort((a, b) => a.base_price.amount - b.base_price.amount)[0];
      if (item && item.base_price.amount * 2 < minimum) return { target, location, mode, minimum, item };
    }
  }
  throw new CannotTry('no location has a minimum order amount above twice its cheapest item');
}

async function smallCart({ target, location, item, mode }: Small, quantity = 1): Promise<Cart> {
  const cart = await createCart(target, location.id);
  await addItem(target, cart.id, requestFor(item, quantity));
  return setHandoff(target, cart.id, mode);
}

describe('Fees', () => {
  test.each(MODES)('Other records, fee (gap FEE-1): every fee of a %s cart has type, name and amount', async (mode) => {
    const target = openTarget();
    const location = await openLocation(target, mode);
    const cart = await createCart(target, location.id);
    const item = found(itemsOf(await menuOf(target, location.id)).find(isPlain), 'a plain item');
    await addItem(target, cart.id, requestFor(item));

    for (const fee of (await setHandoff(target, cart.id, mode)).fees) {
      expect(fee.type).toMatch(/^[A-Z_]+$/);
      expect(fee.name).toMatch(/\S/);
      expectMoney(fee.amount);
    }
  });

  test('Resources, Cart.fees: an empty cart has none, also with a handoff mode', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    expect((await setHandoff(target, cart.id, 'PICKUP')).fees).toEqual([]);
  });

  test('Resources, PriceCalculation.total_fees: is the sum of the fees', async () => {
    const small = await belowMinimum();
    const cart = await smallCart(small);

    const price = await calculate(small.target, cart.id);

    expect(cents(price.total_fees)).toBe(sum(price.fees.map((fee) => cents(fee.amount))));
    expect(price.fees.length).toBeGreaterThan(0);
  });

  test('Endpoints, calculate: the fees of the cart are those of the calculation', async () => {
    const small = await belowMinimum();
    const cart = await smallCart(small);

    expect((await calculate(small.target, cart.id)).fees).toEqual(cart.fees);
  });

  test('PriceCalculation (gap FEE-3): fees carry no tax', async () => {
    const small = await belowMinimum();
    const before = await createCart(small.target, small.location.id);
    const filled = await addItem(small.target, before.id, requestFor(small.item));

    const after = await setHandoff(small.target, before.id, small.mode);

    expect(cents(after.total_fees)).toBeGreaterThan(0);
    expect(after.total_tax).toEqual(filled.total_tax);
  });

  test('Resources, Order (gap CART-18): the order keeps the fees of the cart', async () => {
    const small = await belowMinimum();
    const cart = await smallCart(small);
    const result = await checkout(small.target, cart.id);

    expect((await readOrder(small.target, result.order_id)).fees).toEqual(cart.fees);
  });
});

describe('The fee for small orders', () => {
  test('Cart rules 4: a cart below the minimum of its mode gets a SMALL_ORDER fee', async () => {
    expect(smallOrder((await smallCart(await belowMinimum())).fees)).toBeDefined();
  });

  test('Cart rules 4 (gap FEE-2): the fee covers the shortfall to the cent', async () => {
    const small = await belowMinimum();

    const cart = await smallCart(small);

    const fee = cents(smallOrder(cart.fees)!.amount);
    expect(fee).toBe(small.minimum - (cents(cart.total) - fee));
    expect(cents(cart.total)).toBe(small.minimum);
    expectCart(cart);
  });

  test('Cart rules 4: the fee shrinks as the cart grows', async () => {
    const small = await belowMinimum();
    const one = await smallCart(small, 1);

    const two = await smallCart(small, 2);

    expect(smallOrder(two.fees) ? cents(smallOrder(two.fees)!.amount) : 0).toBeLessThan(
      cents(smallOrder(one.fees)!.amount),
    );
  });

  test('Cart rules 4: a cart at or above the minimum has no such fee', async () => {
    const small = await belowMinimum();
    const enough = Math.ceil(small.minimum / small.item.base_price.amount);

    const cart = await smallCart(small, enough);

    expect(smallOrder(cart.fees)).toBeUndefined();
    expect(cents(cart.total)).toBeGreaterThanOrEqual(small.minimum);
  });

  test('Resources, Cart.fees: the fee is recalculated on every modification: it goes once the cart is large enough', async () => {
    const small = await belowMinimum();
    const cart = await smallCart(small);
    const enough = Math.ceil(small.minimum / small.item.base_price.amount);

    const answer = await small.target.put<Cart>(
      `/carts/${cart.id}/items/${cart.items[0]!.id}`,
      requestFor(small.item, enough),
    );

    expectStatus(answer, 200);
    expect(smallOrder(answer.body.fees)).toBeUndefined();
  });

  test('Cart rules 4 (gap FEE-2): without a handoff mode there is no such fee', async () => {
    const { target, location, item } = await belowMinimum();
    const cart = await createCart(target, location.id);

    expect(smallOrder((await addItem(target, cart.id, requestFor(item))).fees)).toBeUndefined();
  });

  test('Cart rules 4 (gaps CART-18 and FEE-2): the order is not blocked', async () => {
    const small = await belowMinimum();
    const cart = await smallCart(small);

    const result = await checkout(small.target, cart.id);

    expect(cents(result.total)).toBe(small.minimum);
  });

  test('Cart rules 4: the minimum is that of the chosen mode', async () => {
    const small = await belowMinimum();
    const free = MODES.find((mode) => serves(small.location, mode) && !small.location.minimum_order_amounts?.[mode]);
    const mode = found(free, 'a mode without a minimum at the same location');
    const cart = await smallCart(small);

    const answer = await small.target.put<Cart>(`/carts/${cart.id}/handoff`, HANDOFFS[mode]);

    expect(smallOrder(answer.body.fees)).toBeUndefined();
  });

  test('Cart rules 4 (gaps CART-18 and FEE-2): a handoff given at checkout counts for the fee', async () => {
    const { target, location, item, mode, minimum } = await belowMinimum();
    const cart = await createCart(target, location.id);
    await addItem(target, cart.id, requestFor(item));

    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS[mode] });

    expect(cents(result.total)).toBe(minimum);
  });
});
