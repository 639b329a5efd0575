import { describe, expect, test } from 'vitest';
import { isPlain } from '../support/catalogue.js';
import type { Cart, CartItem, CartItemRequest, MenuItem } from '../support/records.js';
import {
  badRequest,
  expectCart,
  expectRefusal,
  expectStatus,
  invalid,
  NO_SUCH_ID,
  notFound,
  UUID,
} from '../support/shapes.js';
import { addItem, cartFor, filledCart, findItem, openLocation, readCart, requestFor } from '../support/shop.js';
import { openTarget, type Target } from '../support/target.js';

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
