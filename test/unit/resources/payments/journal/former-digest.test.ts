import { describe, expect, test } from 'vitest';
import { digestTender } from '../../../../../src/resources/payments/journal/former-digest.js';

describe('the digest of a tender by release 0.1.0', () => {
  const gift = { payment_method: 'GIFT_CARD', gift_card_number: '6006491234567890', amount: 500 } as const;

  test('is the same for the same instrument, whatever the amount and the order of its fields', async () => {
    const reordered = {
      amount: 'remaining',
      gift_card_number: '6006491234567890',
      payment_method: 'GIFT_CARD',
    } as const;

    const [one, two] = await Promise.all([digestTender(gift, 'salt'), digestTender(reordered, 'salt')]);

    expect(one.digest).toBe(two.digest);
  });

  test('differs by instrument and by salt', async () => {
    const others = await Promise.all([
      digestTender(gift, 'salt'),
      digestTender({ ...gift, gift_card_number: '6006491234567891' }, 'salt'),
      digestTender(gift, 'other salt'),
    ]);

    expect(new Set(others.map(({ digest }) => digest)).size).toBe(3);
  });

  test('of a body tells its bytes apart', async () => {
    const { ofBody } = await digestTender(gift, 'salt');

    expect(ofBody({ ...gift })).toBe(ofBody({ ...gift }));
    expect(ofBody({ ...gift })).not.toBe(ofBody({ ...gift, amount: 501 }));
  });
});
