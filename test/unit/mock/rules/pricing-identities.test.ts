import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Money, PriceCalculation } from '../../../../src/contract/index.js';
import { spread } from '../../../../src/mock/rules/amounts.js';
import { type PricedLine, type PricingRequest, priceCart } from '../../../../src/mock/rules/pricing.js';

const ITEMS = ['sub', 'latte', 'milk', 'lottery'];
const cents = fc.integer({ min: 0, max: 20_000 });
const basisPoints = fc.integer({ min: 0, max: 3_000 });

const lines: fc.Arbitrary<PricedLine[]> = fc
  .array(
    fc.record({
      menuItemId: fc.constantFrom(...ITEMS),
      quantity: fc.integer({ min: 1, max: 40 }),
      basePrice: cents,
      modifierTotal: cents,
      nonDiscountable: fc.boolean(),
      ageVerificationRequired: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((rows) => rows.map((row, index) => ({ ...row, cartItemId: `line-${index}`, name: row.menuItemId })));

const promo = fc.record(
  {
    code: fc.constant('CODE'),
    name: fc.constant('Code'),
    type: fc.constantFrom('PERCENTAGE' as const, 'FIXED' as const),
    value: fc.integer({ min: 0, max: 10_000 }),
    maximumDiscount: cents,
    menuItemIds: fc.subarray(ITEMS),
    usedByOrders: fc.constant(new Set<string>()),
  },
  { requiredKeys: ['code', 'name', 'type', 'value', 'usedByOrders'] },
);

const request: fc.Arbitrary<PricingRequest> = fc.record({
  cartId: fc.constant('cart'),
  lines,
  mode: fc.constantFrom('PICKUP' as const, 'CURBSIDE' as const, 'DELIVERY' as const, 'KIOSK' as const, null),
  minimumOrder: fc.option(cents),
  pricing: fc.record({
    taxBasisPoints: fc.record({ default: basisPoints, milk: fc.constant(0), sub: basisPoints }),
    deliveryFee: cents,
    serviceFeeBasisPoints: basisPoints,
    bagFee: cents,
  }),
  promo: fc.option(promo),
  member: fc.option(
    fc.record({
      customerId: fc.constant('CUST-1'),
      programme: fc.constant('Rewards'),
      unitDiscounts: fc.dictionary(fc.constantFrom(...ITEMS), cents),
    }),
  ),
  calculatedAt: fc.constant('2026-03-10T17:00:00.000Z'),
});

const total = (amounts: readonly Money[]): number => amounts.reduce((sum, { amount }) => sum + amount, 0);

const holds = (check: (calculation: PriceCalculation, request: PricingRequest) => void): void =>
  fc.assert(
    fc.property(request, (input) => {
      check(priceCart(input), input);
    }),
    { numRuns: 500 },
  );

test('subtotal is the sum of item_subtotal values', () => {
  holds(({ subtotal, line_items }) =>
    expect(subtotal.amount).toBe(total(line_items.map((line) => line.item_subtotal))),
  );
});

test('item_subtotal is (base_price + modifier_total - item-level discounts) * quantity', () => {
  holds(({ line_items }) => {
    for (const line of line_items) {
      const discounts = total((line.discounts ?? []).map(({ amount }) => amount));
      const unit = line.base_price.amount + line.modifier_total.amount - discounts;
      expect(line.item_subtotal.amount).toBe(unit * line.quantity);
    }
  });
});

test('item_total is item_subtotal + item_tax, and total_tax is the sum of item_tax values', () => {
  holds(({ line_items, total_tax }) => {
    for (const line of line_items) {
      expect(line.item_total.amount).toBe(line.item_subtotal.amount + line.item_tax.amount);
    }
    expect(total_tax.amount).toBe(total(line_items.map((line) => line.item_tax)));
  });
});

test('total is subtotal + total_tax + total_fees - total_discount', () => {
  holds((calculation) => {
    const { subtotal, total_tax, total_fees, total_discount } = calculation;
    expect(calculation.total.amount).toBe(
      subtotal.amount + total_tax.amount + total_fees.amount - total_discount.amount,
    );
  });
});

test('total_fees and total_discount are the sums of their entries', () => {
  holds(({ fees, total_fees, discounts, total_discount }) => {
    expect(total_fees.amount).toBe(total(fees.map(({ amount }) => amount)));
    expect(total_discount.amount).toBe(total(discounts.map(({ amount }) => amount)));
  });
});

test('every amount is a whole number of cents, and none is below zero', () => {
  holds((calculation) => {
    const amounts = JSON.stringify(calculation).match(/"amount":[^,{}]+/g) ?? [];
    expect(amounts.length).toBeGreaterThan(5);
    for (const amount of amounts) expect(amount).toMatch(/^"amount":\d+$/);
  });
});

test('a cart with a mode is never below its minimum, and SMALL_ORDER brings it there to the cent', () => {
  holds(({ fees, total: { amount }, line_items }, { mode, minimumOrder }) => {
    const fee = fees.find(({ type }) => type === 'SMALL_ORDER');
    if (fee) expect(amount).toBe(minimumOrder);
    else if (mode && line_items.length > 0) expect(amount).toBeGreaterThanOrEqual(minimumOrder ?? 0);
  });
});

test('the discount of a code never exceeds what the lines it applies to cost', () => {
  holds(({ total_discount, line_items }, { lines: cart, promo: code }) => {
    const eligible = line_items.filter((line, index) => {
      return !cart[index]!.nonDiscountable && (code?.menuItemIds?.includes(line.menu_item_id) ?? true);
    });
    expect(total_discount.amount).toBeLessThanOrEqual(total(eligible.map((line) => line.item_subtotal)));
  });
});

test('where every line is taxed, the taxable amount is the subtotal less the discount', () => {
  const taxed = request.map((input) => {
    const { pricing } = input;
    return { ...input, pricing: { ...pricing, taxBasisPoints: { default: 825 } } };
  });
  fc.assert(
    fc.property(taxed, (input) => {
      const { taxable_amount, subtotal, total_discount } = priceCart(input);
      expect(taxable_amount.amount).toBe(subtotal.amount - total_discount.amount);
    }),
  );
});

test('a spread adds up exactly, and each part lies within a cent of its proportion', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e11 }), { minLength: 1, maxLength: 20 }),
      fc.nat(1e11),
      (weights, amount) => {
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        const parts = spread(amount, weights);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole === 0 ? 0 : amount);
        parts.forEach((part, index) => {
          if (whole > 0) expect(Math.abs(part - (amount / whole) * weights[index]!)).toBeLessThan(1.001);
        });
      },
    ),
  );
});
