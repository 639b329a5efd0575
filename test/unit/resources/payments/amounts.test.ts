import { describe, expect, test } from 'vitest';
import { centsToSend, chargeableCents, isUpToDate } from '../../../../src/resources/payments/amounts.js';
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
