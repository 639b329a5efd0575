import { describe, expect, test } from 'vitest';
import type { SubtotalLine } from '../../../../src/mock/rules/discounts.js';
import {
  normalizeCode,
  type PromoCheck,
  previewOf,
  promoRefusal,
  promoRejection,
} from '../../../../src/mock/rules/promo.js';
import type { PromoDefinition } from '../../../../src/mock/state/state.js';

const NOW = Date.parse('2026-03-10T17:00:00Z');

const summer: PromoDefinition = {
  code: 'SUMMER25',
  name: 'Summer savings',
  type: 'PERCENTAGE',
  value: 2500,
  maximumDiscount: 1000,
  minimumSubtotal: 1000,
  expiresAt: '2026-03-11T00:00:00Z',
  menuItemIds: ['sub'],
  usedByOrders: new Set(),
};
const line = (menuItemId: string, subtotal: number, nonDiscountable = false): SubtotalLine => ({
  cartItemId: `line-${menuItemId}`,
  menuItemId,
  nonDiscountable,
  subtotal,
});
const rejection = (change: Partial<PromoCheck>) =>
  promoRejection({ promo: summer, lines: [line('sub', 1500)], appliedCodes: [], isUsed: false, nowMs: NOW, ...change });

describe('the six reasons for which a code is rejected (cart rule 5)', () => {
  test('a valid code has none', () => {
    expect(rejection({})).toBeNull();
  });

  test('INVALID_CODE: nobody knows it', () => {
    expect(rejection({ promo: undefined })).toBe('INVALID_CODE');
  });

  test('EXPIRED: from its instant on', () => {
    const expiry = Date.parse('2026-03-11T00:00:00Z');

    expect(rejection({ nowMs: expiry - 1 })).toBeNull();
    expect(rejection({ nowMs: expiry })).toBe('EXPIRED');
  });

  test('ALREADY_USED: an order has taken it', () => {
    expect(rejection({ isUsed: true })).toBe('ALREADY_USED');
  });

  test('MINIMUM_NOT_MET: the subtotal is a cent below; other items count', () => {
    expect(rejection({ lines: [line('sub', 999)] })).toBe('MINIMUM_NOT_MET');
    expect(rejection({ lines: [line('sub', 999), line('latte', 1)] })).toBeNull();
  });

  test('NOT_APPLICABLE: no item that it is for, or none that takes discounts', () => {
    expect(rejection({ lines: [line('latte', 1500)] })).toBe('NOT_APPLICABLE');
    expect(rejection({ lines: [line('sub', 1500, true)] })).toBe('NOT_APPLICABLE');
  });

  test('ALREADY_APPLIED: it is on the cart, or another one is', () => {
    expect(rejection({ appliedCodes: ['SUMMER25'] })).toBe('ALREADY_APPLIED');
    expect(rejection({ appliedCodes: ['TAKE3'] })).toBe('ALREADY_APPLIED');
  });

  test('what is wrong with the code itself is said first', () => {
    expect(rejection({ promo: undefined, appliedCodes: ['TAKE3'] })).toBe('INVALID_CODE');
    expect(rejection({ nowMs: NOW + 86_400_000, appliedCodes: ['TAKE3'] })).toBe('EXPIRED');
  });
});

test('an applied code that is rejected gets 422 with the message of its reason', () => {
  const messages = (['INVALID_CODE', 'EXPIRED', 'ALREADY_USED', 'MINIMUM_NOT_MET', 'NOT_APPLICABLE'] as const).map(
    (reason) => promoRefusal(reason, summer).facts,
  );

  expect(messages.map(({ message }) => message)).toEqual([
    'Promo code not recognized',
    'Promo code expired',
    'Promo code already used',
    'Promo code minimum not met',
    'Promo code not applicable',
  ]);
  for (const facts of messages)
    expect(facts).toMatchObject({ status: 422, code: 'INVALID_REQUEST_ERROR', field: 'code' });
  expect(messages[3]?.detail).toBe('MINIMUM_NOT_MET: This promo code needs a subtotal of at least $10.');
});

describe('the preview of a discount', () => {
  const everything = { ...summer, menuItemIds: undefined };

  test('names the amount, the offer in words, and the items', () => {
    expect(previewOf(summer, [line('sub', 1500), line('latte', 400)])).toEqual({
      estimated_discount: { amount: 375, currency: 'USD' },
      description: '25% off selected items (up to $10)',
      applicable_items: ['line-sub'],
    });
  });

  test('lists no items for the whole cart', () => {
    const { menuItemIds, ...whole } = everything;

    expect(menuItemIds).toBeUndefined();
    expect(previewOf(whole, [line('sub', 1500), line('latte', 500)])).toEqual({
      estimated_discount: { amount: 500, currency: 'USD' },
      description: '25% off your order (up to $10)',
      applicable_items: [],
    });
  });

  test('leaves out what takes no discount', () => {
    const { menuItemIds: _all, ...whole } = everything;

    expect(previewOf(whole, [line('sub', 1500), line('lottery', 500, true)]).applicable_items).toEqual(['line-sub']);
  });

  test('says cents where there are some', () => {
    const fixed: PromoDefinition = { code: 'X', name: 'X', type: 'FIXED', value: 250, usedByOrders: new Set() };

    expect(previewOf(fixed, [line('sub', 1500)]).description).toBe('$2.50 off your order');
  });
});

test('codes are compared in upper case, without spaces around them', () => {
  expect(normalizeCode(' summer25 ')).toBe('SUMMER25');
});
