import type { Order, Payment } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import {
  emptyRecord,
  type JournalRecord,
  type PaymentEntry,
} from '../../../../../src/resources/payments/journal/record.js';
import { seenPayment } from '../../../../../src/resources/payments/matching.js';
import { expectedPayment } from '../../../../../src/resources/payments/settle/entry-payment.js';

const STARTED = Date.parse('2026-01-31T10:00:00Z');

const baseline = (...paymentIds: string[]) => ({ paidCents: 0, refundedCents: 0, paymentIds, refundIds: [] });

function entry(key: string, facts: Partial<PaymentEntry> = {}): PaymentEntry {
  return {
    key,
    method: 'GIFT_CARD',
    amount: 500,
    cents: 500,
    state: 'SENT',
    sendings: 1,
    inDoubt: 1,
    firstSentAt: { serviceMs: STARTED, localMs: STARTED },
    lastSentAt: { serviceMs: STARTED, localMs: STARTED },
    endedAt: null,
    lateRefusal: null,
    baseline: baseline(),
    digest: key,
    bodyDigest: key,
    paymentId: null,
    chargedCents: null,
    declines: 0,
    replaces: null,
    ...facts,
  };
}

function record(...entries: PaymentEntry[]): JournalRecord {
  return {
    ...emptyRecord('order', 'salt'),
    runs: [{ id: 'r', openedAtMs: 0, ended: false, cancelKey: null, entries }],
  };
}

function order(...payments: [id: string, status: Payment['status']][]): Order {
  const created_at = '2026-01-31T10:00:01Z';
  const amount = { amount: 500, currency: 'USD' };
  const all = payments.map(([id, status]) => ({ id, status, payment_method: 'GIFT_CARD', amount, created_at }));
  return { payments: all } as Order;
}

const find = (shown: Order, all: JournalRecord, sent: PaymentEntry) => {
  const expected = expectedPayment(all, sent, shown, {});
  const seen = expected && seenPayment(shown, expected);
  return (seen?.record ?? seen?.failed)?.id;
};

describe('the payment of an entry', () => {
  test('is none that was there before its request left', () => {
    const sent = entry('k', { baseline: baseline('old') });

    expect(find(order(['old', 'COMPLETED']), record(sent), sent)).toBeUndefined();
    expect(find(order(['old', 'COMPLETED'], ['new', 'COMPLETED']), record(sent), sent)).toBe('new');
  });

  test('is none that belongs to an identical tender', () => {
    const first = entry('k1', { state: 'DONE', paymentId: 'p1', chargedCents: 500 });
    const second = entry('k2');

    expect(find(order(['p1', 'COMPLETED']), record(first, second), second)).toBeUndefined();
    expect(find(order(['p1', 'COMPLETED'], ['p2', 'COMPLETED']), record(first, second), second)).toBe('p2');
  });

  test('is not the record of an earlier decline that comes into sight late', () => {
    const declined = entry('k1', { state: 'REFUSED', declines: 1 });
    const sent = entry('k2');

    expect(find(order(['late', 'FAILED']), record(declined, sent), sent)).toBeUndefined();
    expect(find(order(['late', 'FAILED'], ['own', 'FAILED']), record(declined, sent), sent)).toBe('own');
  });

  test('is not the record of its own decline, when it was sent again', () => {
    const again = entry('k', { declines: 1 });

    expect(find(order(['first', 'FAILED']), record(again), again)).toBeUndefined();
    expect(find(order(['first', 'FAILED'], ['second', 'COMPLETED']), record(again), again)).toBe('second');
    const seen = entry('k', { declines: 1, baseline: baseline('first') });
    expect(find(order(['first', 'FAILED'], ['second', 'FAILED']), record(seen), seen)).toBe('second');
  });

  test('is not that of a paid tender whose response named no record', () => {
    const nameless = entry('k1', { state: 'DONE', chargedCents: 500 });
    const sent = entry('k2');

    expect(find(order(['p1', 'COMPLETED']), record(nameless, sent), sent)).toBeUndefined();
    expect(find(order(['p1', 'COMPLETED'], ['p2', 'COMPLETED']), record(nameless, sent), sent)).toBe('p2');
  });
});
