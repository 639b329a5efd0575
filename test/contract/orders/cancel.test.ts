import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Order, Payment } from '../support/records.js';
import { badRequest, cents, conflict, expectRefusal, expectStatus } from '../support/shapes.js';
import { paidOrder, pay, paymentOf, placeOrder, readOrder } from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';

describe('POST /orders/{order_id}/cancel', () => {
  test('Endpoints, cancel: answers 200 with the order in CANCELLED state', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post<Order>(`/orders/${order.id}/cancel`);

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ id: order.id, status: 'CANCELLED', fulfillment_status: 'CANCELLED' });
  });

  test('States, order: the order stays CANCELLED', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await target.post(`/orders/${order.id}/cancel`);

    expect(await readOrder(target, order.id)).toMatchObject({ status: 'CANCELLED', fulfillment_status: 'CANCELLED' });
  });

  test.each([
    ['no body', undefined, null],
    ['an empty body', {}, null],
    ['a reason of null', { reason: null }, null],
    ['a reason', { reason: 'Customer changed their mind' }, 'Customer changed their mind'],
  ])('Endpoints, cancel (gap ORD-7): %s is accepted', async (_case, body, reason) => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post<Order>(`/orders/${order.id}/cancel`, body);

    expectStatus(answer, 200);
    expect(answer.body.cancellation_reason).toBe(reason);
  });

  test('Errors 400: a reason of the wrong type is refused', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    expectRefusal(await target.post(`/orders/${order.id}/cancel`, { reason: 5 }), badRequest(undefined, 'reason'));
  });

  test('Endpoints, cancel: an unpaid order has nothing to refund', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    const answer = await target.post<Order>(`/orders/${order.id}/cancel`);

    expect([cents(answer.body.amount_paid), cents(answer.body.amount_refunded)]).toEqual([0, 0]);
  });

  test('Payment record status (gap PAY-5): COMPLETED payments are refunded in full', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    await target.post(`/orders/${order.id}/cancel`);

    const after = await readOrder(target, order.id);
    expect(after.amount_refunded).toEqual(order.total);
    expect(after.payments.map(({ status, amount_refunded }) => [status, cents(amount_refunded)])).toEqual([
      ['REFUNDED', cents(order.total)],
    ]);
  });

  test('Endpoints, cancel (gap REF-5): refunds go to loyalty points first, then gift cards, then cards', async () => {
    const target = openTarget();
    const order = await placeOrder(target, 'PICKUP', 8);
    // In the order of payment rule 2: a service may refuse another (gap PAY-25).
    await pay(target, order.id, 'LOYALTY_POINTS', 100);
    await pay(target, order.id, 'GIFT_CARD', 100);
    await pay(target, order.id, 'CREDIT_CARD', 100);
    await target.post(`/orders/${order.id}/cancel`);

    const { refunds } = await readOrder(target, order.id);

    expect(
      refunds
        .flatMap(({ distributions }) => distributions)
        .map(({ payment_method, amount }) => [payment_method, cents(amount)]),
    ).toEqual([
      ['LOYALTY_POINTS', 100],
      ['GIFT_CARD', 100],
      ['CREDIT_CARD', 100],
    ]);
  });

  test('Endpoints, cancel (gaps REF-4 and REF-5): the refund of a cancel is the sum of its distributions', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await target.post(`/orders/${order.id}/cancel`);

    const { refunds } = await readOrder(target, order.id);

    expect(refunds.map(({ amount }) => amount)).toEqual([order.total]);
    expect(refunds[0]!.distributions.map(({ payment_id, amount }) => [payment_id, amount])).toEqual([
      [order.payments[0]!.id, order.total],
    ]);
  });

  test('Payment record status: what was refunded before is not refunded again', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await target.post(`/orders/${order.id}/refunds`, { amount: 100 });

    await target.post(`/orders/${order.id}/cancel`);

    expect((await readOrder(target, order.id)).amount_refunded).toEqual(order.total);
  });

  needs('payments that take time')(
    'Payment record status (gap PAY-5): a payment under way is VOIDED, and no money moves',
    async () => {
      const { target, mock, advance } = openMock();
      const order = await placeOrder(target);
      await mock.payments.settleAfter('1h');
      const payment = await target.post<Payment>(
        `/orders/${order.id}/payments`,
        paymentOf('CREDIT_CARD', cents(order.total)),
      );
      expect(['PENDING', 'AUTHORIZED']).toContain(payment.body.status);
      await target.post(`/orders/${order.id}/cancel`);
      await advance('2h');

      const after = await readOrder(target, order.id);

      expect(after.payments.map(({ status }) => status)).toEqual(['VOIDED']);
      expect([cents(after.amount_paid), cents(after.amount_refunded)]).toEqual([0, 0]);
      expect(after.status).toBe('CANCELLED');
    },
  );

  needs('declined payments')('Payment record status: a FAILED payment stays FAILED', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await mock.payments.declineNext('CREDIT_CARD');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100));
    await target.post(`/orders/${order.id}/cancel`);

    expect((await readOrder(target, order.id)).payments.map(({ status }) => status)).toEqual(['FAILED']);
  });
});

describe('A second cancel', () => {
  test('Idempotency rules 7: with the same key the current order state is returned', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const key = randomUUID();
    await target.post(`/orders/${order.id}/cancel`, undefined, { key });

    const answer = await target.post<Order>(`/orders/${order.id}/cancel`, undefined, { key });

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ id: order.id, status: 'CANCELLED' });
  });

  test('Idempotency rules 7 (gap REF-5): nothing is refunded twice', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const key = randomUUID();
    await target.post(`/orders/${order.id}/cancel`, undefined, { key });
    await target.post(`/orders/${order.id}/cancel`, undefined, { key });

    const after = await readOrder(target, order.id);

    expect(after.amount_refunded).toEqual(order.total);
    expect(after.refunds).toHaveLength(1);
  });

  test('Endpoints, cancel (gap ORD-9): with another key it is refused with 409', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await target.post(`/orders/${order.id}/cancel`);

    expectRefusal(await target.post(`/orders/${order.id}/cancel`), conflict('Order cannot be cancelled'));
  });

  test('Endpoints, refunds: a cancelled and refunded order has nothing left to refund', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await target.post(`/orders/${order.id}/cancel`);

    const answer = await target.post(`/orders/${order.id}/refunds`, { amount: 1 });

    expect([409, 422]).toContain(answer.status);
  });
});
