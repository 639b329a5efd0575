import { describe, expect, test } from 'vitest';
import { isPlain } from '../support/catalogue.js';
import type { Cart, MenuItem } from '../support/records.js';
import { conflict, expectCart, expectRefusal, forbidden, NO_SUCH_ID, notFound } from '../support/shapes.js';
import {
  filledCart,
  findItem,
  found,
  HANDOFFS,
  openShop,
  readCart,
  requestFor,
  secondPartner,
} from '../support/shop.js';
import { needs, openMock, openTarget, Target } from '../support/target.js';

/** Every write on a cart, as [what it does, method, path below the cart, body]. */
type Write = readonly [string, string, string, unknown];

function writesOn(itemId: string, menuItemId: string): readonly Write[] {
  const item = { menu_item_id: menuItemId, quantity: 1, modifier_selections: [] };
  return [
    ['PATCH', 'PATCH', '', { customer_id: 'CUST-1' }],
    ['adding an item', 'POST', '/items', item],
    ['replacing an item', 'PUT', `/items/${itemId}`, item],
    ['removing an item', 'DELETE', `/items/${itemId}`, undefined],
    ['setting the handoff', 'PUT', '/handoff', { mode: 'PICKUP' }],
    ['applying a promo code', 'POST', '/promo-codes', { code: 'ANYCODE' }],
    ['removing a promo code', 'DELETE', '/promo-codes/ANYCODE', undefined],
    ['checkout', 'POST', '/checkout', { handoff_mode: { mode: 'PICKUP' } }],
    ['abandoning', 'DELETE', '', undefined],
  ];
}

const WRITES = writesOn('', '').map(([name]) => name);

describe.each([
  [
    'CHECKED_OUT',
    (target: Target, cartId: string) => target.post(`/carts/${cartId}/checkout`, { handoff_mode: { mode: 'PICKUP' } }),
  ],
  ['ABANDONED', (target: Target, cartId: string) => target.delete(`/carts/${cartId}`)],
] as const)('A cart that is %s', (status, close) => {
  test.each(WRITES)(`States, cart: %s on a cart that is ${status} is refused with 409`, async (name) => {
    const target = openTarget();
    const { cart, plain } = await filledCart(target);
    expect((await close(target, cart.id)).status).toBeLessThan(300);
    const [, method, path, body] = found(
      writesOn(cart.items[0]!.id, plain.id).find(([title]) => title === name),
      name,
    );

    const answer = await target.send(method, `/carts/${cart.id}${path}`, { body });

    expectRefusal(answer, conflict('Cart has already been checked out'));
  });
});

describe('A cart of another partner', () => {
  const reads: readonly Write[] = [
    ['reading', 'GET', '', undefined],
    ['calculating', 'POST', '/calculate', undefined],
    ['reading the promo codes', 'GET', '/promo-codes', undefined],
    ['validating a promo code', 'GET', '/promo-codes/validate?code=ANY', undefined],
  ];

  needs('a second partner').each([...reads.map(([name]) => name), ...WRITES])(
    'Errors 403: %s is refused on a cart of another partner',
    async (name) => {
      const controlled = openMock();
      const { cart, plain } = await filledCart(controlled.target);
      const other = secondPartner(controlled, Target);
      const writes = [...reads, ...writesOn(cart.items[0]!.id, plain.id)];
      const [, method, path, body] = found(
        writes.find(([title]) => title === name),
        name,
      );

      const answer = await other.send(method, `/carts/${cart.id}${path}`, { body });

      expectRefusal(answer, forbidden('Resource belongs to another partner'));
      expect(await readCart(controlled.target, cart.id)).toEqual(cart);
    },
  );
});

describe('Unknown carts', () => {
  test.each(WRITES)('Errors 404: %s on an unknown cart is refused', async (name) => {
    const target = openTarget();
    const { plain } = await openShop(target);
    const [, method, path, body] = found(
      writesOn(NO_SUCH_ID, plain.id).find(([title]) => title === name),
      name,
    );

    const answer = await target.send(method, `/carts/${NO_SUCH_ID}${path}`, { body });

    expectRefusal(answer, notFound('Cart not found'));
  });

  test('Errors 404: calculating an unknown cart is refused', async () => {
    expectRefusal(
      await openTarget().post(`/carts/${NO_SUCH_ID}/calculate`, undefined, { key: null }),
      notFound('Cart not found'),
    );
  });

  test('Cart rules 3: a sequence of writes leaves totals that add up after each', async () => {
    const target = openTarget();
    const { cart, location, plain } = await filledCart(target);
    const isAnother = (item: MenuItem): boolean => isPlain(item) && item.id !== plain.id;
    const other = await findItem(target, location.id, 'a second item without modifiers', isAnother);
    const path = `/carts/${cart.id}`;

    const answers = [
      await target.post<Cart>(`${path}/items`, requestFor(other, 2)),
      await target.put<Cart>(`${path}/items/${cart.items[0]!.id}`, requestFor(plain, 5)),
      await target.put<Cart>(`${path}/handoff`, HANDOFFS.CURBSIDE),
      await target.patch<Cart>(path, { customer_id: 'CUST-3' }),
      await target.delete<Cart>(`${path}/items/${cart.items[0]!.id}`),
    ];

    for (const answer of answers) expectCart(answer.body);
    expect(answers.map((answer) => answer.body.items.reduce((count, item) => count + item.quantity, 0))).toEqual([
      3, 7, 7, 7, 2,
    ]);
  });
});
