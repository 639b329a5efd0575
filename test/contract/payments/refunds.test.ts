import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Order, Refund } from '../support/records.js';
import {
  badRequest,
  cents,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  sum,
  UUID,
  unprocessable,
} from '../support/shapes.js';
import { paidOrder, pay, placeOrder, readOrder } from '../support/shop.js';
import { openTarget, type Target } from '../support/target.js';

const refund = (target: Target, orderId: string, body: unknown, key: string = randomUUID()) =>
  target.post<Refund>(`/orders/${orderId}/refunds`, body, { key });

/** An order paid with four tenders: 100 by each of the first three, the rest by card. */
async function splitOrder(target: Target): Promise<Order> {
  const order = await placeOrder(target, 'PICKUP', 12);
  await pay(target, order.id, 'LOYALTY_POINTS', 100);
  await pay(target, order.id, 'GIFT_CARD', 100);
  await pay(target, order.id, 'DIGITAL_WALLET', 100);
  await pay(target, order.id, 'CREDIT_CARD', cents(order.total) - 300);
  return readOrder(target, order.id);
}

describe('POST /orders/{order_id}/refunds', () => {
  test('Endpoints, refunds (gap REF-4): answers 201 with the refund record', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    const answer = await refund(target, order.id, { amount: 100 });

    expectStatus(answer, 201);
    expect(answer.body).toMatchObject({
      order_id: order.id,
      amount: { amount: 100, currency: 'USD' },
      status: 'COMPLETED',
    });
    expect(answer.body.id).toMatch(UUID);
    expectTimestamp(answer.body.created_at);
  });

  test('Endpoints, refunds (gap REF-4): the distributions name the payments and add up to the amount', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    const { body } = await refund(target, order.id, { amount: 120 });

    expect(sum(body.distributions.map(({ amount }) => cents(amount)))).toBe(120);
    expect(body.distributions.map(({ payment_id, payment_method }) => [payment_id, payment_method])).toEqual([
      [order.payments[0]!.id, 'CREDIT_CARD'],
    ]);
    for (const { amount } of body.distributions) expectMoney(amount);
  });

  test('Resources, Order: a refund raises amount_refunded and leaves amount_paid', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await refund(target, order.id, { amount: 150 });

    const after = await readOrder(target, order.id);

    expect([cents(after.amount_paid), cents(after.amount_refunded)]).toEqual([cents(order.total), 150]);
  });

  test('Payment record (gap PAY-3): the payment shows what was refunded of it', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await refund(target, order.id, { amount: 150 });

    expect(cents((await readOrder(target, order.id)).payments[0]!.amount_refunded)).toBe(150);
  });

  test('Resources, Order (gap REF-5): the order lists its refunds', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const answer = await refund(target, order.id, { amount: 150 });

    expect((await readOrder(target, order.id)).refunds).toEqual([answer.body]);
  });

  test('Endpoints, refunds: several partial refunds are allowed until the balance is refunded', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const third = Math.floor(cents(order.total) / 3);
    for (const amount of [third, third, cents(order.total) - 2 * third])
      expectStatus(await refund(target, order.id, { amount }), 201);

    expect((await readOrder(target, order.id)).amount_refunded).toEqual(order.total);
    expectRefusal(await refund(target, order.id, { amount: 1 }), unprocessable('Refund exceeds refundable balance'));
  });

  test('Endpoints, refunds: a full refund in one piece is allowed', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectStatus(await refund(target, order.id, { amount: cents(order.total) }), 201);
  });

  test('Errors 422: one cent more than was paid is refused', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectRefusal(
      await refund(target, order.id, { amount: cents(order.total) + 1 }),
      unprocessable('Refund exceeds refundable balance', 'amount'),
    );
  });

  test('Errors 422: one cent more than paid minus refunded is refused', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    await refund(target, order.id, { amount: 100 });

    expectRefusal(
      await refund(target, order.id, { amount: cents(order.total) - 99 }),
      unprocessable('Refund exceeds refundable balance'),
    );
    expect(cents((await readOrder(target, order.id)).amount_refunded)).toBe(100);
  });

  test('Errors 422 (gap REF-8): an order that was never paid has nothing to refund', async () => {
    const target = openTarget();
    const order = await placeOrder(target);

    expectRefusal(await refund(target, order.id, { amount: 1 }), unprocessable('Refund exceeds refundable balance'));
  });

  test('Errors 422: a partly paid order refunds no more than what was paid', async () => {
    const target = openTarget();
    const order = await placeOrder(target);
    await pay(target, order.id, 'GIFT_CARD', 100);

    expectRefusal(await refund(target, order.id, { amount: 101 }), unprocessable('Refund exceeds refundable balance'));
    expectStatus(await refund(target, order.id, { amount: 100 }), 201);
  });

  test('Errors 400: a refund without an amount is refused', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectRefusal(await refund(target, order.id, {}), badRequest('Missing required field: amount', 'amount'));
  });

  test.each([
    ['Money (gap REF-1)', { amount: 100, currency: 'USD' }],
    ['text', '100'],
    ['a fraction', 9.99],
  ])('Endpoints, refunds: an amount that is %s is refused with 400', async (_case, amount) => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectRefusal(await refund(target, order.id, { amount }), badRequest(undefined, 'amount'));
  });

  test.each([0, -5])('Endpoints, refunds: an amount of %i is refused', async (amount) => {
    const target = openTarget();
    const order = await paidOrder(target);

    expectRefusal(await refund(target, order.id, { amount }), {
      status: [400, 422],
      code: 'INVALID_REQUEST_ERROR',
      field: 'amount',
    });
  });

  test('Endpoints, refunds: line_items are informational: the amount decides', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const lineItems = [{ order_item_id: order.items[0]!.id, quantity: 1 }];

    const answer = await refund(target, order.id, { amount: 75, line_items: lineItems });

    expectStatus(answer, 201);
    expect(cents((await readOrder(target, order.id)).amount_refunded)).toBe(75);
  });

  test.each([
    ['no array', { quantity: 1 }],
    ['an array of text', ['coffee']],
    ['a line without a quantity', [{ order_item_id: 'line-1' }]],
  ])('Endpoints, refunds (gap REF-3): line_items that are %s are refused', async (_case, lineItems) => {
    const target = openTarget();
    const order = await paidOrder(target);

    const answer = await refund(target, order.id, { amount: 75, line_items: lineItems });

    expectRefusal(answer, { status: [400, 422], code: 'INVALID_REQUEST_ERROR', field: /^line_items/ });
    expect(cents((await readOrder(target, order.id)).amount_refunded)).toBe(0);
  });

  test('Endpoints, refunds (gap REF-2): a reason is kept', async () => {
    const target = openTarget();
    const order = await paidOrder(target);

    expect((await refund(target, order.id, { amount: 75, reason: 'CUSTOMER_REQUEST' })).body.reason).toBe(
      'CUSTOMER_REQUEST',
    );
  });

  test('Idempotency rules 2: a refund repeated with its key is made once', async () => {
    const target = openTarget();
    const order = await paidOrder(target);
    const key = randomUUID();
    const first = await refund(target, order.id, { amount: 75 }, key);

    const second = await refund(target, order.id, { amount: 75 }, key);

    expect(second.body).toEqual(first.body);
    expect(cents((await readOrder(target, order.id)).amount_refunded)).toBe(75);
  });
});

describe('Distribution', () => {
  test('Endpoints, refunds (gap REF-6): non-cash tenders first: loyalty points before the gift card', async () => {
    const target = openTarget();
    const order = await splitOrder(target);

    const { body } = await refund(target, order.id, { amount: 150 });

    expect(body.distributions.map(({ payment_method, amount }) => [payment_method, cents(amount)])).toEqual([
      ['LOYALTY_POINTS', 100],
      ['GIFT_CARD', 50],
    ]);
  });

  test('Endpoints, refunds (gap REF-6): the wallet before the card', async () => {
    const target = openTarget();
    const order = await splitOrder(target);

    const { body } = await refund(target, order.id, { amount: 350 });

    expect(body.distributions.map(({ payment_method, amount }) => [payment_method, cents(amount)])).toEqual([
      ['LOYALTY_POINTS', 100],
      ['GIFT_CARD', 100],
      ['DIGITAL_WALLET', 100],
      ['CREDIT_CARD', 50],
    ]);
  });

  test('Endpoints, refunds (gap REF-6): a second refund goes on where the first one stopped', async () => {
    const target = openTarget();
    const order = await splitOrder(target);
    await refund(target, order.id, { amount: 150 });

    const { body } = await refund(target, order.id, { amount: 75 });

    expect(body.distributions.map(({ payment_method, amount }) => [payment_method, cents(amount)])).toEqual([
      ['GIFT_CARD', 50],
      ['DIGITAL_WALLET', 25],
    ]);
  });

  test('Endpoints, refunds (gap REF-6): within a tender the latest payment gives first', async () => {
    const target = openTarget();
    const order = await placeOrder(target, 'PICKUP', 12);
    const first = await pay(target, order.id, 'CREDIT_CARD', 100);
    const second = await pay(target, order.id, 'CREDIT_CARD', 100);

    const { body } = await refund(target, order.id, { amount: 150 });

    expect(body.distributions.map(({ payment_id, amount }) => [payment_id, cents(amount)])).toEqual([
      [second.id, 100],
      [first.id, 50],
    ]);
  });

  test('Endpoints, refunds: cash comes last', async () => {
    const target = openTarget();
    const order = await placeOrder(target, 'PICKUP', 12);
    await pay(target, order.id, 'CASH', 200);
    await pay(target, order.id, 'CREDIT_CARD', cents(order.total) - 200);

    const { body } = await refund(target, order.id, { amount: cents(order.total) - 100 });

    expect(body.distributions.map(({ payment_method, amount }) => [payment_method, cents(amount)])).toEqual([
      ['CREDIT_CARD', cents(order.total) - 200],
      ['CASH', 100],
    ]);
  });

  test('Endpoints, refunds: no payment gives back more than it took', async () => {
    const target = openTarget();
    const order = await splitOrder(target);
    await refund(target, order.id, { amount: 333 });
    await refund(target, order.id, { amount: cents(order.total) - 333 });

    for (const payment of (await readOrder(target, order.id)).payments)
      expect(payment.amount_refunded).toEqual(payment.amount);
  });
});
