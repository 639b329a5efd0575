import type { Order, Payment, Refund } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { amountsOf, centsOf } from '../../../../src/resources/payments/amounts.js';
import { findPayment } from '../../../../src/resources/payments/matching.js';
import { paymentBody } from '../../../../src/resources/payments/tender-body.js';
import { paymentInOrder } from '../../../../src/resources/payments/unknown-outcome/payment-in-order.js';
import { refundInOrder } from '../../../../src/resources/payments/unknown-outcome/refund-in-order.js';

const sent = {
  payment_method: 'GIFT_CARD',
  cents: 500,
  idempotencyKey: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  startedAt: new Date('2026-01-31T10:00:00Z'),
};

function payment(id: string, facts: Partial<Payment> = {}): Payment {
  return {
    id,
    payment_method: 'GIFT_CARD',
    amount: { amount: 500, currency: 'USD' },
    status: 'COMPLETED',
    created_at: '2026-01-31T10:00:01Z',
    ...facts,
  };
}

describe('a payment whose answer was lost is found in the order', () => {
  test('by method, amount and time of creation', () => {
    const others = [
      payment('method', { payment_method: 'CREDIT_CARD' }),
      payment('amount', { amount: { amount: 501, currency: 'USD' } }),
      payment('earlier', { created_at: '2026-01-31T09:54:59Z' }),
    ];

    expect(findPayment(others, sent)).toBeUndefined();
    expect(findPayment([...others, payment('own')], sent)?.id).toBe('own');
  });

  test('also when the clocks differ by five minutes, and when the service shows no time', () => {
    expect(findPayment([payment('skewed', { created_at: '2026-01-31T09:55:00Z' })], sent)?.id).toBe('skewed');
    expect(findPayment([payment('timeless', { created_at: undefined })], sent)?.id).toBe('timeless');
  });

  test('with an amount in whole cents', () => {
    expect(findPayment([payment('cents', { amount: 500 as never })], sent)?.id).toBe('cents');
  });

  test('by its key alone, where the service shows it', () => {
    const keyed = payment('own', { idempotency_key: sent.idempotencyKey, amount: { amount: 9, currency: 'USD' } });
    const alike = payment('alike', { idempotency_key: 'another' });

    expect(findPayment([alike, keyed], sent)?.id).toBe('own');
    expect(findPayment([alike], sent)).toBeUndefined();
  });

  test('leaving out those that belong to something else', () => {
    const two = [payment('first'), payment('second')];

    expect(findPayment(two, sent, { taken: new Set(['first']) })?.id).toBe('second');
    expect(findPayment(two, sent, { accountedFor: { paid: 1, failed: 0 } })?.id).toBe('second');
    expect(findPayment(two, sent, { accountedFor: { paid: 2, failed: 0 } })).toBeUndefined();
  });

  test('one that took money before one that may, and that before one that failed', () => {
    const failed = payment('failed', { status: 'FAILED' });
    const pending = payment('pending', { status: 'PENDING' });
    const paid = payment('paid');

    expect(findPayment([failed, pending, paid], sent)?.id).toBe('paid');
    expect(findPayment([failed, pending], sent)?.id).toBe('pending');
    expect(findPayment([failed], sent)?.id).toBe('failed');
    expect(findPayment([failed], sent, { accountedFor: { paid: 0, failed: 1 } })).toBeUndefined();
  });

  test('a status to come counts as under way, never as failed', () => {
    const found = paymentInOrder({ payments: [payment('new', { status: 'IN_REVIEW' })] } as Order, {
      ...sent,
      matches: undefined,
      taken: new Set(),
    });

    expect(found).toMatchObject({ kind: 'present', record: { id: 'new' } });
  });

  test('alone, a failed record without a key proves nothing', () => {
    const order = { payments: [payment('failed', { status: 'FAILED' })] } as Order;

    expect(paymentInOrder(order, { ...sent, matches: undefined, taken: new Set() })).toEqual({ kind: 'absent' });
  });

  test('an order without payments is not an order without the payment', () => {
    expect(paymentInOrder({} as Order, { ...sent, matches: undefined, taken: new Set() })).toEqual({
      kind: 'undecidable',
    });
  });
});

describe('a refund whose answer was lost', () => {
  const lost = { cents: 300, idempotencyKey: sent.idempotencyKey, startedAt: sent.startedAt, taken: new Set<string>() };
  const refund = (id: string, facts: Partial<Refund> = {}): Refund => ({
    id,
    amount: { amount: 300, currency: 'USD' },
    status: 'COMPLETED',
    created_at: '2026-01-31T10:00:01Z',
    ...facts,
  });
  const order = (facts: object) => facts as Order;

  test('is found by amount and time, leaving out those of other keys', () => {
    expect(refundInOrder(order({ refunds: [refund('one')] }), lost)).toMatchObject({ kind: 'present' });
    expect(refundInOrder(order({ refunds: [refund('one')] }), { ...lost, taken: new Set(['one']) })).toEqual({
      kind: 'absent',
    });
    expect(refundInOrder(order({ refunds: [refund('old', { created_at: '2026-01-30T10:00:00Z' })] }), lost)).toEqual({
      kind: 'absent',
    });
  });

  test('cannot be told from the sum alone, unless the sum is too small', () => {
    expect(refundInOrder(order({ amount_refunded: { amount: 299, currency: 'USD' } }), lost)).toEqual({
      kind: 'absent',
    });
    expect(refundInOrder(order({ amount_refunded: { amount: 300, currency: 'USD' } }), lost)).toEqual({
      kind: 'undecidable',
    });
    expect(refundInOrder(order({}), lost)).toEqual({ kind: 'undecidable' });
  });
});

describe('amounts of an order', () => {
  test('are read as Money and as whole cents', () => {
    expect([centsOf({ amount: 5, currency: 'USD' }), centsOf(5), centsOf(5.5), centsOf('5'), centsOf(null)]).toEqual([
      5,
      5,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('are completed from each other, or are unreadable', () => {
    const total = { amount: 2000, currency: 'USD' };

    expect(amountsOf({ total, balance_due: 1500 } as never)).toMatchObject({ paidCents: 500, balanceCents: 1500 });
    expect(amountsOf({ total, amount_paid: 500 } as never)).toMatchObject({ paidCents: 500, balanceCents: 1500 });
    expect(amountsOf({ total } as never)).toBeUndefined();
  });
});

describe('the body of a payment', () => {
  test('has the same bytes whatever the order of the fields', () => {
    const one = paymentBody(
      { payment_method: 'GIFT_CARD', gift_card_number: '1', gift_card_pin: '2', amount: 'remaining' },
      500,
    );
    const two = paymentBody(
      { gift_card_pin: '2', amount: 500, gift_card_number: '1', payment_method: 'GIFT_CARD' },
      500,
    );

    expect(JSON.stringify(one)).toBe(
      '{"amount":500,"gift_card_number":"1","gift_card_pin":"2","payment_method":"GIFT_CARD"}',
    );
    expect(JSON.stringify(two)).toBe(JSON.stringify(one));
  });

  test('is made by the caller where the service differs', () => {
    const toRequest = (_: object, cents: number) => ({ tender_type: 'gift', value: cents });

    expect(paymentBody({ payment_method: 'GIFT_CARD', amount: 500 }, 500, { toRequest })).toEqual({
      tender_type: 'gift',
      value: 500,
    });
  });
});
