import {
  cancelRequestSchema,
  cartItemRequestSchema,
  checkoutRequestSchema,
  createCartRequestSchema,
  handoffModeRequestSchema,
  paymentRequestSchema,
  refundRequestSchema,
  tokenRequestSchema,
  updateCartRequestSchema,
  webhookSubscriptionRequestSchema,
} from 'online-ordering-sdk/contract';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import * as samples from '../../support/records/index.js';

/** What a schema finds wrong: path and message of each problem. */
function problems(schema: z.ZodType, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return Object.fromEntries(issues.map((issue) => [issue.path.join('.'), issue.message]));
}

const fieldsAtFault = (schema: z.ZodType, value: unknown) => Object.keys(problems(schema, value));

describe('a cart item', () => {
  const item = { menu_item_id: samples.MENU_ITEM_ID, quantity: 1, modifier_selections: [] };
  const check = (changes: object) => problems(cartItemRequestSchema(), { ...item, ...changes });
  const selection = (nested_selections?: unknown) => ({
    modifier_group_id: samples.GROUP_ID,
    modifier_id: samples.MODIFIER_ID,
    nested_selections,
  });

  test('with an id, a quantity and no modifiers is right', () => {
    expect(check({})).toEqual({});
  });

  test('needs a UUID, a positive whole quantity and its selections', () => {
    expect(problems(cartItemRequestSchema(), {})).toEqual({
      menu_item_id: 'is missing; it must be a UUID: the `id` of an item of the menu',
      quantity: 'is missing; it must be a whole number, 1 or more',
      modifier_selections: 'is missing; it must be an array of modifier selections, empty when there are none',
    });
    expect(check({ menu_item_id: 'turkey-sub' })).toEqual({
      menu_item_id: 'must be a UUID: the `id` of an item of the menu',
    });
    for (const quantity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
      expect(check({ quantity })).toEqual({ quantity: 'must be a whole number, 1 or more' });
    }
  });

  test('takes 200 characters of instructions, and not 201', () => {
    const tooLong = { special_instructions: 'must be text of at most 200 characters, or null' };

    expect(check({ special_instructions: 'x'.repeat(200) })).toEqual({});
    expect(check({ special_instructions: '🌶'.repeat(200) })).toEqual({});
    expect(check({ special_instructions: null })).toEqual({});
    expect(check({ special_instructions: 'x'.repeat(201) })).toEqual(tooLong);
    expect(check({ special_instructions: '🌶'.repeat(201) })).toEqual(tooLong);
  });

  test('takes three levels of selections, and not four', () => {
    const threeLevels = [selection([selection([selection([])])])];
    const fourLevels = [selection([selection([selection([selection()])])])];

    expect(check({ modifier_selections: threeLevels })).toEqual({});
    expect(check({ modifier_selections: fourLevels })).toEqual({
      'modifier_selections.0.nested_selections.0.nested_selections.0.nested_selections':
        'must be left out or empty: modifiers nest at most 3 levels deep',
    });
  });

  test('names the selection at fault, on every level', () => {
    const wrong = { ...selection(), modifier_id: 'cheese', quantity: 0 };

    expect(check({ modifier_selections: [selection(), wrong] })).toEqual({
      'modifier_selections.1.modifier_id': 'must be a UUID: the `id` of a modifier of that group',
      'modifier_selections.1.quantity': 'must be a whole number, 1 or more',
    });
    expect(Object.keys(check({ modifier_selections: [selection([selection([wrong])])] }))).toContain(
      'modifier_selections.0.nested_selections.0.nested_selections.0.quantity',
    );
  });

  test('read from a cart can be sent again, with the fields that only responses have', () => {
    expect(problems(cartItemRequestSchema(), samples.cartItem)).toEqual({});
  });

  test('keeps fields that this version does not know', () => {
    expect(cartItemRequestSchema().parse({ ...item, gift_note: 'hi' })).toEqual({ ...item, gift_note: 'hi' });
  });
});

describe('a customer id', () => {
  const check = (customer_id: unknown) => fieldsAtFault(updateCartRequestSchema(), { customer_id });

  test('has 1 to 255 letters, digits, hyphens and underscores, or is null', () => {
    for (const right of ['CUST-12345', 'a', '_', 'x'.repeat(255), null]) expect(check(right)).toEqual([]);
    for (const wrong of ['', 'x'.repeat(256), 'a b', 'a@b.c', 'é', 'a\n', 12345, undefined]) {
      expect(check(wrong)).toEqual(['customer_id']);
    }
  });

  test('may be left out when a cart is opened, and has to be said when it is changed', () => {
    expect(fieldsAtFault(createCartRequestSchema(), { location_id: samples.LOCATION_ID })).toEqual([]);
    expect(fieldsAtFault(updateCartRequestSchema(), {})).toEqual(['customer_id']);
  });

  test('is not repeated in the message that refuses it', () => {
    expect(JSON.stringify(problems(updateCartRequestSchema(), { customer_id: 'jane@example.com' }))).not.toContain(
      'jane',
    );
  });
});

describe('a handoff', () => {
  const check = (handoff: unknown) => problems(handoffModeRequestSchema(), handoff);
  const address = { street: '1 Main St, Apt 2', city: 'Austin', state: 'TX', postal_code: '78745' };
  const vehicle = { vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' };

  test('is right with exactly the fields of its mode', () => {
    expect(check({ mode: 'PICKUP' })).toEqual({});
    expect(check({ mode: 'PICKUP', pickup_time: null })).toEqual({});
    expect(check({ mode: 'PICKUP', pickup_time: '2026-01-31T10:00:00Z' })).toEqual({});
    expect(check({ mode: 'CURBSIDE', ...vehicle })).toEqual({});
    expect(check({ mode: 'DELIVERY', delivery_address: address, delivery_instructions: null })).toEqual({});
    expect(check({ mode: 'DELIVERY', delivery_address: { ...address, country: 'US' } })).toEqual({});
    expect(check({ mode: 'KIOSK' })).toEqual({});
    expect(check({ mode: 'KIOSK', kiosk_id: 'K7' })).toEqual({});
  });

  test('without a field that its mode needs is refused', () => {
    expect(check({ mode: 'CURBSIDE', vehicle_make: 'Honda' })).toEqual({
      vehicle_model: 'is missing; it must be text that is not empty: the model of the vehicle',
      vehicle_color: 'is missing; it must be text that is not empty: the color of the vehicle',
    });
    expect(check({ mode: 'DELIVERY' })).toEqual({
      delivery_address:
        'is missing; it must be a delivery address: an object with the fields street, city, state, postal_code, country',
    });
    expect(Object.keys(check({ mode: 'CURBSIDE', ...vehicle, vehicle_make: ' ' }))).toEqual(['vehicle_make']);
  });

  test('with a field of another mode is refused at that field', () => {
    expect(check({ mode: 'PICKUP', vehicle_make: 'Honda' })).toEqual({
      vehicle_make: 'is not a field of a PICKUP handoff; leave it out (the fields are mode, pickup_time)',
    });
    expect(Object.keys(check({ mode: 'KIOSK', pickup_time: null }))).toEqual(['pickup_time']);
    expect(Object.keys(check({ mode: 'DELIVERY', delivery_address: { ...address, floor: 3 } }))).toEqual([
      'delivery_address.floor',
    ]);
  });

  test('may have undefined fields, since those are not sent', () => {
    expect(check({ mode: 'PICKUP', vehicle_make: undefined })).toEqual({});
  });

  test('of another mode, or of none, is refused with the four modes', () => {
    const oneOf = { mode: 'must be one of PICKUP, CURBSIDE, DELIVERY, KIOSK' };

    expect(check({ mode: 'DINE_IN' })).toEqual(oneOf);
    expect(check({})).toEqual(oneOf);
    expect(check('PICKUP')).toEqual({ '': 'must be a handoff: an object with `mode`' });
    expect(check(undefined)).toEqual({ '': 'is missing; it must be a handoff: an object with `mode`' });
  });

  test('takes two letters for state and country, and repeats no part of the address', () => {
    const found = check({
      mode: 'DELIVERY',
      delivery_address: { ...address, state: 'Texas', country: 'USA', city: 7 },
    });

    expect(found).toEqual({
      'delivery_address.city': 'must be text that is not empty: the city',
      'delivery_address.state': 'must be a two-letter code of the state, such as TX',
      'delivery_address.country': 'must be a two-letter ISO 3166-1 code of the country, such as US',
    });
    expect(JSON.stringify(found)).not.toMatch(/Texas|Main|78745/);
  });

  test('takes a date-time with its offset only, which means one instant everywhere', () => {
    const check = (pickup_time: unknown) => fieldsAtFault(handoffModeRequestSchema(), { mode: 'PICKUP', pickup_time });

    for (const right of ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.250-06:00']) expect(check(right)).toEqual([]);
    for (const wrong of [
      'tomorrow',
      '2026-01-31',
      '2026-01-31T10:00:00',
      '1/31/2026 10:00',
      '2026-13-31T10:00:00Z',
      17,
    ]) {
      expect(check(wrong)).toEqual(['pickup_time']);
    }
  });
});

describe('a checkout', () => {
  test('names what is wrong in its handoff by the path in the body', () => {
    const body = { handoff_mode: { mode: 'PICKUP', kiosk_id: 'K7' }, expected_total: 2093 };

    expect(fieldsAtFault(checkoutRequestSchema(), body)).toEqual(['handoff_mode.kiosk_id']);
  });

  test('takes whole cents, 0 included, as the expected total, and no Money', () => {
    const check = (expected_total: unknown) => fieldsAtFault(checkoutRequestSchema(), { expected_total });

    expect(check(2093)).toEqual([]);
    expect(check(0)).toEqual([]);
    for (const wrong of [20.93, -1, '2093', samples.usd(2093), null]) expect(check(wrong)).toEqual(['expected_total']);
  });
});

describe('a payment', () => {
  const check = (payment: unknown) => problems(paymentRequestSchema(), payment);

  test('is right with a tender and whole cents, whatever the instrument', () => {
    for (const payment_method of [
      'CREDIT_CARD',
      'DEBIT_CARD',
      'CASH',
      'GIFT_CARD',
      'LOYALTY_POINTS',
      'DIGITAL_WALLET',
      'EBT',
    ]) {
      expect(check({ payment_method, amount: 1250 })).toEqual({});
    }
    expect(check({ payment_method: 'CREDIT_CARD', amount: 1250, payment_token: 'tok_1', tip: 100 })).toEqual({});
  });

  test('of an unknown tender, or in fractions of a cent, is refused', () => {
    expect(check({ payment_method: 'CHEQUE', amount: 1250 })).toEqual({
      payment_method: 'must be one of CREDIT_CARD, DEBIT_CARD, CASH, GIFT_CARD, LOYALTY_POINTS, DIGITAL_WALLET, EBT',
    });
    expect(check({ payment_method: 'CASH', amount: 12.5 })).toEqual({
      amount: 'must be a whole number of cents, 0 or more (1250 for 12.50): what this tender pays',
    });
    for (const amount of [12.5, -1, '1250', samples.usd(1250), undefined]) {
      expect(Object.keys(check({ payment_method: 'CASH', amount }))).toEqual(['amount']);
    }
  });

  test('never shows its instrument in a message', () => {
    const found = check({
      payment_method: 'GIFT_CARD',
      amount: 1,
      gift_card_number: 6006491286999929,
      gift_card_pin: 1234,
    });

    expect(found).toEqual({
      gift_card_number: 'must be text: the number of the gift card',
      gift_card_pin: 'must be text: the PIN of the gift card',
    });
  });
});

test('a refund takes whole cents and lines with units', () => {
  const check = (refund: unknown) => fieldsAtFault(refundRequestSchema(), refund);

  expect(check({ amount: 500 })).toEqual([]);
  expect(
    check({ amount: 500, reason: 'spilt', line_items: [{ order_item_id: 'line-1', quantity: 1, amount: 500 }] }),
  ).toEqual([]);
  expect(check({ amount: samples.usd(500) })).toEqual(['amount']);
  expect(check({ amount: -500 })).toEqual(['amount']);
  expect(check({ amount: 500, line_items: [{ order_item_id: '', quantity: 0 }] })).toEqual([
    'line_items.0.order_item_id',
    'line_items.0.quantity',
  ]);
});

test('a cancel takes a reason in words, null or nothing', () => {
  expect(fieldsAtFault(cancelRequestSchema(), {})).toEqual([]);
  expect(fieldsAtFault(cancelRequestSchema(), { reason: null })).toEqual([]);
  expect(fieldsAtFault(cancelRequestSchema(), { reason: 'changed my mind' })).toEqual([]);
  expect(fieldsAtFault(cancelRequestSchema(), { reason: 7 })).toEqual(['reason']);
});

describe('a webhook subscription', () => {
  const check = (url: unknown, event_types: unknown) =>
    problems(webhookSubscriptionRequestSchema(), { url, event_types });

  test('has an https address', () => {
    const refused = { url: 'must be an https address, such as https://shop.example.com/webhooks' };

    expect(check('https://shop.example.com/hooks?a=1', ['order.created'])).toEqual({});
    for (const url of ['http://shop.example.com', 'shop.example.com', '/hooks', 'ftp://x', 'https://', 7]) {
      expect(check(url, ['order.created'])).toEqual(refused);
    }
  });

  test('has at least one of the six event types', () => {
    expect(Object.keys(check('https://a.example', []))).toEqual(['event_types']);
    expect(check('https://a.example', ['menu.changed', 'order.paid'])).toEqual({
      'event_types.1':
        'must be one of order.created, order.status_changed, order.cancelled, stock.updated, menu.changed, location.hours_changed',
    });
  });
});

test('a token request names the client id as a UUID, and shows no secret in a message', () => {
  const found = problems(tokenRequestSchema(), { grant_type: 'password', client_id: 'me', client_secret: 77_001 });

  expect(Object.keys(found)).toEqual(['grant_type', 'client_id', 'client_secret']);
  expect(JSON.stringify(found)).not.toContain('77001');
});
