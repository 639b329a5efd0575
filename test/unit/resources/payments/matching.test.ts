import type { Order, Payment, Refund } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { amountsOf, centsOf } from '../../../../src/resources/payments/amounts.js';
import type { Baseline } from '../../../../src/resources/payments/journal/record.js';
import {
  type ExpectedPayment,
  findPayment,
  instantOf,
  isUnknownStatus,
  seenPayment,
  seenRefund,
  standingOf,
} from '../../../../src/resources/payments/matching.js';
import { paymentBody } from '../../../../src/resources/payments/tender-body.js';

const sent = {
  payment_method: 'GIFT_CARD',
  cents: 500,
  idempotencyKey: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  startedAt: new Date('2026-01-31T10:00:00Z'),
};

const baseline = (paidCents: number, ...paymentIds: string[]): Baseline => ({
  ...{ paidCents, refundedCents: 0, paymentIds },
  refundIds: [],
});

/** What an order shows of the payment. */
function see(order: object, more: Partial<ExpectedPayment> = {}) {
  const expected = { sent, baseline: null, claimed: new Set<string>(), chargedCents: 0, skewMs: 60_000, ...more };
  return seenPayment(order as Order, expected);
}

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

describe('a payment whose response was lost is found in the order', () => {
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
    const seen = see({ payments: [payment('new', { status: 'IN_REVIEW' })] });

    expect(seen).toMatchObject({ record: { id: 'new' }, failed: undefined });
  });

  test('a failed record is told apart from one that may have moved money', () => {
    const seen = see({ payments: [payment('failed', { status: 'FAILED' })] });

    expect(seen).toMatchObject({ record: undefined, failed: { id: 'failed' }, isOwn: false, signs: [] });
  });

  test('by its key, also when a failed one of the same key stands before it', () => {
    const own = { idempotency_key: sent.idempotencyKey };
    const seen = see({ payments: [payment('failed', { status: 'FAILED', ...own }), payment('paid', own)] });

    expect(seen).toMatchObject({ record: { id: 'paid' }, isOwn: true });
  });

  test('its key counts before what merely looks alike, and a failed one of its own is its own', () => {
    const own = { idempotency_key: sent.idempotencyKey };
    const alike = payment('alike');
    expect(see({ payments: [alike, payment('own', own)] })).toMatchObject({ record: { id: 'own' }, isOwn: true });
    const pending = payment('pending', { ...own, status: 'PENDING' });
    const failed = payment('failed', { ...own, status: 'FAILED' });
    expect(see({ payments: [alike, failed, pending] })).toMatchObject({ record: { id: 'pending' } });
    expect(see({ payments: [alike, failed] })).toMatchObject({ failed: { id: 'failed' }, isOwn: true });
  });

  test('of one that ended otherwise since: refunded is paid, voided took nothing in the end', () => {
    expect(standingOf(payment('p', { status: 'REFUNDED' }))).toBe('paid');
    expect(standingOf(payment('p', { status: 'VOIDED' }))).toBe('failed');
    expect(isUnknownStatus(payment('p', { status: 'REFUNDED' }))).toBe(false);
    expect(isUnknownStatus(payment('p', { status: 'FAILED' }))).toBe(false);
    expect(isUnknownStatus(payment('p', { status: 'CAPTURED' }))).toBe(false);
    expect(isUnknownStatus(payment('p', { status: 'SETTLED' }))).toBe(true);
    expect(isUnknownStatus(payment('p', { status: 'SETTLED' }), () => 'paid')).toBe(false);
  });

  test('a failed one alone is found where nothing tells how many are accounted for', () => {
    const failed = [payment('failed', { status: 'FAILED' })];
    expect(findPayment(failed, sent)?.id).toBe('failed');
    expect(findPayment(failed, sent, { accountedFor: { paid: 0, failed: 1 } })).toBeUndefined();
  });

  test('an order without payments is not an order without the payment', () => {
    expect(see({})).toEqual({ record: undefined, failed: undefined, isOwn: false, signs: [], isListed: false });
    expect(see({})).toMatchObject({ record: undefined, isListed: false });
    expect(see({ payments: [] })).toMatchObject({ record: undefined, isListed: true });
  });

  test('a time without a zone is UTC', () => {
    expect(instantOf('2026-01-31T10:00:01')).toBe(Date.parse('2026-01-31T10:00:01Z'));
    expect(instantOf('2026-01-31T10:00:01+02:00')).toBe(Date.parse('2026-01-31T08:00:01Z'));
    expect(instantOf('2026-01-31T10:00:01+0200')).toBe(Date.parse('2026-01-31T08:00:01Z'));
    expect(instantOf('2026-01-31T10:00:01z')).toBe(Date.parse('2026-01-31T10:00:01Z'));
    expect(instantOf('2026-01-31')).toBe(Date.parse('2026-01-31T00:00:00Z'));
    expect(instantOf('yesterday')).toBeUndefined();
    expect(instantOf(undefined)).toBeUndefined();
  });
});

describe('rule 4: signs that a payment was executed, though no record matches', () => {
  const total = { amount: 2000, currency: 'USD' };
  const paid = (amount: number, ...payments: Payment[]) => ({
    total,
    amount_paid: { amount, currency: 'USD' },
    payments,
  });
  const other = payment('other', { payment_method: 'APPLE_PAY' });

  test('none, when sum and list are what they were', () => {
    expect(see(paid(0)).signs).toEqual([]);
    expect(see(paid(500, other), { baseline: baseline(500, 'other') }).signs).toEqual([]);
  });

  test('a sum that rose, by more than other tenders have charged', () => {
    expect(see(paid(500), { baseline: baseline(0) }).signs).toEqual(['sum_rose']);
    expect(see(paid(501), { baseline: baseline(500) }).signs).toEqual(['sum_rose']);
    expect(see(paid(500), { baseline: baseline(500) }).signs).toEqual([]);
    expect(see(paid(500), { baseline: baseline(0), chargedCents: 500 }).signs).toEqual([]);
    // The record that was found explains the sum, and is no sign besides.
    expect(see(paid(0, payment('mine')), { baseline: baseline(0) }).signs).toEqual([]);
    expect(see(paid(501), { baseline: baseline(0), chargedCents: 500 }).signs).toEqual(['sum_rose']);
  });

  test('a sum that the shown records do not come to, where the order was not read before', () => {
    expect(see(paid(500)).signs).toEqual(['sum_rose']);
    expect(see(paid(500, payment('old', { created_at: '2026-01-31T09:00:00Z' }))).signs).toEqual([]);
    const failed = payment('old', { created_at: '2026-01-31T09:00:00Z', status: 'FAILED' });
    expect(see(paid(500, failed)).signs).toEqual(['sum_rose']);
    const voided = payment('old', { created_at: '2026-01-31T09:00:00Z', status: 'VOIDED' });
    expect(see(paid(500, voided)).signs).toEqual([]);
    expect(see(paid(501, payment('old', { created_at: '2026-01-31T09:00:00Z' }))).signs).toEqual(['sum_rose']);
  });

  test('a new record of another method or amount, unless it failed or is claimed', () => {
    const before = baseline(0);
    expect(see(paid(0, other), { baseline: before }).signs).toEqual(['new_record']);
    expect(see(paid(0, other), { baseline: baseline(0, 'other') }).signs).toEqual([]);
    expect(see(paid(0, other), { baseline: before, claimed: new Set(['other']) }).signs).toEqual([]);
    expect(see(paid(0, { ...other, status: 'FAILED' }), { baseline: before }).signs).toEqual([]);
    expect(see(paid(0, { ...other, created_at: undefined }), { baseline: before }).signs).toEqual(['new_record']);
  });

  test('a record that was not there before, though a clock that is wrong dates it earlier', () => {
    const early = payment('early', { created_at: '2026-01-31T09:00:00Z' });
    expect(see(paid(0, early), { baseline: baseline(0) })).toMatchObject({ record: undefined, signs: ['new_record'] });
    expect(see(paid(0, { ...early, status: 'FAILED' }), { baseline: baseline(0) }).signs).toEqual([]);
    // Where the order was not read before, its earlier payments are told by their time; where that is known.
    expect(see(paid(500, early)).signs).toEqual([]);
    expect(see(paid(500, early), { isTimeKnown: false }).signs).toEqual(['new_record']);
  });

  test('an order whose sums cannot be read shows no sum that rose', () => {
    expect(see({ payments: [] }, { baseline: baseline(0) }).signs).toEqual([]);
  });
});

describe('a refund whose response was lost', () => {
  const refund = (id: string, facts: Partial<Refund> = {}): Refund => ({
    id,
    amount: { amount: 300, currency: 'USD' },
    status: 'COMPLETED',
    created_at: '2026-01-31T10:00:01Z',
    ...facts,
  });
  const lost = {
    ...{ cents: 300, idempotencyKey: sent.idempotencyKey, startedAt: sent.startedAt, skewMs: 60_000 },
    baseline: null as Baseline | null,
    claimed: new Set<string>(),
  };
  const seeRefund = (facts: object, more: Partial<typeof lost> = {}) =>
    seenRefund(facts as Order, { ...lost, ...more });

  test('is found by amount and time, leaving out those of other keys', () => {
    expect(seeRefund({ refunds: [refund('one')] })).toMatchObject({ record: { id: 'one' }, isListed: true });
    expect(seeRefund({ refunds: [refund('one')] }, { claimed: new Set(['one']) }).record).toBeUndefined();
    expect(seeRefund({ refunds: [refund('old', { created_at: '2026-01-31T09:58:00Z' })] }).record).toBeUndefined();
    expect(
      seeRefund({ refunds: [refund('other', { amount: { amount: 301, currency: 'USD' } })] }).record,
    ).toBeUndefined();
    expect(seeRefund({ refunds: [refund('one')] }, { baseline: baseline(0, 'one') }).record?.id).toBe('one');
    const before = { ...baseline(0), refundIds: ['one'] };
    expect(seeRefund({ refunds: [refund('one')] }, { baseline: before }).record).toBeUndefined();
  });

  test('is found though a failed one stands before it', () => {
    const seen = seeRefund({ refunds: [refund('failed', { status: 'FAILED' }), refund('made')] });
    expect(seen).toMatchObject({ record: { id: 'made' }, failed: undefined });
    expect(seeRefund({ refunds: [refund('failed', { status: 'FAILED' })] })).toMatchObject({
      record: undefined,
      failed: { id: 'failed' },
    });
    const pending = refund('pending', { status: 'PENDING' });
    expect(seeRefund({ refunds: [pending] }).record?.id).toBe('pending');
    expect(seeRefund({ refunds: [pending, refund('made')] }).record?.id).toBe('made');
  });

  test('is found by its key alone, where the service shows it', () => {
    const own = { idempotency_key: sent.idempotencyKey, amount: { amount: 1, currency: 'USD' } };
    const alike = { ...refund('alike'), idempotency_key: 'another' };
    const seen = seeRefund({ refunds: [alike, { ...refund('own'), ...own }] });

    expect(seen).toMatchObject({ record: { id: 'own' }, isOwn: true });
    expect(seeRefund({ refunds: [alike] }).record).toBeUndefined();
    const mine = { ...refund('mine'), idempotency_key: sent.idempotencyKey };
    expect(seeRefund({ refunds: [refund('nameless'), mine] })).toMatchObject({ record: { id: 'mine' }, isOwn: true });
    const failed = { ...mine, status: 'FAILED' as const };
    expect(seeRefund({ refunds: [refund('nameless'), failed] })).toMatchObject({
      ...{ record: undefined, failed: { id: 'mine' }, isOwn: true },
    });
    expect(seeRefund({ refunds: [refund('nameless')] })).toMatchObject({ record: { id: 'nameless' }, isOwn: false });
  });

  test('cannot be told from the sum alone, unless the sum is too small, or what it was', () => {
    const refunded = (amount: number) => ({ amount_refunded: { amount, currency: 'USD' } });
    expect(seeRefund(refunded(299))).toMatchObject({ signs: [], isListed: true, isOwn: false });
    expect(seeRefund(refunded(300))).toMatchObject({ signs: ['sum_rose'], isListed: true });
    const before = { ...baseline(0), refundedCents: 300 };
    expect(seeRefund(refunded(300), { baseline: before })).toMatchObject({ signs: [], isListed: true });
    expect(seeRefund(refunded(301), { baseline: before })).toMatchObject({ signs: ['sum_rose'] });
    expect(seeRefund({})).toMatchObject({ isListed: false });
  });

  test('shows in a sum that its list does not come to', () => {
    const amount_refunded = { amount: 500, currency: 'USD' };
    const old = refund('old', { created_at: '2026-01-30T10:00:00Z' });
    expect(seeRefund({ refunds: [], amount_refunded }).signs).toEqual(['sum_rose']);
    expect(seeRefund({ refunds: [old], amount_refunded }).signs).toEqual(['sum_rose']);
    expect(seeRefund({ refunds: [old], amount_refunded: { amount: 300, currency: 'USD' } }).signs).toEqual([]);
    const failed = { ...old, status: 'FAILED' as const };
    expect(seeRefund({ refunds: [failed], amount_refunded: { amount: 300, currency: 'USD' } }).signs).toEqual([
      'sum_rose',
    ]);
  });

  test('shows in a new record of another amount', () => {
    const other = refund('other', { amount: { amount: 301, currency: 'USD' } });
    expect(seeRefund({ refunds: [other] }).signs).toEqual(['new_record']);
    expect(seeRefund({ refunds: [{ ...other, status: 'FAILED' }] }).signs).toEqual([]);
    expect(seeRefund({ refunds: [{ ...other, created_at: '2026-01-31T09:00:00Z' }] }).signs).toEqual([]);
    const early = seenRefund({ refunds: [{ ...other, created_at: '2026-01-31T09:00:00Z' }] } as Order, {
      ...lost,
      isTimeKnown: false,
    });
    expect(early.signs).toEqual(['new_record']);
    const late = seeRefund({ refunds: [{ ...other, created_at: '2026-01-31T09:00:00Z' }] }, { baseline: baseline(0) });
    expect(late.signs).toContain('new_record');
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
