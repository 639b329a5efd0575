import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isOnSaleAllDay } from '../support/catalogue.js';
import type { MenuItem, Payment } from '../support/records.js';
import {
  badRequest,
  cents,
  conflict,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  UUID,
  unprocessable,
} from '../support/shapes.js';
import {
  addItem,
  checkout,
  createCart,
  findItem,
  found,
  HANDOFFS,
  openLocation,
  paidOrder,
  pay,
  paymentOf,
  placeOrder,
  readOrder,
  requestFor,
} from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';

const TENDERS = ['CREDIT_CARD', 'DEBIT_CARD', 'GIFT_CARD', 'LOYALTY_POINTS', 'DIGITAL_WALLET'] as const;

describe('POST /orders/{order_id}/payments', () => {
  test.each(TENDERS)('Endpoints, payments: %s is supported', async (method) => {
    const target = openTarget();
    const order = await placeOrder(target);

    const payment = await pay(target, order.id, method, cents(order.total));

    expect(payment).toMatchObject({ payment_method: method, status: 'COMPLETED' });
  });

  test('Endpoints, payments (gap PAY-2): answers 201 with the payment record', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post<Payment>(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100));

    expectStatus(answer, 201);
    expect(answer.body.id).toMatch(UUID);
    expect(answer.body.order_id).toBe(order.id);
  });

  test('Payment record (gaps PAY-2 and PAY-3): has amounts, method, status, failure reason and times', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post<Payment>(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100));

    expect(answer.body).toMatchObject({
      payment_method: 'CREDIT_CARD',
      amount: { amount: 100, currency: 'USD' },
      failure_reason: null,
    });
    expectMoney(answer.body.amount_refunded);
    expect(['PENDING', 'AUTHORIZED', 'CAPTURED', 'COMPLETED']).toContain(answer.body.status);
    expectTimestamp(answer.body.created_at);
    expectTimestamp(answer.body.updated_at);
  });

  test('Endpoints, payments: the payment is attached to the order', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    const payment = await pay(target, order.id, 'CREDIT_CARD', cents(order.total));

    expect((await readOrder(target, order.id)).payments).toEqual([payment]);
  });

  test('States, payment status: a covered total is PAID', async () => {
    expect((await paidOrder(openTarget())).payment_status).toBe('PAID');
  });

  test('States, payment status: balance_due is zero and amount_paid the total once PAID', async () => {
    const order = await paidOrder(openTarget());

    expect(cents(order.balance_due)).toBe(0);
    expect(order.amount_paid).toEqual(order.total);
  });

  test('States, payment status (gap PAY-9): a part of the total makes it PARTIALLY_PAID', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await pay(target, order.id, 'CREDIT_CARD', 100);

    expect((await readOrder(target, order.id)).payment_status).toBe('PARTIALLY_PAID');
  });

  test('States, payment status: balance_due is the remainder after each payment', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await pay(target, order.id, 'GIFT_CARD', 100);
    const first = await readOrder(target, order.id);
    await pay(target, order.id, 'CREDIT_CARD', 50);

    const second = await readOrder(target, order.id);

    expect([cents(first.balance_due), cents(second.balance_due)]).toEqual([
      cents(order.total) - 100,
      cents(order.total) - 150,
    ]);
    expect([cents(first.amount_paid), cents(second.amount_paid)]).toEqual([100, 150]);
  });

  test('Payment rules 1: a split of three tenders, each with its own key, pays the order', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await pay(target, order.id, 'LOYALTY_POINTS', 100);
    await pay(target, order.id, 'GIFT_CARD', 150);
    await pay(target, order.id, 'CREDIT_CARD', cents(order.total) - 250);

    const paid = await readOrder(target, order.id);

    expect(paid.payment_status).toBe('PAID');
    expect(paid.payments.map(({ payment_method, amount, status }) => [payment_method, cents(amount), status])).toEqual([
      ['LOYALTY_POINTS', 100, 'COMPLETED'],
      ['GIFT_CARD', 150, 'COMPLETED'],
      ['CREDIT_CARD', cents(order.total) - 250, 'COMPLETED'],
    ]);
  });

  test('Idempotency rules 2: a payment repeated with its key is not made twice', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    const key = randomUUID();
    const first = await target.post<Payment>(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100), { key });

    const second = await target.post<Payment>(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100), { key });

    expect(second.body).toEqual(first.body);
    expect((await readOrder(target, order.id)).payments).toHaveLength(1);
  });

  test('Idempotency rules 5: two payments of the same amount with two keys are two payments', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await pay(target, order.id, 'CREDIT_CARD', 100);
    await pay(target, order.id, 'CREDIT_CARD', 100);

    expect(cents((await readOrder(target, order.id)).amount_paid)).toBe(200);
  });

  needs('the mock')('Endpoints, payments (gap PAY-1): the mock takes Money as the amount too', async () => {
    const target = openMock().target;
    const order = await placeOrder(target);

    const answer = await target.post<Payment>(`/orders/${order.id}/payments`, {
      ...paymentOf('CREDIT_CARD', 0),
      amount: { amount: 120, currency: 'USD' },
    });

    expectStatus(answer, 201);
    expect(answer.body.amount).toEqual({ amount: 120, currency: 'USD' });
  });
});

describe('What a payment asks for', () => {
  test.each(['payment_method', 'amount'])('Errors 400 (gap PAY-13): a payment without %s is refused', async (field) => {
    const target = openTarget();
    const order = await placeOrder(target);
    const { [field]: _left, ...rest } = paymentOf('CREDIT_CARD', 100);

    expectRefusal(
      await target.post(`/orders/${order.id}/payments`, rest),
      badRequest(`Missing required field: ${field}`, field),
    );
  });

  test.each([
    ['an amount in text', { amount: '100' }, 'amount'],
    ['a fraction of a cent', { amount: 10.5 }, 'amount'],
    ['a payment_method of the wrong type', { payment_method: 4 }, 'payment_method'],
  ])('Errors 400 (gap PAY-13): a payment with %s is refused', async (_case, changes, field) => {
    const target = openTarget();
    const order = await placeOrder(target);

    expectRefusal(
      await target.post(`/orders/${order.id}/payments`, { ...paymentOf('CREDIT_CARD', 100), ...changes }),
      badRequest(undefined, field),
    );
  });

  test.each(['BARTER', 'credit_card', 'DINE_IN'])(
    'Errors 400 or 422: the payment_method "%s" is none of the tenders',
    async (method) => {
      const target = openTarget();
      const order = await placeOrder(target);

      const answer = await target.post(`/orders/${order.id}/payments`, { payment_method: method, amount: 100 });

      expectRefusal(answer, { status: [400, 422], code: 'INVALID_REQUEST_ERROR', field: 'payment_method' });
    },
  );

  test.each([
    ['zero', 0],
    ['below zero', -100],
  ])('Errors 400 or 422: a payment of %s is refused', async (_case, amount) => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', amount));

    expectRefusal(answer, { status: [400, 422], code: 'INVALID_REQUEST_ERROR', field: /^amount/ });
    expect((await readOrder(target, order.id)).payments).toEqual([]);
  });

  test('Endpoints, payments (gap PAY-8): more than balance_due is refused with 422', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total) + 1));

    expectRefusal(answer, unprocessable(undefined, 'amount'));
  });

  test('Endpoints, payments (gaps PAY-8 and PAY-12): a paid order is refused with 422', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectRefusal(await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100)), unprocessable());
  });

  test('Endpoints, payments (gap PAY-12): a cancelled order is refused with 409', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await target.post(`/orders/${order.id}/cancel`);

    expectRefusal(await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100)), conflict());
  });

  test('MenuItem (gap CART-18): CASH is not supported for DELIVERY', async () => {
    const target = openTarget();
    const order = await placeOrder(target, 'DELIVERY');

    expectRefusal(
      await target.post(`/orders/${order.id}/payments`, paymentOf('CASH', cents(order.total))),
      unprocessable(),
    );
  });

  test('MenuItem: CASH is meaningful for a pick-up', async () => {
    const target = openTarget();
    const order = await placeOrder(target, 'PICKUP');

    expectStatus(await target.post(`/orders/${order.id}/payments`, paymentOf('CASH', cents(order.total))), 201);
  });
});

describe('Restricted tenders', () => {
  /** An order of a restricted item, and a tender that its menu item does not allow. */
  async function restricted(enforceTenders: boolean) {
    const { target } = openMock({ enforceTenders });
    const location = await openLocation(target);
    const isRestricted = (item: MenuItem): boolean =>
      isOnSaleAllDay(item) && item.tender_restriction_level === 'RESTRICTED';
    const item = await findItem(target, location.id, 'an item of restricted tenders', isRestricted);
    const cart = await createCart(target, location.id);
    await addItem(target, cart.id, requestFor(item));
    const { order_id: orderId, total } = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });
    const allowed = found(
      TENDERS.find((tender) => item.allowed_tenders!.includes(tender)),
      'a tender that the item allows',
    );
    const refused = found(
      [...TENDERS, 'EBT'].find((tender) => !item.allowed_tenders!.includes(tender)),
      'a tender that it does not',
    );
    return { target, orderId, total, allowed, refused };
  }

  needs('the sample store')('Versioning 2, Resources, MenuItem: tenders are not enforced yet', async () => {
    const { target, orderId, total, refused } = await restricted(false);

    expectStatus(await target.post(`/orders/${orderId}/payments`, paymentOf(refused, cents(total))), 201);
  });

  needs('the planned enforcement of tenders')(
    'Errors 422 (planned): a tender that a restricted item does not allow is refused',
    async () => {
      const { target, orderId, total, refused } = await restricted(true);

      const answer = await target.post(`/orders/${orderId}/payments`, paymentOf(refused, cents(total)));

      expectRefusal(answer, unprocessable('Payment method not allowed for restricted items in cart'));
    },
  );

  needs('the planned enforcement of tenders')(
    'Resources, MenuItem.allowed_tenders (planned): an allowed tender pays',
    async () => {
      const { target, orderId, total, allowed } = await restricted(true);

      expectStatus(await target.post(`/orders/${orderId}/payments`, paymentOf(allowed, cents(total))), 201);
    },
  );
});
