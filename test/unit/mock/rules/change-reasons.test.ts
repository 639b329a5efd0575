import { expect, test } from 'vitest';
import type { PriceCalculation } from '../../../../src/contract/index.js';
import { changeReasons } from '../../../../src/mock/rules/change-reasons.js';
import { type PricedLine, priceCart } from '../../../../src/mock/rules/pricing.js';
import type { LocationPricing, MemberDefinition, PromoDefinition } from '../../../../src/mock/state/state.js';

const line: PricedLine = {
  cartItemId: 'line-1',
  menuItemId: 'sub',
  name: 'Turkey sub',
  quantity: 1,
  basePrice: 749,
  modifierTotal: 0,
  nonDiscountable: false,
  ageVerificationRequired: false,
};
const promo: PromoDefinition = { code: 'P', name: 'P', type: 'FIXED', value: 300, usedByOrders: new Set() };
const pricing: LocationPricing = {
  taxBasisPoints: { default: 825 },
  deliveryFee: 399,
  serviceFeeBasisPoints: 0,
  bagFee: 10,
};
const member: MemberDefinition = { customerId: 'C', programme: 'Rewards', unitDiscounts: { sub: 50 } };

interface Situation {
  lines?: PricedLine[];
  promo?: PromoDefinition | null;
  pricing?: LocationPricing;
  member?: MemberDefinition | null;
}

const prices = (situation: Situation = {}): PriceCalculation =>
  priceCart({
    cartId: 'cart',
    lines: [line],
    mode: 'PICKUP',
    minimumOrder: null,
    pricing,
    promo,
    member: null,
    calculatedAt: '2026-03-10T17:00:00.000Z',
    ...situation,
  });

const reasons = (now: Situation, flags: { promoExpired?: boolean; itemUnavailable?: boolean } = {}) =>
  changeReasons({ before: prices(), now: prices(now), promoExpired: false, itemUnavailable: false, ...flags });

test('nothing changed, no reasons', () => {
  expect(reasons({})).toEqual([]);
});

test('a code that ran out is PROMO_EXPIRED, and not a changed discount too', () => {
  expect(reasons({ promo: null }, { promoExpired: true })).toEqual(['PROMO_EXPIRED']);
});

test('a code that takes another amount is DISCOUNT_CHANGED', () => {
  expect(reasons({ promo: { ...promo, value: 200 } })).toEqual(['DISCOUNT_CHANGED']);
});

test('a code that stopped counting without running out is DISCOUNT_CHANGED', () => {
  expect(reasons({ promo: null })).toEqual(['DISCOUNT_CHANGED']);
});

test('another member price is DISCOUNT_CHANGED', () => {
  expect(reasons({ member })).toEqual(['DISCOUNT_CHANGED']);
});

test('another fee is FEE_CHANGED', () => {
  expect(reasons({ pricing: { ...pricing, bagFee: 25 } })).toEqual(['FEE_CHANGED']);
});

test('another price of an item, or of its modifiers, is ITEM_PRICE_CHANGED', () => {
  expect(reasons({ lines: [{ ...line, basePrice: 799 }] })).toEqual(['ITEM_PRICE_CHANGED']);
  expect(reasons({ lines: [{ ...line, modifierTotal: 25 }] })).toEqual(['ITEM_PRICE_CHANGED']);
});

test('an item that cannot be bought is ITEM_UNAVAILABLE', () => {
  expect(reasons({}, { itemUnavailable: true })).toEqual(['ITEM_UNAVAILABLE']);
});

test('several changes are all named', () => {
  const now = { lines: [{ ...line, basePrice: 799 }], promo: null, pricing: { ...pricing, bagFee: 25 } };

  expect(reasons(now, { promoExpired: true })).toEqual(['PROMO_EXPIRED', 'FEE_CHANGED', 'ITEM_PRICE_CHANGED']);
});
