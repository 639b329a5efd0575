import { describe, expect, test } from 'vitest';
import { groupsOf, hasWindow, isAgeRestricted, isLimited, isPlain, isUnrestricted, itemsOf } from './catalogue.js';
import type { Cart, CartItem, CartItemRequest, Menu, MenuItem } from './records.js';
import {
  badRequest,
  expectCart,
  expectRefusal,
  expectStatus,
  invalid,
  NO_SUCH_ID,
  notFound,
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
  openShop,
  readCart,
  requestFor,
} from './shop.js';
import { type ControlledTarget, needs, openMock, openTarget, type Target } from './target.js';

async function cartFor(
  target: Target,
  what: string,
  matches: (item: MenuItem) => boolean,
): Promise<{ cart: Cart; item: MenuItem }> {
  const location = await openLocation(target);
  const item = await findItem(target, location.id, what, matches);
  return { cart: await createCart(target, location.id), item };
}

async function plainItem(): Promise<{ target: Target; cart: Cart; item: MenuItem; line: CartItem }> {
  const target = openTarget();
  const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);
  const filled = await addItem(target, cart.id, requestFor(item, 3));
  return { target, cart: filled, item, line: filled.items[0]! };
}

describe('POST /carts/{cart_id}/items', () => {
  test('Endpoints, POST items: answers 201 with the full cart and its totals', async () => {
    const target = openTarget();
    const { cart, plain } = await filledCart(target);

    const answer = await target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain, 2));

    expectStatus(answer, 201);
    expectCart(answer.body);
    expect(answer.body.id).toBe(cart.id);
    expect(answer.body.subtotal.amount).toBeGreaterThan(cart.subtotal.amount);
  });

  test('Resources, CartItem: a line has an id of its own, and refers to the menu item', async () => {
    const { line, item } = await plainItem();

    expect(line.id).toMatch(UUID);
    expect(line.id).not.toBe(item.id);
    expect(line.menu_item_id).toBe(item.id);
  });

  test('Resources, CartItem: name, quantity and base_price are those of the menu and the request', async () => {
    const { line, item } = await plainItem();

    expect(line).toMatchObject({ name: item.name, quantity: 3, base_price: item.base_price });
  });

  test('Resources, CartItem: modifier_total of an item without modifiers is zero', async () => {
    expect((await plainItem()).line).toMatchObject({
      modifier_total: { amount: 0, currency: 'USD' },
      modifier_selections: [],
    });
  });

  test('Resources, CartItem: item_total is the price of a unit times the quantity', async () => {
    const { line, item } = await plainItem();

    expect(line.item_total).toEqual({ amount: item.base_price.amount * 3, currency: 'USD' });
  });

  test('Resources, Cart.subtotal: is the sum of the lines', async () => {
    const { cart, item } = await plainItem();

    expect(cart.subtotal.amount).toBe(item.base_price.amount * 3);
  });

  test('Resources, CartItem: special_instructions is null when none were given', async () => {
    expect((await plainItem()).line.special_instructions).toBeNull();
  });

  test.each([
    ['text', 'No ice, please'],
    ['200 characters', 'x'.repeat(200)],
    ['null', null],
  ])('Limits, special_instructions: %s is kept as given', async (_case, text) => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);

    const filled = await addItem(target, cart.id, { ...requestFor(item), special_instructions: text });

    expect(filled.items[0]!.special_instructions).toBe(text);
  });

  test('Limits, special_instructions: 201 characters are refused', async () => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);

    const answer = await target.post(`/carts/${cart.id}/items`, {
      ...requestFor(item),
      special_instructions: 'x'.repeat(201),
    });

    expectRefusal(answer, invalid('special_instructions'));
    expect((await readCart(target, cart.id)).items).toEqual([]);
  });

  test('Resources, CartItem: lines of a cart keep the order in which they were added', async () => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);
    const location = await openLocation(target);
    const isAnother = (other: MenuItem): boolean => isPlain(other) && other.id !== item.id;
    const other = await findItem(target, location.id, 'a second item without modifiers', isAnother);
    await addItem(target, cart.id, requestFor(item));

    const filled = await addItem(target, cart.id, requestFor(other));

    expect(filled.items.map((line) => line.menu_item_id)).toEqual([item.id, other.id]);
  });
});

describe('CartItemRequest', () => {
  const refused: readonly (readonly [string, (request: CartItemRequest) => unknown, ReturnType<typeof badRequest>])[] =
    [
      [
        'no menu_item_id',
        ({ menu_item_id: _, ...rest }) => rest,
        badRequest('Missing required field: menu_item_id', 'menu_item_id'),
      ],
      ['no quantity', ({ quantity: _, ...rest }) => rest, badRequest('Missing required field: quantity', 'quantity')],
      [
        'no modifier_selections',
        ({ modifier_selections: _, ...rest }) => rest,
        badRequest('Missing required field: modifier_selections', 'modifier_selections'),
      ],
      [
        'a menu_item_id that is no UUID',
        (request) => ({ ...request, menu_item_id: 'coffee' }),
        badRequest(undefined, 'menu_item_id'),
      ],
      ['a quantity in text', (request) => ({ ...request, quantity: '2' }), badRequest(undefined, 'quantity')],
      ['half a unit', (request) => ({ ...request, quantity: 1.5 }), badRequest(undefined, 'quantity')],
      ['a quantity of zero', (request) => ({ ...request, quantity: 0 }), invalid('quantity')],
      ['a negative quantity', (request) => ({ ...request, quantity: -1 }), invalid('quantity')],
      ['a quantity of null', (request) => ({ ...request, quantity: null }), badRequest(undefined, 'quantity')],
      [
        'modifier_selections that are no array',
        (request) => ({ ...request, modifier_selections: {} }),
        badRequest(undefined, 'modifier_selections'),
      ],
      [
        'special_instructions that are no text',
        (request) => ({ ...request, special_instructions: 7 }),
        badRequest(undefined, 'special_instructions'),
      ],
    ];
  const names = refused.map(([name]) => name);

  test.each(names)('Resources, CartItemRequest: POST with %s is refused', async (name) => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);
    const [, change, refusal] = refused.find(([title]) => title === name)!;

    const answer = await target.post(`/carts/${cart.id}/items`, change(requestFor(item)));

    expectRefusal(answer, refusal);
  });

  test.each(names)('Resources, CartItemRequest: PUT with %s is refused', async (name) => {
    const { target, cart, line, item } = await plainItem();
    const [, change, refusal] = refused.find(([title]) => title === name)!;

    const answer = await target.put(`/carts/${cart.id}/items/${line.id}`, change(requestFor(item)));

    expectRefusal(answer, refusal);
  });

  test('Errors 404 (gap CART-15): a menu item that does not exist is not found', async () => {
    const { target, cart, item } = await plainItem();

    const answer = await target.post(`/carts/${cart.id}/items`, { ...requestFor(item), menu_item_id: NO_SUCH_ID });

    expectRefusal(answer, notFound('Menu item not found'));
  });
});

describe('PUT /carts/{cart_id}/items/{item_id}', () => {
  test('Endpoints, PUT item: answers 200 with the full cart', async () => {
    const { target, cart, line, item } = await plainItem();

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${line.id}`, requestFor(item, 5));

    expectStatus(answer, 200);
    expectCart(answer.body);
    expect(answer.body.items[0]).toMatchObject({ id: line.id, quantity: 5 });
  });

  test('Endpoints, PUT item: is a full replacement: instructions left out are gone', async () => {
    const target = openTarget();
    const { cart, item } = await cartFor(target, 'an item without modifiers', isPlain);
    const filled = await addItem(target, cart.id, { ...requestFor(item), special_instructions: 'Extra napkins' });

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${filled.items[0]!.id}`, requestFor(item));

    expect(answer.body.items[0]!.special_instructions).toBeNull();
  });

  test('Cart rules 3: replacing an item recomputes the totals', async () => {
    const { target, cart, line, item } = await plainItem();

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${line.id}`, requestFor(item, 1));

    expect(answer.body.subtotal.amount).toBe(item.base_price.amount);
  });

  test('Endpoints, PUT item: leaves the other lines alone', async () => {
    const { target, cart, item } = await plainItem();
    const location = await openLocation(target);
    const isAnother = (other: MenuItem): boolean => isPlain(other) && other.id !== item.id;
    const other = await findItem(target, location.id, 'a second item without modifiers', isAnother);
    const filled = await addItem(target, cart.id, requestFor(other, 2));

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${filled.items[0]!.id}`, requestFor(item, 9));

    expect(answer.body.items[1]).toEqual(filled.items[1]);
  });

  test('Errors 404: replacing a line that the cart does not have is refused', async () => {
    const { target, cart, item } = await plainItem();

    expectRefusal(await target.put(`/carts/${cart.id}/items/${NO_SUCH_ID}`, requestFor(item)), notFound());
  });

  test('Errors 400: an item id that is no UUID is an invalid parameter', async () => {
    const { target, cart, item } = await plainItem();

    expectRefusal(
      await target.put(`/carts/${cart.id}/items/first`, requestFor(item)),
      badRequest(undefined, 'item_id'),
    );
  });

  test('Endpoints, PUT item: a refused replacement leaves the cart as it was', async () => {
    const { target, cart, line, item } = await plainItem();
    await target.put(`/carts/${cart.id}/items/${line.id}`, { ...requestFor(item), quantity: 0 });

    expect(await readCart(target, cart.id)).toEqual(cart);
  });
});

describe('DELETE /carts/{cart_id}/items/{item_id}', () => {
  test('Endpoints, DELETE item: answers 200 with the cart without the item', async () => {
    const { target, cart, line } = await plainItem();

    const answer = await target.delete<Cart>(`/carts/${cart.id}/items/${line.id}`);

    expectStatus(answer, 200);
    expect(answer.body.items).toEqual([]);
    expect(answer.body.status).toBe('ACTIVE');
  });

  test('Cart rules 3: removing the last item takes the totals back to zero', async () => {
    const { target, cart, line } = await plainItem();

    const answer = await target.delete<Cart>(`/carts/${cart.id}/items/${line.id}`);

    expect(
      [answer.body.subtotal, answer.body.total_tax, answer.body.total_fees, answer.body.total].map(
        ({ amount }) => amount,
      ),
    ).toEqual([0, 0, 0, 0]);
  });

  test('Errors 404: removing a line that the cart does not have is refused', async () => {
    const { target, cart } = await plainItem();

    expectRefusal(await target.delete(`/carts/${cart.id}/items/${NO_SUCH_ID}`), notFound());
  });
});

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

const needsWindow = needs('the clock');

/** The mock, its clock moved to a time of day at the location. */
async function atLocalTime(
  controlled: ControlledTarget,
  pick: (item: MenuItem) => string,
): Promise<{ cart: Cart; item: MenuItem }> {
  const { target, mock, advance } = controlled;
  const location = await openLocation(target);
  const item = await findItem(target, location.id, 'an item with sale hours', hasWindow);
  await advance(`${secondsUntil(pick(item), mock.clock.now(), location.timezone)}s`);
  return { cart: await createCart(target, location.id), item };
}

/** Seconds from `nowMs` until the clocks of a zone next show `time`. */
function secondsUntil(time: string, nowMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const [hour, minute, second] = format.format(nowMs).split(':').map(Number);
  const [thenHour, thenMinute] = time.split(':').map(Number);
  const seconds = (thenHour! * 60 + thenMinute!) * 60 - ((hour! * 60 + minute!) * 60 + second!);
  return (seconds + 86_400) % 86_400;
}

function shifted(time: string, minutes: number): string {
  const [hour, minute] = time.split(':').map(Number);
  const total = (hour! * 60 + minute! + minutes + 1440) % 1440;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

describe('Sale windows', () => {
  needsWindow.each([
    ['at its start', (item: MenuItem) => item.daily_sales_start_time!],
    ['one minute before its end', (item: MenuItem) => shifted(item.daily_sales_end_time!, -1)],
  ])('Cart rules 1 (gap MENU-8): an item is sold %s, in local time', async (_case, pick) => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, pick);

    expectStatus(await controlled.target.post(`/carts/${cart.id}/items`, requestFor(item)), 201);
  });

  needsWindow.each([
    ['one minute before its start', (item: MenuItem) => shifted(item.daily_sales_start_time!, -1)],
    ['at its end', (item: MenuItem) => item.daily_sales_end_time!],
  ])('Cart rules 1, Errors 422: an item is not available %s, in local time', async (_case, pick) => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, pick);

    expectRefusal(
      await controlled.target.post(`/carts/${cart.id}/items`, requestFor(item)),
      unprocessable('Item is not available'),
    );
  });

  needsWindow('Cart rules 6: an item whose hours ended is not checked out', async () => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, (breakfast) => shifted(breakfast.daily_sales_end_time!, -1));
    await addItem(controlled.target, cart.id, requestFor(item));
    await controlled.advance('2m');

    const answer = await controlled.target.post(`/carts/${cart.id}/checkout`, { handoff_mode: HANDOFFS.PICKUP });

    expectRefusal(answer, unprocessable('Item is not available'));
  });
});

/** A mock at a time of day of the location, with a plain item that is sold between the given times. */
async function soldBetween(start: string | null, end: string | null, at: string) {
  const controlled = openMock();
  const { target, mock, advance } = controlled;
  const { location, plain } = await openShop(target);
  await mock.menu.update(location.id, (menu) => {
    const item = itemsOf(menu as Menu).find(({ id }) => id === plain.id)!;
    item.daily_sales_start_time = start;
    item.daily_sales_end_time = end;
  });
  await advance(`${secondsUntil(at, mock.clock.now(), location.timezone)}s`);
  const cart = await createCart(target, location.id);
  return target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain));
}

describe('Windows of other shapes (gap MENU-8)', () => {
  needsWindow.each([
    ['22:00', '02:00', '22:00'],
    ['22:00', '02:00', '23:59'],
    ['22:00', '02:00', '00:30'],
    ['22:00', '02:00', '01:59'],
    ['10:00', null, '10:00'],
    ['10:00', null, '23:59'],
    [null, '10:00', '00:00'],
    [null, '10:00', '09:59'],
    [null, null, '03:00'],
  ])('Resources, MenuItem: an item sold from %s to %s is available at %s', async (start, end, at) => {
    expectStatus(await soldBetween(start, end, at), 201);
  });

  needsWindow.each([
    ['22:00', '02:00', '21:59'],
    ['22:00', '02:00', '02:00'],
    ['22:00', '02:00', '12:00'],
    ['10:00', null, '09:59'],
    ['10:00', null, '00:00'],
    [null, '10:00', '10:00'],
    [null, '10:00', '22:00'],
  ])('Errors 422: an item sold from %s to %s is not available at %s', async (start, end, at) => {
    expectRefusal(await soldBetween(start, end, at), unprocessable('Item is not available'));
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
