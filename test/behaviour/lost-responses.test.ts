import { OutcomeUnknownError } from 'online-ordering-sdk';
import type { Fault } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { clientOf, orderToPay, paymentRequests } from './order-to-pay.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
const REFUNDS = 'POST /orders/{order_id}/refunds';
const gift = { payment_method: 'GIFT_CARD', gift_card_number: '6006-1', amount: 500 } as const;

async function lostPayment(fault: Fault) {
  const order = await orderToPay();
  order.service.faults.next(PAYMENTS, fault);
  const call = order.client.orders.payments.create(order.orderId, gift);
  const error = await order.service.clock.runUntil(call).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  return { ...order, error: error as OutcomeUnknownError };
}

describe('a payment sent alone, whose response is lost', () => {
  test('ends in an error with everything that is needed to go on, and is not sent again by itself', async () => {
    const { service, orderId, error } = await lostPayment({ after: 'commit', fail: 'socket_reset' });

    expect(error).toMatchObject({
      orderId,
      outcome: 'unknown',
      method: 'POST',
      path: '/orders/{order_id}/payments',
      attempts: 1,
      idempotencyKey: paymentRequests(service)[0]?.idempotencyKey,
      cause: { name: 'APIConnectionError' },
    });
    expect(error.replayableUntil?.getTime()).toBe(service.clock.now() + (24 * 60 - 15) * 60_000);
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test.each<Fault>([
    { after: 'commit', fail: 'socket_reset' },
    { after: 'commit', status: 500 },
    { body: 'truncated' },
    { body: 'not_json' },
  ])('and that was charged (%o) is applied, with the record', async (fault) => {
    const { service, orderId, error } = await lostPayment(fault);

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution).toMatchObject({
      outcome: 'applied',
      record: { payment_method: 'GIFT_CARD', status: 'COMPLETED', amount: { amount: 500 } },
      order: { id: orderId, payment_status: 'PARTIALLY_PAID' },
    });
    expect(paymentRequests(service)).toHaveLength(1);
    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('and that was not charged goes out once more with the same key, after the order was read', async () => {
    const { service, orderId, error } = await lostPayment({ fail: 'socket_reset' });

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution).toMatchObject({ outcome: 'applied', record: { status: 'COMPLETED' } });
    const keys = paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([error.idempotencyKey, error.idempotencyKey]);
    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('is only looked for when replay is false', async () => {
    const { service, orderId, error } = await lostPayment({ fail: 'socket_reset' });

    const resolution = await service.clock.runUntil(error.resolve({ replay: false }));

    expect(resolution).toMatchObject({ outcome: 'unknown', order: { id: orderId } });
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test('is not applied when its repetition is refused, and the order does not show it', async () => {
    const { service, orderId, error } = await lostPayment({ fail: 'socket_reset' });
    service.payments.declineNext('GIFT_CARD');

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution).toMatchObject({ outcome: 'not_applied', cause: { name: 'PaymentDeclinedError' } });
    expect(service.ledger(orderId).charged).toBe(0);
  });

  test('is only looked for once its key is too old', async () => {
    const { service, orderId, error } = await lostPayment({ fail: 'socket_reset' });
    await service.clock.advance('1430m');

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution.outcome).toBe('unknown');
    expect(paymentRequests(service)).toHaveLength(1);
    expect(service.ledger(orderId).charged).toBe(0);
  });

  test('stays unknown when its repetition is lost, too, and can be asked for again', async () => {
    const { service, orderId, error } = await lostPayment({ fail: 'socket_reset' });
    service.faults.next(PAYMENTS, { fail: 'socket_reset' });

    const first = await service.clock.runUntil(error.resolve());
    const second = await service.clock.runUntil(error.resolve());

    expect([first.outcome, second.outcome]).toEqual(['unknown', 'applied']);
    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('is not taken for an identical one that got its response before', async () => {
    const { service, client, orderId } = await orderToPay();
    const first = await service.clock.runUntil(client.orders.payments.create(orderId, gift));
    service.faults.next(PAYMENTS, { fail: 'socket_reset' });
    const second = client.orders.payments.create(orderId, gift);
    const error = await service.clock.runUntil(second).catch((caught: unknown) => caught as OutcomeUnknownError);

    const resolution = await service.clock.runUntil((error as OutcomeUnknownError).resolve());

    expect(resolution).toMatchObject({ outcome: 'applied' });
    expect(resolution.outcome === 'applied' && resolution.record.id).not.toBe(first.id);
    expect(service.ledger(orderId).charged).toBe(1000);
  });

  test('is repeated with the bytes of the call, also when the caller changed its object since', async () => {
    const { service, client, orderId } = await orderToPay();
    const body = { ...gift };
    service.faults.next(PAYMENTS, { fail: 'socket_reset' });
    const call = client.orders.payments.create(orderId, body);
    const error = await service.clock.runUntil(call).catch((caught: unknown) => caught as OutcomeUnknownError);
    Object.assign(body, { amount: 900 });

    await service.clock.runUntil((error as OutcomeUnknownError).resolve());

    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('after an abort that came too late ends in the same error', async () => {
    const { service, client, orderId } = await orderToPay();
    const controller = new AbortController();
    service.faults.next(PAYMENTS, { fail: 'stall' });
    client.on('request', ({ path }) => {
      if (path.endsWith('/payments')) service.clock.setTimer(() => controller.abort(), 100);
    });

    const call = client.orders.payments.create(orderId, gift, { signal: controller.signal });
    const error = await service.clock.runUntil(call).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ cause: { name: 'APIUserAbortError' } });
  });

  test('is matched by a rule of the caller where the service differs', async () => {
    const { service, orderId } = await orderToPay();
    const client = clientOf(service, { payments: { matches: () => false } });
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });
    const call = client.orders.payments.create(orderId, gift);
    const error = await service.clock.runUntil(call).catch((caught: unknown) => caught as OutcomeUnknownError);

    const resolution = await service.clock.runUntil((error as OutcomeUnknownError).resolve({ replay: false }));

    expect(resolution.outcome).toBe('unknown');
  });
});

describe('a refund whose response is lost', () => {
  async function lostRefund(fault: Fault, refunded = 0) {
    const order = await orderToPay();
    const { service, client, orderId, total } = order;
    const { clock } = service;
    await clock.runUntil(
      client.orders.settle(orderId, { tenders: [{ payment_method: 'CREDIT_CARD', amount: total }] }),
    );
    if (refunded > 0) await clock.runUntil(client.orders.refunds.create(orderId, { amount: refunded }));
    service.faults.next(REFUNDS, fault);
    const call = client.orders.refunds.create(orderId, { amount: 300, reason: 'CUSTOMER_REQUEST' });
    const error = await clock.runUntil(call).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    return { ...order, error: error as OutcomeUnknownError };
  }

  test('and that was made is applied, with the record', async () => {
    const { service, orderId, error } = await lostRefund({ after: 'commit', fail: 'socket_reset' });

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution).toMatchObject({ outcome: 'applied', record: { amount: { amount: 300 } } });
    expect(service.ledger(orderId).refunded).toBe(300);
  });

  test('and that was not made goes out once more with the same key', async () => {
    const { service, orderId, error } = await lostRefund({ status: 500 });

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution.outcome).toBe('applied');
    expect(service.ledger(orderId).refunded).toBe(300);
  });

  test('is not taken for an earlier one over the same amount', async () => {
    const { service, orderId, error } = await lostRefund({ status: 500 }, 300);

    const resolution = await service.clock.runUntil(error.resolve());

    expect(resolution.outcome).toBe('applied');
    expect(service.ledger(orderId).refunded).toBe(600);
  });
});
