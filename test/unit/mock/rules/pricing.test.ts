import { describe, expect, test } from 'vitest';
import type { PriceCalculation } from '../../../../src/contract/index.js';
import { type PricedLine, type PricingRequest, priceCart } from '../../../../src/mock/rules/pricing.js';
import type { MemberDefinition, PromoDefinition } from '../../../../src/mock/state/state.js';

const line = (id: string, basePrice: number, more: Partial<PricedLine> = {}): PricedLine => ({
  cartItemId: `line-${id}`,
  menuItemId: id,
  name: id,
  quantity: 1,
  basePrice,
  modifierTotal: 0,
  nonDiscountable: false,
  ageVerificationRequired: false,
  ...more,
});

const sub = line('sub', 749, { quantity: 2, modifierTotal: 400 });
const latte = line('latte', 399);
const milk = line('milk', 429);
const lottery = line('lottery', 500, { nonDiscountable: true });

const summer: PromoDefinition = {
  code: 'SUMMER25',
  name: 'Summer savings',
  type: 'PERCENTAGE',
  value: 2500,
  maximumDiscount: 1000,
  usedByOrders: new Set(),
};
const take3: PromoDefinition = { code: 'TAKE3', name: '$3 off', type: 'FIXED', value: 300, usedByOrders: new Set() };
const member: MemberDefinition = {
  customerId: 'CUST-12345',
  programme: 'Rewards',
  unitDiscounts: { sub: 100, lottery: 50, latte: 1000 },
};

const price = (lines: readonly PricedLine[], more: Partial<PricingRequest> = {}): PriceCalculation =>
  priceCart({
    cartId: 'cart',
    lines,
    mode: 'PICKUP',
    minimumOrder: null,
    pricing: {
      taxBasisPoints: { default: 825, milk: 0, lottery: 0 },
      deliveryFee: 399,
      serviceFeeBasisPoints: 300,
      bagFee: 10,
    },
    promo: null,
    member: null,
    calculatedAt: '2026-03-10T17:00:00.000Z',
    ...more,
  });

const cents = (calculation: PriceCalculation) => ({
  subtotal: calculation.subtotal.amount,
  tax: calculation.total_tax.amount,
  fees: calculation.total_fees.amount,
  discount: calculation.total_discount.amount,
  taxable: calculation.taxable_amount.amount,
  total: calculation.total.amount,
});

test('two subs, a latte and untaxed milk, worked out by hand', () => {
  const calculation = price([sub, latte, milk]);

  // 2 × (7.49 + 4.00) = 22.98, tax 1.89585; 3.99, tax 0.329175; 4.29 without tax; a bag.
  expect(calculation).toEqual({
    cart_id: 'cart',
    currency: 'USD',
    line_items: [
      {
        cart_item_id: 'line-sub',
        menu_item_id: 'sub',
        name: 'sub',
        quantity: 2,
        base_price: { amount: 749, currency: 'USD' },
        modifier_total: { amount: 400, currency: 'USD' },
        discounts: [],
        item_subtotal: { amount: 2298, currency: 'USD' },
        item_tax: { amount: 190, currency: 'USD' },
        item_total: { amount: 2488, currency: 'USD' },
      },
      {
        cart_item_id: 'line-latte',
        menu_item_id: 'latte',
        name: 'latte',
        quantity: 1,
        base_price: { amount: 399, currency: 'USD' },
        modifier_total: { amount: 0, currency: 'USD' },
        discounts: [],
        item_subtotal: { amount: 399, currency: 'USD' },
        item_tax: { amount: 33, currency: 'USD' },
        item_total: { amount: 432, currency: 'USD' },
      },
      {
        cart_item_id: 'line-milk',
        menu_item_id: 'milk',
        name: 'milk',
        quantity: 1,
        base_price: { amount: 429, currency: 'USD' },
        modifier_total: { amount: 0, currency: 'USD' },
        discounts: [],
        item_subtotal: { amount: 429, currency: 'USD' },
        item_tax: { amount: 0, currency: 'USD' },
        item_total: { amount: 429, currency: 'USD' },
      },
    ],
    discounts: [],
    fees: [{ type: 'BAG', name: 'Bag', amount: { amount: 10, currency: 'USD' } }],
    subtotal: { amount: 3126, currency: 'USD' },
    total_tax: { amount: 223, currency: 'USD' },
    total_fees: { amount: 10, currency: 'USD' },
    total_discount: { amount: 0, currency: 'USD' },
    taxable_amount: { amount: 2697, currency: 'USD' },
    total: { amount: 3359, currency: 'USD' },
    age_verification_required: false,
    calculated_at: '2026-03-10T17:00:00.000Z',
    member_pricing_applied: false,
  });
});

describe('promo codes discount the cart', () => {
  test('25 % is taken off discountable lines, and leaves their tax basis (gap DISC-3)', () => {
    const calculation = price([sub, latte, milk, lottery], { promo: summer });

    // 25 % of 31.26 is 7.815: 7.82, spread 5.75 + 1.00 + 1.07. Tax on 17.23 and 2.99.
    expect(calculation.discounts).toEqual([
      {
        id: expect.any(String),
        name: 'Summer savings',
        type: 'PERCENTAGE',
        value: '25.00',
        amount: { amount: 782, currency: 'USD' },
        source: 'PROMO_CODE',
        application_scope: 'PRE_TAX',
      },
    ]);
    expect(calculation.line_items.map((item) => item.item_tax.amount)).toEqual([142, 25, 0, 0]);
    expect(cents(calculation)).toEqual({
      subtotal: 3626,
      tax: 167,
      fees: 10,
      discount: 782,
      taxable: 2022,
      total: 3021,
    });
  });

  test('a cap holds: 25 % of 60.00, and no more than 10.00', () => {
    expect(price([line('box', 6000)], { promo: summer }).total_discount.amount).toBe(1000);
  });

  test('a fixed code takes its amount, with two decimals as its value', () => {
    const [discount] = price([latte], { promo: take3 }).discounts;

    expect(discount).toMatchObject({ type: 'FIXED', value: '3.00', amount: { amount: 300 }, source: 'PROMO_CODE' });
  });

  test('a fixed code never takes more than the discountable lines cost', () => {
    const calculation = price([line('gum', 129), lottery], { promo: take3 });

    expect(cents(calculation)).toEqual({ subtotal: 629, tax: 0, fees: 10, discount: 129, taxable: 0, total: 510 });
  });

  test('a code for some items leaves the others alone', () => {
    const coffeeOnly = { ...summer, value: 5000, menuItemIds: ['latte'] };
    const calculation = price([sub, latte], { promo: coffeeOnly });

    // Half of 3.99 is 1.995: 2.00. The sub is taxed in full.
    expect(calculation.total_discount.amount).toBe(200);
    expect(calculation.line_items.map((item) => item.item_tax.amount)).toEqual([190, 16]);
  });

  test('a cart of non-discountable items gets no discount at all', () => {
    const calculation = price([lottery], { promo: summer });

    expect(calculation.discounts).toEqual([]);
    expect(calculation.total_discount.amount).toBe(0);
  });
});

describe('member prices discount the line', () => {
  test('(base_price + modifier_total - item-level discounts) * quantity', () => {
    const calculation = price([sub], { member });

    expect(calculation.line_items[0]).toMatchObject({
      discounts: [
        {
          name: 'Rewards',
          type: 'FIXED',
          value: '1.00',
          amount: { amount: 100, currency: 'USD' },
          source: 'AUTOMATIC',
          application_scope: 'PRE_TAX',
        },
      ],
      item_subtotal: { amount: 2098 },
      item_tax: { amount: 173 },
      item_total: { amount: 2271 },
    });
    expect(calculation.member_pricing_applied).toBe(true);
  });

  test('they are in the subtotal, and not in total_discount', () => {
    expect(cents(price([sub], { member }))).toMatchObject({ subtotal: 2098, discount: 0 });
  });

  test('a unit never costs less than nothing', () => {
    expect(price([latte], { member }).line_items[0]).toMatchObject({
      discounts: [{ amount: { amount: 399 } }],
      item_subtotal: { amount: 0 },
    });
  });

  test('a non-discountable item keeps its price', () => {
    expect(price([lottery], { member }).line_items[0]).toMatchObject({ discounts: [], item_subtotal: { amount: 500 } });
  });

  test('a promo code counts from the member price', () => {
    // 25 % of 20.98 is 5.245: 5.25 half up.
    expect(price([sub], { member, promo: summer }).total_discount.amount).toBe(525);
  });
});

describe('fees follow the mode', () => {
  const feesOf = (mode: PricingRequest['mode'], minimumOrder: number | null = null) =>
    price([latte], { mode, minimumOrder }).fees.map((fee) => [fee.type, fee.amount.amount]);

  test('delivery, service and bag; service and bag; bag; none', () => {
    expect(feesOf('DELIVERY')).toEqual([
      ['DELIVERY', 399],
      ['SERVICE', 12],
      ['BAG', 10],
    ]);
    expect(feesOf('CURBSIDE')).toEqual([
      ['SERVICE', 12],
      ['BAG', 10],
    ]);
    expect(feesOf('PICKUP')).toEqual([['BAG', 10]]);
    expect(feesOf('KIOSK')).toEqual([]);
  });

  test('without a mode there are none', () => {
    expect(feesOf(null, 1500)).toEqual([]);
  });

  test('fees are not taxed (gap FEE-3)', () => {
    expect(price([latte], { mode: 'DELIVERY' }).total_tax.amount).toBe(33);
  });
});

describe('SMALL_ORDER covers exactly the shortfall (cart rule 4)', () => {
  test('3.99 + 0.33 tax + 4.21 fees lack 6.47 to 15.00', () => {
    const calculation = price([latte], { mode: 'DELIVERY', minimumOrder: 1500 });

    expect(calculation.fees.at(-1)).toEqual({
      type: 'SMALL_ORDER',
      name: 'Small order',
      amount: { amount: 647, currency: 'USD' },
    });
    expect(cents(calculation)).toMatchObject({ fees: 1068, total: 1500 });
  });

  test('at the minimum there is none, one cent below there is one of a cent', () => {
    const types = (minimumOrder: number) => price([latte], { minimumOrder }).fees.map((fee) => fee.type);

    expect(price([latte]).total.amount).toBe(442);
    expect(types(442)).toEqual(['BAG']);
    expect(price([latte], { minimumOrder: 443 }).fees.at(-1)).toMatchObject({
      type: 'SMALL_ORDER',
      amount: { amount: 1 },
    });
  });

  test('discounts count before it: what the code takes, the fee may bring back to the minimum', () => {
    expect(price([latte], { promo: take3, minimumOrder: 400 }).total.amount).toBe(400);
  });

  test('an empty cart pays none', () => {
    expect(cents(price([], { minimumOrder: 1500, mode: 'DELIVERY' }))).toEqual({
      subtotal: 0,
      tax: 0,
      fees: 0,
      discount: 0,
      taxable: 0,
      total: 0,
    });
  });
});

test('one age-restricted line makes the cart ask for age verification', () => {
  expect(price([latte, line('lager', 1099, { ageVerificationRequired: true })]).age_verification_required).toBe(true);
});
