import { describe, expect, test } from 'vitest';
import {
  FULFILLMENT_TRANSITIONS,
  fulfillmentPath,
  isCancellable,
  mayFollow,
  ORDER_TRANSITIONS,
  PAYMENT_TRANSITIONS,
} from '../../../../src/mock/rules/transitions.js';

describe('The way of an order through the store', () => {
  test.each(['PICKUP', 'CURBSIDE', 'KIOSK'] as const)('%s ends in FULFILLED, and never in DELIVERED', (mode) => {
    expect(fulfillmentPath(mode, 'PENDING', 'FULFILLED')).toEqual([
      'IN_PROGRESS',
      'PREPARING',
      'READY_FOR_PICKUP',
      'FULFILLED',
    ]);
    expect(fulfillmentPath(mode, 'PENDING', 'DELIVERED')).toBeUndefined();
    expect(FULFILLMENT_TRANSITIONS[mode]).not.toHaveProperty('DELIVERED');
  });

  test('DELIVERY ends in DELIVERED, and never in FULFILLED', () => {
    expect(fulfillmentPath('DELIVERY', 'READY_FOR_PICKUP', 'DELIVERED')).toEqual(['DELIVERED']);
    expect(fulfillmentPath('DELIVERY', 'PENDING', 'FULFILLED')).toBeUndefined();
  });

  test('only what was handed over is returned', () => {
    const beforeReturn = Object.entries(FULFILLMENT_TRANSITIONS.PICKUP).filter(([, next]) => next.includes('RETURNED'));

    expect(beforeReturn.map(([status]) => status)).toEqual(['FULFILLED']);
    expect(fulfillmentPath('DELIVERY', 'DELIVERED', 'RETURNED')).toEqual(['RETURNED']);
  });

  test('a kiosk order alone may skip IN_PROGRESS', () => {
    expect(mayFollow(FULFILLMENT_TRANSITIONS.KIOSK, 'PENDING', 'PREPARING')).toBe(true);
    expect(mayFollow(FULFILLMENT_TRANSITIONS.PICKUP, 'PENDING', 'PREPARING')).toBe(false);
  });

  test('nothing goes back', () => {
    expect(fulfillmentPath('PICKUP', 'PREPARING', 'IN_PROGRESS')).toBeUndefined();
    expect(fulfillmentPath('PICKUP', 'FULFILLED', 'CANCELLED')).toBeUndefined();
  });
});

test.each([
  ['PENDING', 'PENDING', true],
  ['CONFIRMED', 'IN_PROGRESS', true],
  ['CONFIRMED', 'PREPARING', false],
  ['CONFIRMED', 'READY_FOR_PICKUP', false],
  ['COMPLETED', 'FULFILLED', false],
  ['CANCELLED', 'CANCELLED', false],
  ['FAILED', 'PENDING', true],
  ['VOIDED', 'PENDING', true],
])('an order that is %s and %s: cancellable is %s', (status, fulfillment_status, expected) => {
  expect(isCancellable({ status, fulfillment_status })).toBe(expected);
});

test('order statuses follow one another as the gap table says, and two of them are the end', () => {
  expect(ORDER_TRANSITIONS.PENDING).toEqual(['CONFIRMED', 'FAILED', 'VOIDED', 'CANCELLED']);
  expect(ORDER_TRANSITIONS.CONFIRMED).toEqual(['COMPLETED', 'CANCELLED']);
  expect(Object.keys(ORDER_TRANSITIONS).filter((status) => ORDER_TRANSITIONS[status]?.length === 0)).toEqual([
    'COMPLETED',
    'CANCELLED',
  ]);
});

test('a payment is voided before it is captured, and refunded afterwards', () => {
  const before = (end: string) =>
    Object.keys(PAYMENT_TRANSITIONS).filter((one) => PAYMENT_TRANSITIONS[one]?.includes(end));

  expect(before('VOIDED')).toEqual(['PENDING', 'AUTHORIZED']);
  expect(before('REFUNDED')).toEqual(['CAPTURED', 'COMPLETED']);
  expect(before('FAILED')).toEqual(['PENDING', 'AUTHORIZED', 'CAPTURED']);
});
