import type { Order, Payment } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import {
  emptyRecord,
  type JournalRecord,
  type PaymentEntry,
} from '../../../../../src/resources/payments/journal/record.js';
import { findEntryPayment } from '../../../../../src/resources/payments/settle/find-entry-payment.js';

const STARTED = Date.parse('2026-01-31T10:00:00Z');

function entry(key: string, facts: Partial<PaymentEntry> = {}): PaymentEntry {
  return {
    key,
    method: 'GIFT_CARD',
    amount: 500,
    cents: 500,
    state: 'SENT',
    startedAtMs: STARTED,
    startedAtLocalMs: STARTED,
    digest: key,
    bodyDigest: key,
    paymentId: null,
    chargedCents: null,
    paymentsBefore: [],
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

const find = (shown: Order, all: JournalRecord, sent: PaymentEntry) =>
  findEntryPayment(shown, all, { entry: sent, matches: undefined })?.id;

describe('the payment of an entry', () => {
  test('is none that was there before its request left', () => {
    const sent = entry('k', { paymentsBefore: ['old'] });

    expect(find(order(['old', 'COMPLETED']), record(sent), sent)).toBeUndefined();
    expect(find(order(['old', 'COMPLETED'], ['new', 'COMPLETED']), record(sent), sent)).toBe('new');
  });

  test('is none that belongs to an identical tender', () => {
    const first = entry('k1', { state: 'DONE', paymentId: 'p1', chargedCents: 500 });
    const second = entry('k2');

    expect(find(order(['p1', 'COMPLETED']), record(first, second), second)).toBeUndefined();
    expect(find(order(['p1', 'COMPLETED'], ['p2', 'COMPLETED']), record(first, second), second)).toBe('p2');
  });

  test('is the one it is known by, and no other while that one is not shown', () => {
    const known = entry('k', { paymentId: 'p1' });

    expect(find(order(['p1', 'PENDING'], ['p2', 'COMPLETED']), record(known), known)).toBe('p1');
    expect(find(order(['p2', 'COMPLETED']), record(known), known)).toBeUndefined();
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
    const seen = entry('k', { declines: 1, paymentsBefore: ['first'] });
    expect(find(order(['first', 'FAILED'], ['second', 'FAILED']), record(seen), seen)).toBe('second');
  });

  test('is not that of a paid tender whose answer named no record', () => {
    const nameless = entry('k1', { state: 'DONE', chargedCents: 500 });
    const sent = entry('k2');

    expect(find(order(['p1', 'COMPLETED']), record(nameless, sent), sent)).toBeUndefined();
    expect(find(order(['p1', 'COMPLETED'], ['p2', 'COMPLETED']), record(nameless, sent), sent)).toBe('p2');
  });
});
