import { describe, expect, test } from 'vitest';
import type { MenuItem } from '../../../../src/contract/index.js';
import { type CartItemCheck, checkCartItem, readCartItem } from '../../../../src/mock/rules/cart-item.js';
import { refusalOf } from './refusal.js';

const ITEM = '6f1f2c60-0c1a-4c55-8b0e-2a4d8a3f9b11';
const GROUP = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
const MODIFIER = '1c9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d22';
const body = { menu_item_id: ITEM, quantity: 2, modifier_selections: [] };
const selection = { modifier_group_id: GROUP, modifier_id: MODIFIER, quantity: 1, nested_selections: [] };

describe('the body of an item', () => {
  test('is kept with what was left out: instructions null, quantity 1, nothing nested', () => {
    const selections = [{ modifier_group_id: GROUP, modifier_id: MODIFIER }];

    expect(readCartItem({ ...body, modifier_selections: selections })).toEqual({
      menu_item_id: ITEM,
      quantity: 2,
      modifier_selections: [selection],
      special_instructions: null,
    });
  });

  test.each(['menu_item_id', 'quantity', 'modifier_selections'])(
    'without %s it is 400, and the field is named',
    (field) => {
      const facts = refusalOf(() => readCartItem({ ...body, [field]: undefined }));

      expect(facts).toMatchObject({ status: 400, message: `Missing required field: ${field}`, field });
    },
  );

  test.each([
    [[], null],
    [{ ...body, menu_item_id: 'turkey' }, 'menu_item_id'],
    [{ ...body, quantity: '2' }, 'quantity'],
    [{ ...body, quantity: 1.5 }, 'quantity'],
    [{ ...body, quantity: 0 }, 'quantity'],
    [{ ...body, quantity: -1 }, 'quantity'],
    [{ ...body, modifier_selections: {} }, 'modifier_selections'],
    [{ ...body, modifier_selections: [7] }, 'modifier_selections[0]'],
    [
      { ...body, modifier_selections: [selection, { ...selection, modifier_id: 'x' }] },
      'modifier_selections[1].modifier_id',
    ],
    [
      { ...body, modifier_selections: [{ ...selection, nested_selections: [{ ...selection, quantity: 0 }] }] },
      'modifier_selections[0].nested_selections[0].quantity',
    ],
    [{ ...body, special_instructions: 5 }, 'special_instructions'],
    [{ ...body, special_instructions: 'x'.repeat(201) }, 'special_instructions'],
  ])('%j is 400 on %s', (value, field) => {
    expect(refusalOf(() => readCartItem(value))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST_ERROR',
      message: 'Request validation failed',
      field,
    });
  });

  test('200 characters of instructions are taken, of any alphabet', () => {
    expect(readCartItem({ ...body, special_instructions: '🌶'.repeat(200) }).special_instructions).toHaveLength(400);
  });
});

describe('cart rule 1, in its order', () => {
  const item: MenuItem = {
    id: ITEM,
    name: 'Biscuit',
    description: '',
    base_price: { amount: 399, currency: 'USD' },
    available: true,
    age_verification_required: false,
    minimum_age: null,
    max_allowed_quantity: 1,
    tender_restriction_level: null,
    allowed_tenders: null,
    daily_sales_start_time: '05:00',
    daily_sales_end_time: '11:00',
    modifier_groups: [
      { id: GROUP, name: 'Egg', min_selections: 1, max_selections: 1, allows_duplicates: false, modifiers: [] },
    ],
  };
  const nineInTheMorning = Date.parse('2026-03-10T14:00:00Z');
  const noon = Date.parse('2026-03-10T17:00:00Z');
  const refused = (change: Partial<CartItemCheck>) =>
    refusalOf(() =>
      checkCartItem({
        item,
        body: readCartItem(body),
        stock: 'IN_STOCK',
        timezone: 'America/Chicago',
        nowMs: nineInTheMorning,
        cartItems: [],
        ...change,
      }),
    );

  test.each([
    ['disabled', { item: { ...item, available: false } }],
    ['not in the inventory', { stock: undefined }],
    ['out of stock', { stock: 'OUT_OF_STOCK' }],
    ['outside its hours', { nowMs: noon }],
  ])('an item that is %s is not available, whatever else is wrong', (_, change) => {
    expect(refused(change)).toMatchObject({
      status: 422,
      code: 'INVALID_REQUEST_ERROR',
      message: 'Item is not available',
      field: 'menu_item_id',
    });
  });

  test('LOW_STOCK can be bought', () => {
    expect(refused({ stock: 'LOW_STOCK' }).message).toBe('Quantity exceeds limit');
  });

  test('the quantity limit comes before the modifiers', () => {
    expect(refused({})).toMatchObject({ message: 'Quantity exceeds limit', field: 'quantity' });
  });

  test('the modifiers come last', () => {
    const one = readCartItem({ ...body, quantity: 1 });

    expect(refused({ body: one })).toMatchObject({
      message: 'Modifier validation failed',
      field: 'modifier_selections',
    });
  });

  test('an age-restricted item is never blocked (cart rule 2)', () => {
    const beer = { ...item, minimum_age: 21, age_verification_required: true, modifier_groups: [] };
    const check: CartItemCheck = {
      item: beer,
      body: readCartItem({ ...body, quantity: 1 }),
      stock: 'IN_STOCK',
      timezone: 'America/Chicago',
      nowMs: nineInTheMorning,
      cartItems: [],
    };

    expect(() => checkCartItem(check)).not.toThrow();
  });
});
