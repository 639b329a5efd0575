import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Order, Payment } from '../support/records.js';
import { cents, conflict, expectRefusal, expectStatus, unprocessable } from '../support/shapes.js';
import { pay, paymentOf, placeOrder, readOrder } from '../support/shop.js';
import { needs, openMock } from '../support/target.js';

const TENDERS = ['CREDIT_CARD', 'DEBIT_CARD', 'GIFT_CARD', 'LOYALTY_POINTS', 'DIGITAL_WALLET'] as const;
const needsDecline = needs('declined payments');
const needsSettling = needs('payments that take time');

describe('Orders that the service ended', () => {
  needs('the part of the store').each(['FAILED'] as const)(
    'Endpoints, payments (gap PAY-12): an order that is %s is refused with 409',
    async (status) => {
      const { target, mock } = openMock();
      const order = await placeOrder(target);
      mock.orders.advance(order.id, status);
      expect((await readOrder(target, order.id)).status).toBe(status);

      expectRefusal(await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', 100)), conflict());
    },
  );
});

describe('Declined payments', () => {
  needsDecline.each(TENDERS)('Payment rules 6: a declined %s is answered with 422', async (method) => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await mock.payments.declineNext(method);

    expectRefusal(
      await target.post(`/orders/${order.id}/payments`, paymentOf(method, 100)),
      unprocessable('Payment declined'),
    );
  });

  needsDecline('Payment rules 6 (gap PAY-7): a decline leaves a FAILED payment, and no money moves', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await mock.payments.declineNext('CREDIT_CARD');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total)));

    const after = await readOrder(target, order.id);

    expect(after.payments.map(({ status }) => status)).toEqual(['FAILED']);
    expect(after.payments[0]!.failure_reason).toMatch(/\S/);
    expect([cents(after.amount_paid), cents(after.balance_due)]).toEqual([0, cents(order.total)]);
    expect(after).toMatchObject({ payment_status: 'UNPAID', status: 'PENDING' });
  });

  needsDecline('Payment rules 4: earlier successful payments remain when a later one fails', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await pay(target, order.id, 'GIFT_CARD', 100);
    await mock.payments.declineNext('CREDIT_CARD');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total) - 100));

    const after = await readOrder(target, order.id);

    expect(after.payments.filter(({ status }) => status === 'COMPLETED').map(({ amount }) => cents(amount))).toEqual([
      100,
    ]);
    expect(after).toMatchObject({ payment_status: 'PARTIALLY_PAID' });
    expect(cents(after.balance_due)).toBe(cents(order.total) - 100);
  });

  needsDecline('Payment rules 4, Idempotency rules 3: the failed tender is retried with the same key', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    const key = randomUUID();
    const body = paymentOf('CREDIT_CARD', cents(order.total));
    await mock.payments.declineNext('CREDIT_CARD');
    expectStatus(await target.post(`/orders/${order.id}/payments`, body, { key }), 422);

    expectStatus(await target.post(`/orders/${order.id}/payments`, body, { key }), 201);
    expect((await readOrder(target, order.id)).payment_status).toBe('PAID');
  });

  needsDecline('Payment rules 4: a different tender pays the remaining balance', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await pay(target, order.id, 'GIFT_CARD', 100);
    await mock.payments.declineNext('CREDIT_CARD');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total) - 100));
    await pay(target, order.id, 'DIGITAL_WALLET', cents(order.total) - 100);

    expect((await readOrder(target, order.id)).payment_status).toBe('PAID');
  });

  needsDecline('Payment rules 4: cancelling gives everything back', async () => {
    const { target, mock } = openMock();
    const order = await placeOrder(target);
    await pay(target, order.id, 'GIFT_CARD', 100);
    await mock.payments.declineNext('CREDIT_CARD');
    await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total) - 100));

    const cancelled = await target.post<Order>(`/orders/${order.id}/cancel`);

    expectStatus(cancelled, 200);
    expect(cents((await readOrder(target, order.id)).amount_refunded)).toBe(100);
  });
});

describe('Payments that take time', () => {
  async function slow() {
    const controlled = openMock();
    const { target, mock } = controlled;
    const order = await placeOrder(target);
    await mock.payments.settleAfter('10s');
    const answer = await target.post<Payment>(
      `/orders/${order.id}/payments`,
      paymentOf('CREDIT_CARD', cents(order.total)),
    );
    expectStatus(answer, 201);
    return { ...controlled, order, payment: answer.body };
  }

  needsSettling('Payment record status: a payment under way is neither COMPLETED nor FAILED', async () => {
    expect(['PENDING', 'AUTHORIZED', 'CAPTURED']).toContain((await slow()).payment.status);
  });

  needsSettling('States, payment status (gap PAY-9): the order is PROCESSING meanwhile', async () => {
    const { target, order } = await slow();

    expect(await readOrder(target, order.id)).toMatchObject({ payment_status: 'PROCESSING', status: 'PENDING' });
  });

  needsSettling(
    'Payment rules 5: polling the order shows the payment COMPLETED and the order PAID in the end',
    async () => {
      const { target, order, mock } = await slow();
      await mock.clock.advance('11s');

      const after = await readOrder(target, order.id);

      expect(after).toMatchObject({ payment_status: 'PAID', status: 'CONFIRMED' });
      expect(after.payments.map(({ status }) => status)).toEqual(['COMPLETED']);
    },
  );

  needsSettling(
    'Payment record status (gap PAY-6): a payment passes PENDING, AUTHORIZED, CAPTURED, COMPLETED in this order',
    async () => {
      const { target, order, mock } = await slow();
      const order_of = ['PENDING', 'AUTHORIZED', 'CAPTURED', 'COMPLETED'];
      const seen: number[] = [];
      for (let second = 0; second <= 11; second += 1) {
        seen.push(order_of.indexOf((await readOrder(target, order.id)).payments[0]!.status));
        await mock.clock.advance('1s');
      }

      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect(seen[0]).toBeLessThan(3);
      expect(seen.at(-1)).toBe(3);
    },
  );

  needsSettling(
    'Payment record status (gap PAY-6): a payment that fails later is FAILED, and its amount is due again',
    async () => {
      const { target, mock } = openMock();
      const order = await placeOrder(target);
      mock.payments.settleAfter('10s', { outcome: 'FAILED' });
      await target.post(`/orders/${order.id}/payments`, paymentOf('CREDIT_CARD', cents(order.total)));
      await mock.clock.advance('11s');

      const after = await readOrder(target, order.id);

      expect(after.payments.map(({ status }) => status)).toEqual(['FAILED']);
      expect(after).toMatchObject({ payment_status: 'UNPAID', status: 'PENDING' });
      expect([cents(after.amount_paid), cents(after.balance_due)]).toEqual([0, cents(order.total)]);
    },
  );

  needsSettling('Payment (gap PAY-10): what is under way is not paid, and no longer due', async () => {
    const { target, order } = await slow();

    const during = await readOrder(target, order.id);

    expect([cents(during.amount_paid), cents(during.balance_due)]).toEqual([0, 0]);
  });

  needsSettling('Payment (gap PAY-10): a second tender cannot overpay while the first is under way', async () => {
    const { target, order } = await slow();

    expectRefusal(await target.post(`/orders/${order.id}/payments`, paymentOf('GIFT_CARD', 100)), unprocessable());
  });
});
