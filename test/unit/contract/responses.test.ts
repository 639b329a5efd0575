import {
  cartSchema,
  checkoutResultSchema,
  createdCartSchema,
  errorEnvelopeSchema,
  inventoryItemSchema,
  locationSchema,
  menuMetadataSchema,
  menuSchema,
  orderSchema,
  orderSummarySchema,
  pageEnvelopeSchema,
  paymentResponseSchema,
  paymentSchema,
  priceCalculationSchema,
  refundSchema,
  tokenResponseSchema,
  webhookSubscriptionSchema,
} from 'online-ordering-sdk/contract';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { annotationOf } from '../../../src/contract/schemas/annotation.js';
import * as samples from '../../support/records/index.js';

/** Paths of what a schema finds wrong, as dotted text. */
function problems(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? [];
}

describe('a record as the interface document describes it is taken as it is', () => {
  const records: [string, () => z.ZodType, unknown][] = [
    ['a cart', cartSchema, samples.cart],
    ['a price calculation', priceCalculationSchema, samples.priceCalculation],
    ['a checkout result', checkoutResultSchema, samples.checkoutResult],
    ['an order', orderSchema, samples.order],
    ['an order summary', orderSummarySchema, samples.orderSummary],
    ['a payment', paymentSchema, samples.payment],
    ['a refund', refundSchema, samples.refund],
    ['a location', locationSchema, samples.location],
    ['an inventory item', inventoryItemSchema, samples.inventoryItem],
    ['a menu of three modifier levels', menuSchema, samples.menu],
    ['menu metadata', menuMetadataSchema, samples.menuMetadata],
    ['a webhook subscription', webhookSubscriptionSchema, samples.webhookSubscription],
    ['a token', tokenResponseSchema, { access_token: 'a.b.c', token_type: 'BEARER', expires_in: 86400 }],
  ];

  test.each(records)('%s', (_name, schema, record) => {
    expect(schema().parse(record)).toEqual(record);
  });
});

test('every field that the interface document promises of a cart is missed when it is not there', () => {
  const missed = Object.keys(samples.cart).filter((field) => {
    const { [field as keyof typeof samples.cart]: _left, ...rest } = samples.cart;
    return problems(cartSchema(), rest).includes(field);
  });

  expect(missed.sort()).toEqual(Object.keys(samples.cart).sort());
});

test('a cart just opened may lack customer, promo codes and fees, but no total', () => {
  const { total: _left, ...withoutTotal } = samples.newCart;

  expect(problems(createdCartSchema(), samples.newCart)).toEqual([]);
  expect(problems(createdCartSchema(), withoutTotal)).toEqual(['total']);
  expect(problems(cartSchema(), samples.newCart)).toEqual(['customer_id', 'promo_codes', 'fees', 'total_fees']);
});

test('a wrong type deep in a record is found at its path', () => {
  const cart = { ...samples.cart, items: [{ ...samples.cartItem, base_price: { amount: '799', currency: 'USD' } }] };

  expect(problems(cartSchema(), cart)).toEqual(['items.0.base_price.amount']);
});

test('modifiers and selections are checked on each of the three levels', () => {
  const broken = (text: string, from: string, to: string) =>
    JSON.parse(text.slice(0, text.lastIndexOf(from)) + text.slice(text.lastIndexOf(from)).replace(from, to));
  const third = { modifier_group_id: 'g', modifier_id: 'm', quantity: 3, nested_selections: [] };
  const second = { ...third, quantity: 2, nested_selections: [third] };
  const items = [
    { ...samples.cartItem, modifier_selections: [{ ...third, quantity: 1, nested_selections: [second] }] },
  ];

  expect(
    problems(menuSchema(), broken(JSON.stringify(samples.menu), '"min_selections":0', '"min_selections":"0"')),
  ).toEqual([
    `categories.0.items.0.modifier_groups.0.modifiers.0.modifier_groups.0.modifiers.0.modifier_groups.0.min_selections`,
  ]);
  expect(
    problems(cartSchema(), broken(JSON.stringify({ ...samples.cart, items }), '"quantity":3', '"quantity":"3"')),
  ).toEqual(['items.0.modifier_selections.0.nested_selections.0.nested_selections.0.quantity']);
});

test('an amount with fractions of a cent is not Money', () => {
  expect(problems(cartSchema(), { ...samples.cart, total: samples.usd(19.02) })).toEqual(['total.amount']);
});

test('fields that this version does not know are kept, at every depth', () => {
  const order = {
    ...samples.order,
    loyalty: { points: 12 },
    payments: [{ ...samples.payment, card_brand: 'VISA', amount: { ...samples.usd(1902), exponent: 2 } }],
  };

  expect(orderSchema().parse(order)).toEqual(order);
});

test('enumeration values that this version does not know are values', () => {
  const order = {
    ...samples.order,
    status: 'ON_HOLD',
    payment_status: 'ESCROW',
    fulfillment_status: 'LATE',
    handoff_mode: 'DRONE',
    payments: [{ ...samples.payment, payment_method: 'CRYPTO', status: 'DISPUTED' }],
    discounts: [{ name: 'x', type: 'BOGO', value: '1', amount: samples.usd(1), source: 'PARTNER' }],
    fees: [{ type: 'RAIN', amount: samples.usd(1) }],
  };
  const item = { ...samples.menuItem, allowed_tenders: ['CHEQUE'], tender_restriction_level: 'STRICT' };
  const menu = { ...samples.menu, categories: [{ ...samples.menu.categories[0], items: [item] }] };

  expect(problems(orderSchema(), order)).toEqual([]);
  expect(problems(menuSchema(), menu)).toEqual([]);
  expect(problems(errorEnvelopeSchema(), { error: { code: 'TEAPOT', message: '', request_id: 'r' } })).toEqual([]);
});

test('a stored handoff of a mode to come is taken, one of a known mode without its fields is noticed', () => {
  const withHandoff = (handoff: unknown) => problems(orderSchema(), { ...samples.order, handoff });

  expect(withHandoff({ mode: 'DRONE', landing_pad: 3 })).toEqual([]);
  expect(withHandoff({ mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit' })).toEqual([
    'handoff.vehicle_color',
  ]);
  expect(withHandoff({ mode: 'DELIVERY', delivery_instructions: null })).toEqual(['handoff.delivery_address']);
  expect(withHandoff({ mode: 'PICKUP', vehicle_make: null, delivery_address: null })).toEqual([]);
});

test('amounts whose form the interface document does not show may be Money or whole cents', () => {
  expect(problems(orderSchema(), { ...samples.order, balance_due: 0, amount_paid: 1902, amount_refunded: 0 })).toEqual(
    [],
  );
  expect(problems(paymentSchema(), { ...samples.payment, amount: 1902 })).toEqual([]);
  expect(problems(orderSchema(), { ...samples.order, balance_due: '0' })).toEqual(['balance_due']);
});

test('any text that reads as an instant is a time stamp, other text is not', () => {
  const withTime = (created_at: unknown) => problems(orderSchema(), { ...samples.order, created_at });

  expect(withTime('2026-01-31T10:00:00.123456+00:00')).toEqual([]);
  expect(withTime('2026-01-31T10:00:00')).toEqual([]);
  expect(withTime('soon')).toEqual(['created_at']);
  expect(withTime('')).toEqual(['created_at']);
  expect(withTime(1769853600)).toEqual(['created_at']);
});

test('ids of responses need not be UUIDs, but are never empty', () => {
  expect(problems(orderSchema(), { ...samples.order, id: 'ord_42' })).toEqual([]);
  expect(problems(orderSchema(), { ...samples.order, id: '' })).toEqual(['id']);
});

test('a page needs its items and has_more; the last one may leave out next_cursor', () => {
  const schema = pageEnvelopeSchema(inventoryItemSchema());

  expect(problems(schema, { data: [samples.inventoryItem], pagination: { has_more: false } })).toEqual([]);
  expect(problems(schema, { data: [{}], pagination: { has_more: true, next_cursor: 'abc' } })).toEqual([
    'data.0.item_id',
    'data.0.name',
    'data.0.availability_status',
    'data.0.updated_at',
  ]);
  expect(problems(schema, { pagination: {} })).toEqual(['data', 'pagination.has_more']);
});

test('an error envelope may leave out detail and field, and carries change reasons', () => {
  const error = { code: 'CONFLICT_ERROR', message: 'Expected total mismatch', request_id: samples.ORDER_ID };

  expect(problems(errorEnvelopeSchema(), { error })).toEqual([]);
  expect(
    problems(errorEnvelopeSchema(), { error: { ...error, field: null, change_reasons: ['FEE_CHANGED'] } }),
  ).toEqual([]);
  expect(problems(errorEnvelopeSchema(), { error: 'no' })).toEqual(['error']);
});

test('the response to a payment is a payment, or the order in its place', () => {
  const schema = paymentResponseSchema();

  expect(problems(schema, samples.payment)).toEqual([]);
  expect(problems(schema, samples.order)).toEqual([]);
  expect(schema.safeParse({ ok: true }).success).toBe(false);
});

describe('hostile JSON', () => {
  test('a __proto__ member reaches no prototype', () => {
    const text = JSON.stringify(samples.order).replace('{', '{"__proto__":{"isAdmin":true},');

    const parsed = orderSchema().parse(JSON.parse(text)) as object;

    expect('isAdmin' in parsed).toBe(false);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect('isAdmin' in {}).toBe(false);
  });

  test('modifiers nested ten thousand levels deep overflow no stack', () => {
    let menuGroups: unknown = [];
    let selections: unknown = [];
    for (let level = 0; level < 10_000; level++) {
      const [group] = samples.menuItem.modifier_groups;
      menuGroups = [{ ...group, modifiers: [{ ...group?.modifiers[0], modifier_groups: menuGroups }] }];
      selections = [{ modifier_group_id: 'g', modifier_id: 'm', quantity: 1, nested_selections: selections }];
    }
    const menu = {
      ...samples.menu,
      categories: [{ ...samples.menu.categories[0], items: [{ ...samples.menuItem, modifier_groups: menuGroups }] }],
    };
    const cart = { ...samples.cart, items: [{ ...samples.cartItem, modifier_selections: selections }] };

    expect(problems(menuSchema(), menu)).toEqual([]);
    expect(problems(cartSchema(), cart)).toEqual([]);
  });
});

test('every open enumeration knows its values, and takes others', () => {
  const schema = cartSchema() as unknown as { shape: { status: z.ZodType } };

  expect(annotationOf(schema.shape.status)).toEqual({ known: ['ACTIVE', 'CHECKED_OUT', 'ABANDONED'] });
  expect(schema.shape.status.safeParse('MERGED').success).toBe(true);
});
