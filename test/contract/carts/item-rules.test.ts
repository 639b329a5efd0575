import { describe, expect, test } from 'vitest';
import { groupsOf, isAgeRestricted, isLimited, isPlain, isUnrestricted } from '../support/catalogue.js';
import type { Cart, Menu, MenuItem } from '../support/records.js';
import { expectRefusal, expectStatus, unprocessable } from '../support/shapes.js';
import {
  addItem,
  calculate,
  cartFor,
  checkout,
  createCart,
  HANDOFFS,
  openLocation,
  openShop,
  requestFor,
} from '../support/shop.js';
import { type ControlledTarget, needs, openMock, openTarget, type Target } from '../support/target.js';

describe('Quantity limits', () => {
  const limited = (target: Target) => cartFor(target, 'an item with a quantity limit', isLimited);

  test('Limits, max_allowed_quantity: the limit itself is accepted', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);

    const filled = await addItem(target, cart.id, requestFor(item, item.max_allowed_quantity!));

    expect(filled.items[0]!.quantity).toBe(item.max_allowed_quantity);
  });

  test('Cart rules 1, Errors 422: one unit above the limit is refused', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);

    const answer = await target.post(`/carts/${cart.id}/items`, requestFor(item, item.max_allowed_quantity! + 1));

    expectRefusal(answer, unprocessable('Quantity exceeds limit', 'quantity'));
  });

  test('Resources, MenuItem.max_allowed_quantity: counts all lines of the item in the cart', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);
    await addItem(target, cart.id, requestFor(item, item.max_allowed_quantity!));

    const answer = await target.post(`/carts/${cart.id}/items`, requestFor(item, 1));

    expectRefusal(answer, unprocessable('Quantity exceeds limit', 'quantity'));
  });

  test('Resources, MenuItem.max_allowed_quantity: a replacement above the limit is refused', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);
    const filled = await addItem(target, cart.id, requestFor(item, 1));

    const answer = await target.put(
      `/carts/${cart.id}/items/${filled.items[0]!.id}`,
      requestFor(item, item.max_allowed_quantity! + 1),
    );

    expectRefusal(answer, unprocessable('Quantity exceeds limit', 'quantity'));
  });

  test('Resources, MenuItem.max_allowed_quantity: a replacement does not count what it replaces', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);
    const filled = await addItem(target, cart.id, requestFor(item, item.max_allowed_quantity!));

    const answer = await target.put(
      `/carts/${cart.id}/items/${filled.items[0]!.id}`,
      requestFor(item, item.max_allowed_quantity!),
    );

    expectStatus(answer, 200);
  });

  test('Resources, MenuItem.max_allowed_quantity: a replacement counts the other lines of the item', async () => {
    const target = openTarget();
    const isRoomy = (item: MenuItem): boolean => isLimited(item) && item.max_allowed_quantity! >= 2;
    const { cart, item } = await cartFor(target, 'an item with a quantity limit of two or more', isRoomy);
    await addItem(target, cart.id, requestFor(item, item.max_allowed_quantity! - 1));
    const filled = await addItem(target, cart.id, { ...requestFor(item, 1), special_instructions: 'Separate bag' });
    const line = filled.items.at(-1)!;

    const answer = await target.put(`/carts/${cart.id}/items/${line.id}`, requestFor(item, line.quantity + 1));

    expectRefusal(answer, unprocessable('Quantity exceeds limit', 'quantity'));
  });

  test('Resources, MenuItem.max_allowed_quantity: units that were removed no longer count', async () => {
    const target = openTarget();
    const { cart, item } = await limited(target);
    const filled = await addItem(target, cart.id, requestFor(item, item.max_allowed_quantity!));
    await target.delete(`/carts/${cart.id}/items/${filled.items[0]!.id}`);

    expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(item, item.max_allowed_quantity!)), 201);
  });

  test('Resources, MenuItem.max_allowed_quantity: null means no limit', async () => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);

    expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(item, 500)), 201);
  });
});

describe('Age-restricted items', () => {
  const restricted = (target: Target) => cartFor(target, 'an age-restricted item', isAgeRestricted);

  test('Cart rules 2: an age-restricted item is never blocked', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);

    expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(item)), 201);
  });

  test('Cart rules 2: the cart then asks for age verification', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);

    expect((await addItem(target, cart.id, requestFor(item))).age_verification_required).toBe(true);
  });

  test('Resources, CartItem: age_verification_required and minimum_age are copied from the menu item', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);

    const filled = await addItem(target, cart.id, requestFor(item));

    expect(filled.items[0]).toMatchObject({ age_verification_required: true, minimum_age: item.minimum_age });
  });

  test('Resources, Cart.age_verification_required: is false again once the item is removed', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);
    const filled = await addItem(target, cart.id, requestFor(item));

    const answer = await target.delete<Cart>(`/carts/${cart.id}/items/${filled.items[0]!.id}`);

    expect(answer.body.age_verification_required).toBe(false);
  });

  test('Resources, PriceCalculation: age_verification_required is true', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);
    await addItem(target, cart.id, requestFor(item));

    expect((await calculate(target, cart.id)).age_verification_required).toBe(true);
  });

  test('Cart rules 6: an age-restricted item does not block checkout', async () => {
    const target = openTarget();
    const { cart, item } = await restricted(target);
    await addItem(target, cart.id, requestFor(item));

    expect((await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP })).age_verification_required).toBe(true);
  });
});

describe('Tenders of restricted items', () => {
  test('Versioning 2, Cart rules 7: a restricted item goes into a cart: enforcement is planned, not active', async () => {
    const target = openTarget();
    const isRestricted = (item: MenuItem): boolean =>
      item.available && item.tender_restriction_level === 'RESTRICTED' && item.daily_sales_start_time === null;
    const { cart, item } = await cartFor(target, 'an item of restricted tenders', isRestricted);

    expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(item)), 201);
  });
});

describe('The current menu', () => {
  const needsMenu = needs('control of the menu');

  async function updated(
    controlled: ControlledTarget,
    itemId: string,
    change: (item: MenuItem) => void,
  ): Promise<void> {
    const { id } = await openLocation(controlled.target);
    await controlled.mock.menu.update(id, (menu) => {
      for (const item of (menu as Menu).categories.flatMap((category) => category.items))
        if (item.id === itemId) change(item);
    });
  }

  needsMenu('Cart rules 1, Errors 422: an item that was disabled is not available', async () => {
    const controlled = openMock();
    const { location, plain } = await openShop(controlled.target);
    const cart = await createCart(controlled.target, location.id);
    await updated(controlled, plain.id, (item) => {
      item.available = false;
    });

    expectRefusal(
      await controlled.target.post(`/carts/${cart.id}/items`, requestFor(plain)),
      unprocessable('Item is not available'),
    );
  });

  needsMenu('Endpoints, PUT item: modifiers are validated against the current menu', async () => {
    const controlled = openMock();
    const { target } = controlled;
    const hasOptions = (item: MenuItem): boolean =>
      isUnrestricted(item) && groupsOf(item).some((group) => group.min_selections === 0);
    const { cart, item } = await cartFor(target, 'an item with an optional group', hasOptions);
    const filled = await addItem(target, cart.id, requestFor(item));
    await updated(controlled, item.id, (changed) => {
      const group = groupsOf(changed).find(({ min_selections }) => min_selections === 0)!;
      group.min_selections = 1;
      group.max_selections = Math.max(1, group.max_selections);
    });

    const answer = await target.put(`/carts/${cart.id}/items/${filled.items[0]!.id}`, requestFor(item));

    expectRefusal(answer, unprocessable('Modifier validation failed', /^modifier_selections/));
  });

  needsMenu('Cart rules 6: checkout validates modifiers against the current menu', async () => {
    const controlled = openMock();
    const { target } = controlled;
    const hasOptions = (item: MenuItem): boolean =>
      isUnrestricted(item) && groupsOf(item).some((group) => group.min_selections === 0);
    const { cart, item } = await cartFor(target, 'an item with an optional group', hasOptions);
    await addItem(target, cart.id, requestFor(item));
    await updated(controlled, item.id, (changed) => {
      const group = groupsOf(changed).find(({ min_selections }) => min_selections === 0)!;
      group.min_selections = 1;
      group.max_selections = Math.max(1, group.max_selections);
    });

    const answer = await target.post(`/carts/${cart.id}/checkout`, { handoff_mode: HANDOFFS.PICKUP });

    expectRefusal(answer, unprocessable('Modifier validation failed'));
  });
});
