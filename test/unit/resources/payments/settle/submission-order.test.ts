import { describe, expect, test } from 'vitest';
import { inSubmissionOrder } from '../../../../../src/resources/payments/settle/tenders.js';

describe('tenders go out in the order of the payment rules', () => {
  test('loyalty points, gift cards, EBT, cards and wallets, cash', () => {
    const given = ['CASH', 'DIGITAL_WALLET', 'CREDIT_CARD', 'EBT', 'GIFT_CARD', 'LOYALTY_POINTS', 'DEBIT_CARD'];

    expect(inSubmissionOrder(given.map((method) => ({ method }))).map(({ method }) => method)).toEqual([
      'LOYALTY_POINTS',
      'GIFT_CARD',
      'EBT',
      'DIGITAL_WALLET',
      'CREDIT_CARD',
      'DEBIT_CARD',
      'CASH',
    ]);
  });
});
