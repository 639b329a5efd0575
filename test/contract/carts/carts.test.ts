import { describe, expect, test } from 'vitest';
import type { Cart } from '../support/records.js';
import {
  badRequest,
  conflict,
  expectCart,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  NO_SUCH_ID,
  notFound,
  UUID,
  unprocessable,
} from '../support/shapes.js';
import {
  checkout,
  createCart,
  everyLocation,
  filledCart,
  found,
  HANDOFFS,
  openLocation,
  readCart,
} from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';

const ZERO = { amount: 0, currency: 'USD' };

async function newCart(customerId?: string): Promise<Cart> {
  const target = openTarget();
  return createCart(target, (await openLocation(target)).id, customerId);
}

describe('POST /carts', () => {
  test('Endpoints, POST /carts: answers 201 with the cart', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.post<Cart>('/carts', { location_id: location.id });

    expectStatus(answer, 201);
    expect(answer.body.location_id).toBe(location.id);
    expectCart(answer.body);
  });

  test('States, cart: a new cart is ACTIVE', async () => {
    expect((await newCart()).status).toBe('ACTIVE');
  });

  test('Resources, Cart: a new cart has no items, no promo codes and no fees', async () => {
    expect(await newCart()).toMatchObject({ items: [], promo_codes: [], fees: [] });
  });

  test('Resources, Cart: handoff_mode of a new cart is null', async () => {
    expect((await newCart()).handoff_mode).toBeNull();
  });

  test.each(['subtotal', 'total_tax', 'total_discount', 'total_fees', 'total'] as const)(
    'Resources, Cart: %s of a new cart is zero',
    async (field) => {
      expect((await newCart())[field]).toEqual(ZERO);
    },
  );

  test('Resources, Cart: a new cart needs no age verification', async () => {
    expect((await newCart()).age_verification_required).toBe(false);
  });

  test('Resources, Cart: customer_id is null when none was given', async () => {
    expect((await newCart()).customer_id).toBeNull();
  });

  test('Resources, Cart: customer_id is kept as given', async () => {
    expect((await newCart('CUST-12345')).customer_id).toBe('CUST-12345');
  });

  test('Endpoints, POST /carts: a customer_id of null is accepted', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.post<Cart>('/carts', { location_id: location.id, customer_id: null });

    expectStatus(answer, 201);
    expect(answer.body.customer_id).toBeNull();
  });

  test('Resources, Cart: created_at and updated_at are date-times in UTC', async () => {
    const cart = await newCart();

    expectTimestamp(cart.created_at);
    expectTimestamp(cart.updated_at);
  });

  test('General conventions: two carts have two ids', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const first = await createCart(target, location.id);

    const second = await createCart(target, location.id);

    expect(first.id).toMatch(UUID);
    expect(second.id).not.toBe(first.id);
  });

  test('Errors 400: a cart without a location_id is refused', async () => {
    expectRefusal(
      await openTarget().post('/carts', {}),
      badRequest('Missing required field: location_id', 'location_id'),
    );
  });

  test.each([
    ['is no UUID', 'store-1'],
    ['is a number', 12],
    ['is an object', {}],
  ])('Errors 400: a location_id that %s is refused', async (_case, locationId) => {
    expectRefusal(await openTarget().post('/carts', { location_id: locationId }), badRequest(undefined, 'location_id'));
  });

  test('Errors 404: a cart at an unknown location is refused', async () => {
    expectRefusal(await openTarget().post('/carts', { location_id: NO_SUCH_ID }), notFound('Location not found'));
  });

  needs('a location without online ordering')(
    'Resources, Cart.location_id (gap LOC-5): a location without online ordering is refused with 422',
    async () => {
      const { target } = openMock();
      const closed = (await everyLocation(target)).find((location) => !location.online_ordering_enabled);

      const answer = await target.post('/carts', {
        location_id: found(closed, 'a location without online ordering').id,
      });

      expectRefusal(answer, unprocessable('Location is not available for online ordering', 'location_id'));
    },
  );
});

describe('customer_id', () => {
  test.each([
    ['255 characters', 'c'.repeat(255)],
    ['one character', 'c'],
    ['letters, digits, hyphen and underscore', 'Az09-_'],
  ])('Limits, customer_id: %s are accepted', async (_case, customerId) => {
    expect((await newCart(customerId)).customer_id).toBe(customerId);
  });

  test('Errors 422: a customer_id of 256 characters is too long', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.post('/carts', { location_id: location.id, customer_id: 'c'.repeat(256) });

    expectRefusal(answer, unprocessable('Customer ID too long', 'customer_id'));
  });

  test.each(['a b', 'ann@example.com', 'a.b', 'a/b', 'ünal', 'a+b', 'a#b', 'a:b'])(
    'Errors 422: the customer_id "%s" has an invalid format',
    async (customerId) => {
      const target = openTarget();
      const location = await openLocation(target);

      const answer = await target.post('/carts', { location_id: location.id, customer_id: customerId });

      expectRefusal(answer, unprocessable('Invalid customer ID format', 'customer_id'));
    },
  );

  test('Errors 400: a customer_id of the wrong type is refused', async () => {
    const target = openTarget();
    const location = await openLocation(target);

    const answer = await target.post('/carts', { location_id: location.id, customer_id: 42 });

    expectRefusal(answer, badRequest(undefined, 'customer_id'));
  });

  test('Errors 422: PATCH refuses a customer_id of 256 characters', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    const answer = await target.patch(`/carts/${cart.id}`, { customer_id: 'c'.repeat(256) });

    expectRefusal(answer, unprocessable('Customer ID too long', 'customer_id'));
  });

  test('Errors 422: PATCH refuses a customer_id with other characters', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    const answer = await target.patch(`/carts/${cart.id}`, { customer_id: 'a b' });

    expectRefusal(answer, unprocessable('Invalid customer ID format', 'customer_id'));
  });
});

describe('GET /carts/{cart_id}', () => {
  test('Endpoints, GET /carts/{cart_id}: answers 200 with the cart as the last write left it', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2);

    const answer = await target.get<Cart>(`/carts/${cart.id}`);

    expectStatus(answer, 200);
    expect(answer.body).toEqual(cart);
  });

  test('Errors 404: an unknown cart is not found', async () => {
    expectRefusal(await openTarget().get(`/carts/${NO_SUCH_ID}`), notFound('Cart not found'));
  });

  test('Errors 400: a cart id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().get('/carts/cart-1'), badRequest(undefined, 'cart_id'));
  });

  test('States, cart: a checked out cart can still be read', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    expect((await readCart(target, cart.id)).status).toBe('CHECKED_OUT');
  });
});

describe('PATCH /carts/{cart_id}', () => {
  test('Endpoints, PATCH: sets the customer_id and answers 200 with the cart', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: 'CUST-7' });

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ id: cart.id, customer_id: 'CUST-7', status: 'ACTIVE' });
    expectCart(answer.body);
  });

  test('Resources, Cart.customer_id: null goes back to an anonymous cart', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id, 'CUST-7');

    const answer = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: null });

    expectStatus(answer, 200);
    expect(answer.body.customer_id).toBeNull();
  });

  test('Idempotency rules 1: PATCH supports a key and does not need one', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);

    expectStatus(await target.patch(`/carts/${cart.id}`, { customer_id: 'CUST-8' }, { key: null }), 200);
  });

  test('Errors 404: PATCH of an unknown cart is refused', async () => {
    expectRefusal(await openTarget().patch(`/carts/${NO_SUCH_ID}`, { customer_id: null }), notFound('Cart not found'));
  });

  test('Endpoints, PATCH: leaves the items as they are', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 3);

    const answer = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: 'CUST-9' });

    expect(answer.body.items.map((item) => [item.id, item.quantity])).toEqual([[cart.items[0]!.id, 3]]);
  });

  needs('the clock')('Resources, Cart: a write moves updated_at and leaves created_at', async () => {
    const { target, mock } = openMock();
    const cart = await createCart(target, (await openLocation(target)).id);
    await mock.clock.advance('2m');

    const answer = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: 'CUST-9' });

    expect(answer.body.created_at).toBe(cart.created_at);
    expect(Date.parse(answer.body.updated_at)).toBeGreaterThan(Date.parse(cart.updated_at));
  });
});

describe('DELETE /carts/{cart_id}', () => {
  test('Endpoints, DELETE /carts/{cart_id} (gap CART-1): answers 204 without a body', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.delete(`/carts/${cart.id}`);

    expectStatus(answer, 204);
    expect(answer.text).toBe('');
  });

  test('Errors 404 (gap CART-2): a cart is not found after it was abandoned', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await target.delete(`/carts/${cart.id}`);

    expectRefusal(await target.get(`/carts/${cart.id}`), notFound('Cart not found'));
  });

  test('States, cart: a checked out cart is not abandoned', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    expectRefusal(await target.delete(`/carts/${cart.id}`), conflict('Cart has already been checked out'));
    expect((await readCart(target, cart.id)).status).toBe('CHECKED_OUT');
  });

  test('Errors 404: abandoning an unknown cart is refused', async () => {
    expectRefusal(await openTarget().delete(`/carts/${NO_SUCH_ID}`), notFound('Cart not found'));
  });
});
