import type { Order } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import {
  amountsOf,
  baselineOf,
  centsOf,
  centsToSend,
  chargeableCents,
  isUpToDate,
  plannedCents,
} from '../../../../src/resources/payments/amounts.js';
import { entry, record, tender } from './settle/entries.js';

describe('the amount of the next tender', () => {
  const planned = (amount: number | 'remaining') => entry('k', tender('a', amount));

  test('is its own, unless the balance is smaller', () => {
    expect(centsToSend(planned(500), { balanceCents: 500, later: [] })).toBe(500);
    expect(centsToSend(planned(500), { balanceCents: 499, later: [] })).toBe('too_much');
  });

  test("is the balance for 'remaining', less what is fixed for later tenders", () => {
    expect(centsToSend(planned('remaining'), { balanceCents: 2000, later: [] })).toBe(2000);
    expect(centsToSend(planned('remaining'), { balanceCents: 2000, later: [planned(300), planned(200)] })).toBe(1500);
    expect(centsToSend(planned('remaining'), { balanceCents: 300, later: [planned(500)] })).toBe(0);
  });

  const amounts = { currency: 'USD', totalCents: 2000, paidCents: 0, balanceCents: 2000, refundedCents: 0 };
  const done = record([entry('k1', tender('a'), { state: 'DONE', cents: 500, chargedCents: 500 })]);

  test('never counts on a balance that lags behind a payment', () => {
    expect(chargeableCents(amounts, done)).toBe(1500);
    expect(isUpToDate(amounts, done)).toBe(false);
    expect(chargeableCents({ ...amounts, paidCents: 500, balanceCents: 1500 }, done)).toBe(1500);
    expect(isUpToDate({ ...amounts, paidCents: 500, balanceCents: 1500 }, done)).toBe(true);
  });

  test('leaves out what is still under way', () => {
    expect(chargeableCents({ ...amounts, paidCents: 500, balanceCents: 700 }, done)).toBe(700);
  });

  test('is nothing when others overpaid', () => {
    expect(chargeableCents({ ...amounts, paidCents: 2100, balanceCents: -100 }, done)).toBe(0);
  });
});

describe('what an order shows before a sending', () => {
  const usd = (amount: number) => ({ amount, currency: 'USD' });
  const order = (facts: object) => ({ total: usd(2000), ...facts }) as unknown as Order;

  test('is its sums, and the ids of its payments and refunds', () => {
    const shown = order({
      ...{ amount_paid: usd(700), amount_refunded: usd(200) },
      ...{ payments: [{ id: 'p1' }, { id: 'p2' }], refunds: [{ id: 'r1' }] },
    });
    expect(baselineOf(shown)).toEqual({
      ...{ paidCents: 700, refundedCents: 200, paymentIds: ['p1', 'p2'], refundIds: ['r1'] },
    });
  });

  test('is null and empty where it shows nothing', () => {
    expect(baselineOf(order({}))).toEqual({ paidCents: null, refundedCents: null, paymentIds: [], refundIds: [] });
    expect(baselineOf(order({ amount_paid: usd(0), amount_refunded: usd(0) }))).toMatchObject({
      ...{ paidCents: 0, refundedCents: 0 },
    });
  });

  test('is in the currency of its total, USD where that names none', () => {
    const paid = { amount_paid: 0 };
    expect(amountsOf(order({ ...paid, total: { amount: 5, currency: 'CAD' } }))?.currency).toBe('CAD');
    expect(amountsOf(order({ ...paid, total: 5 }))?.currency).toBe('USD');
  });

  test('is no number of cents where it is a big one, or a text', () => {
    expect(centsOf(2n)).toBeUndefined();
    expect(centsOf('500')).toBeUndefined();
    expect(centsOf({ amount: '500', currency: 'USD' })).toBeUndefined();
  });

  test("counts fixed amounts among planned tenders, and none for 'remaining'", () => {
    expect(plannedCents([{ amount: 300 }, { amount: 'remaining' }, { amount: 200 }])).toBe(500);
  });
});
