import { expect, test } from 'vitest';
import { checkQuantity } from '../../../../src/mock/rules/quantity.js';
import { refusalOf } from './refusal.js';

const propane = { id: 'propane', name: 'Propane exchange', max_allowed_quantity: 2 };
const line = (id: string, menuItemId: string, quantity: number) => ({ id, menu_item_id: menuItemId, quantity });

test('as many as the limit are taken, one more is refused', () => {
  expect(() => checkQuantity({ item: propane, quantity: 2, cartItems: [] })).not.toThrow();
  expect(refusalOf(() => checkQuantity({ item: propane, quantity: 3, cartItems: [] }))).toMatchObject({
    status: 422,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Quantity exceeds limit',
    field: 'quantity',
  });
});

test('the limit holds for the whole cart: lines of the same item add up, others do not', () => {
  const cartItems = [line('a', 'propane', 1), line('b', 'coffee', 9)];

  expect(() => checkQuantity({ item: propane, quantity: 1, cartItems })).not.toThrow();
  expect(refusalOf(() => checkQuantity({ item: propane, quantity: 2, cartItems })).message).toBe(
    'Quantity exceeds limit',
  );
});

test('a line that is replaced no longer counts', () => {
  const cartItems = [line('a', 'propane', 2)];

  expect(() => checkQuantity({ item: propane, quantity: 2, cartItems, replacedCartItemId: 'a' })).not.toThrow();
});

test('replacing one of two lines still counts the other', () => {
  const cartItems = [line('a', 'propane', 1), line('b', 'propane', 1)];
  const check = { item: propane, quantity: 2, cartItems, replacedCartItemId: 'a' };

  expect(refusalOf(() => checkQuantity(check)).field).toBe('quantity');
});

test('null is no limit', () => {
  const item = { ...propane, max_allowed_quantity: null };

  expect(() => checkQuantity({ item, quantity: 5_000, cartItems: [line('a', 'propane', 5_000)] })).not.toThrow();
});

test('a number of units that no amount can hold exactly is refused (gap CART-14)', () => {
  const item = { ...propane, max_allowed_quantity: null };

  expect(() => checkQuantity({ item, quantity: 1_000_000, cartItems: [] })).not.toThrow();
  expect(refusalOf(() => checkQuantity({ item, quantity: 1_000_001, cartItems: [] })).message).toBe(
    'Quantity exceeds limit',
  );
});
