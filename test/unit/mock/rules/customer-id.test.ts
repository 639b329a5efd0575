import { expect, test } from 'vitest';
import { readCustomerId, readOptionalCustomerId } from '../../../../src/mock/rules/customer-id.js';
import { refusalOf } from './refusal.js';

test('letters, digits, hyphens and underscores, up to 255 of them', () => {
  expect(readCustomerId({ customer_id: 'CUST-12_34' })).toBe('CUST-12_34');
  expect(readCustomerId({ customer_id: 'x'.repeat(255) })).toHaveLength(255);
});

test('null is anonymous; left out, it is too where it may be', () => {
  expect(readCustomerId({ customer_id: null })).toBeNull();
  expect(readOptionalCustomerId({})).toBeNull();
});

test('256 characters are too long', () => {
  expect(refusalOf(() => readCustomerId({ customer_id: 'x'.repeat(256) }))).toMatchObject({
    status: 422,
    message: 'Customer ID too long',
    field: 'customer_id',
  });
});

test.each(['a b', 'müller', 'a@b', ''])('%j has an invalid format', (value) => {
  expect(refusalOf(() => readCustomerId({ customer_id: value }))).toMatchObject({
    status: 422,
    message: 'Invalid customer ID format',
    field: 'customer_id',
  });
});

test('a number is 400, and so is nothing where it is required', () => {
  expect(refusalOf(() => readCustomerId({ customer_id: 5 }))).toMatchObject({ status: 400, field: 'customer_id' });
  expect(refusalOf(() => readCustomerId({})).message).toBe('Missing required field: customer_id');
});

test('the refusal does not repeat the id', () => {
  expect(JSON.stringify(refusalOf(() => readCustomerId({ customer_id: 'jane doe' })))).not.toContain('jane');
});
