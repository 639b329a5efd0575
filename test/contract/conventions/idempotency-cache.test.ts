import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Cart, ErrorBody, Order } from '../support/records.js';
import { cents, conflict, expectRefusal, expectStatus } from '../support/shapes.js';
import {
  createCart,
  filledCart,
  HANDOFFS,
  openLocation,
  paidOrder,
  paymentOf,
  placeOrder,
  readCart,
  readOrder,
  requestFor,
  secondPartner,
} from '../support/shop.js';
import { needs, openMock, openTarget, Target } from '../support/target.js';

describe('What a repetition does', () => {
  test('Idempotency rules 2: the request is not processed again', async () => {
    const target = openTarget();
    const { cart, plain } = await filledCart(target, 1);
    const key = randomUUID();
    for (let count = 0; count < 3; count += 1)
      await target.post(`/carts/${cart.id}/items`, requestFor(plain, 1), { key });

    const units = (await readCart(target, cart.id)).items.reduce((total, item) => total + item.quantity, 0);

    expect(units).toBe(2);
  });

  test('Idempotency rules 2: the cached answer stays, also after the cart has changed', async () => {
    const target = openTarget();
    const { cart, plain } = await filledCart(target, 1);
    const key = randomUUID();
    const first = await target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain, 1), { key });
    await target.post(`/carts/${cart.id}/items`, requestFor(plain, 5));

    const again = await target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain, 1), { key });

    expect(again.body).toEqual(first.body);
  });

  test('Idempotency rules 5: another key is another operation', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);
    const first = await createCart(target, id);

    expect((await createCart(target, id)).id).not.toBe(first.id);
  });

  test('Idempotency rules 2: members of the body in another order are the same body, or another one: never a second cart', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);
    const key = randomUUID();
    const first = await target.post<Cart>('/carts', { location_id: id, customer_id: 'CUST-1' }, { key });

    const second = await target.post<Cart>('/carts', { customer_id: 'CUST-1', location_id: id }, { key });

    if (second.status === 201) expect(second.body.id).toBe(first.body.id);
    else expectRefusal(second, conflict());
  });

  test('Idempotency rules 2 (gap PAY-11): two requests with one key at the same time are one operation', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    const key = randomUUID();
    const send = () => target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100), { key });

    const [first, second] = await Promise.all([send(), send()]);

    expectStatus(first!, 201);
    expect(second!.body).toEqual(first!.body);
    expect((await readOrder(target, order.id)).payments).toHaveLength(1);
  });

  test('Idempotency rules 2: a repetition with a new token is answered from the cache too', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);
    const key = randomUUID();
    const first = await target.post<Cart>('/carts', { location_id: id }, { key });
    const grant = await target.requestToken();

    const second = await target.post<Cart>('/carts', { location_id: id }, { key, token: grant.body.access_token });

    expect(second.body).toEqual(first.body);
  });

  needs('a second partner')('Idempotency rules 2: the key of one partner means nothing to another', async () => {
    const controlled = openMock();
    const other = secondPartner(controlled, Target);
    const { id } = await openLocation(controlled.target);
    const key = randomUUID();
    const first = await controlled.target.post<Cart>('/carts', { location_id: id }, { key });

    const second = await other.post<Cart>('/carts', { location_id: id }, { key });

    expectStatus(second, 201);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

describe('A key of another operation', () => {
  test('Idempotency rules 4 (gap ERR-8): a key used on one endpoint is refused with another body on another endpoint', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);
    const { plain } = await filledCart(target);
    const key = randomUUID();
    const { body: cart } = await target.post<Cart>('/carts', { location_id: id }, { key });

    expectRefusal(
      await target.post(`/carts/${cart.id}/items`, requestFor(plain), { key }),
      conflict(/idempotency key/i),
    );
  });

  test('Idempotency rules 5: the answer for one line is never given for another', async () => {
    const target = openTarget();
    const { cart, plain } = await filledCart(target);
    const filled = await target.post<Cart>(`/carts/${cart.id}/items`, {
      ...requestFor(plain),
      special_instructions: 'Cold',
    });
    const [first, second] = filled.body.items.map((item) => `/carts/${cart.id}/items/${item.id}`);
    const key = randomUUID();
    expectStatus(await target.delete(first!, { key }), 200);

    const answer = await target.delete<Cart>(second!, { key });

    if (answer.status === 200) expect(answer.body.items).toEqual([]);
    else expectRefusal(answer, conflict(/idempotency key/i));
  });
});

describe('Checkout and cancel after the 24 hours', () => {
  needs('the clock')(
    'Idempotency rules 6: the key of the checkout returns the original order at any time',
    async () => {
      const { target, advance } = openMock();
      const { cart } = await filledCart(target);
      const key = randomUUID();
      const body = { handoff_mode: HANDOFFS.PICKUP };
      const first = await target.post<{ order_id: string }>(`/carts/${cart.id}/checkout`, body, { key });
      await advance('25h');

      const again = await target.post<{ order_id: string }>(`/carts/${cart.id}/checkout`, body, { key });

      expect(again.body.order_id, again.text).toBe(first.body.order_id);
    },
  );

  needs('the clock')('Idempotency rules 7: the key of the cancel returns the current order at any time', async () => {
    const { target, advance } = openMock();
    const order = await paidOrder(target);
    const key = randomUUID();
    await target.post(`/orders/${order.id}/cancel`, undefined, { key });
    await advance('25h');

    const again = await target.post<Order>(`/orders/${order.id}/cancel`, undefined, { key });

    expectStatus(again, 200);
    expect(again.body).toMatchObject({ id: order.id, status: 'CANCELLED' });
    expect((await readOrder(target, order.id)).refunds).toHaveLength(1);
  });
});

describe('Errors and keys', () => {
  test('Idempotency rules 3: a 422 is not cached: the corrected cart accepts the same request', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    const key = randomUUID();
    expectStatus(await target.post(`/carts/${cart.id}/checkout`, {}, { key }), 422);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    expectStatus(await target.post(`/carts/${cart.id}/checkout`, {}, { key }), 201);
  });

  test('Errors rules 4: a key whose request was refused may be used with a corrected body', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);
    const key = randomUUID();
    expectStatus(await target.post('/carts', { location_id: 'store-1' }, { key }), 400);

    expectStatus(await target.post('/carts', { location_id: id }, { key }), 201);
  });

  test('Errors rules 4: two refusals with one key have two request ids', async () => {
    const target = openTarget();
    const key = randomUUID();
    const first = await target.post<ErrorBody>('/carts', {}, { key });

    const second = await target.post<ErrorBody>('/carts', {}, { key });

    expect(second.body.error.request_id).not.toBe(first.body.error.request_id);
  });

  needs('faults')(
    'Idempotency rules 3: a 500 is not cached: the repetition with the same key is executed',
    async () => {
      const { target, mock } = openMock();
      const { id } = await openLocation(target);
      const key = randomUUID();
      mock.faults.next('POST /carts', { status: 500 });
      expectStatus(await target.post('/carts', { location_id: id }, { key }), 500);

      expectStatus(await target.post('/carts', { location_id: id }, { key }), 201);
    },
  );

  needs('faults')('Idempotency rules 2: an answer that was lost after the commit is given again', async () => {
    const { target, mock } = openMock();
    const { cart, plain } = await filledCart(target, 1);
    const key = randomUUID();
    mock.faults.next('POST /carts/{cart_id}/items', { after: 'commit', fail: 'socket_reset' });
    await expect(target.post(`/carts/${cart.id}/items`, requestFor(plain, 1), { key })).rejects.toThrow();

    expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(plain, 1), { key }), 201);
    expect((await readCart(target, cart.id)).items.reduce((total, item) => total + item.quantity, 0)).toBe(2);
  });
});

describe('The 24 hours of a key', () => {
  const needsClock = needs('the clock');

  needsClock('Limits, idempotency cache: one second before 24 hours the cached answer is returned', async () => {
    const { target, advance } = openMock();
    const { id } = await openLocation(target);
    const key = randomUUID();
    const first = await target.post<Cart>('/carts', { location_id: id }, { key });
    await advance('86399s');

    expect((await target.post<Cart>('/carts', { location_id: id }, { key })).body).toEqual(first.body);
  });

  needsClock('Limits, idempotency cache: after 24 hours the request is processed again', async () => {
    const { target, advance } = openMock();
    const { id } = await openLocation(target);
    const key = randomUUID();
    const first = await target.post<Cart>('/carts', { location_id: id }, { key });
    await advance('86401s');

    const second = await target.post<Cart>('/carts', { location_id: id }, { key });

    expectStatus(second, 201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  needsClock('Limits, idempotency cache: after 24 hours the key may come with another body', async () => {
    const { target, advance } = openMock();
    const { id } = await openLocation(target);
    const key = randomUUID();
    await target.post('/carts', { location_id: id }, { key });
    await advance('86401s');

    expectStatus(await target.post('/carts', { location_id: id, customer_id: 'CUST-1' }, { key }), 201);
  });

  needsClock('Idempotency rules 2: after 24 hours a payment with the same key is made again', async () => {
    const { target, advance } = openMock();
    const order = await placeOrder(target);
    const key = randomUUID();
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 50), { key });
    await advance('86401s');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 50), { key });

    const after: Order = await readOrder(target, order.id);

    expect(cents(after.amount_paid)).toBe(100);
  });
});
