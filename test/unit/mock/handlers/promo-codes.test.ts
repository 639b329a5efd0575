import { describe, expect, test } from 'vitest';
import { openSampleStore } from './sample-store.js';

const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('applying a code', () => {
  test('it is stored in upper case with its preview, and takes its discount off the cart', () => {
    const { call, cartWith, calculate } = openSampleStore();
    const { id } = cartWith(['turkeySub']);

    expect(call(`POST /carts/${id}/promo-codes`, { code: 'summer25' })).toMatchObject({
      status: 200,
      body: {
        promo_codes: [
          {
            code: 'SUMMER25',
            status: 'ACTIVE',
            discount_preview: { estimated_discount: usd(187), description: '25% off your order (up to $10)' },
            applied_at: '2026-03-10T17:00:00.000Z',
          },
        ],
        subtotal: usd(749),
        total_discount: usd(187),
        total_tax: usd(46),
        total: usd(608),
      },
    });
    expect(calculate(id).discounts).toMatchObject([{ source: 'PROMO_CODE', type: 'PERCENTAGE', value: '25.00' }]);
  });

  test('a second code is 409, and so is the same once more (gap PROMO-5)', () => {
    const { call, cartWith, applyCode } = openSampleStore();
    const { id } = cartWith(['turkeySub']);
    applyCode(id, 'SUMMER25');

    for (const code of ['TAKE3', 'SUMMER25', 'NONSENSE']) {
      expect(call(`POST /carts/${id}/promo-codes`, { code })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT_ERROR', message: 'Promo code already applied' },
      });
    }
  });

  test.each([
    ['NONSENSE', 'Promo code not recognized'],
    ['WINTER10', 'Promo code expired'],
    ['ONCE10', 'Promo code already used'],
    ['BIG20', 'Promo code minimum not met'],
    ['COFFEE50', 'Promo code not applicable'],
  ])('%s: %s', (code, message) => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith(['turkeySub']).id}/promo-codes`, { code })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_REQUEST_ERROR', message, field: 'code' },
    });
  });

  test('without a code it is 400', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith([]).id}/promo-codes`, {})).toMatchObject({
      status: 400,
      body: { message: 'Missing required field: code' },
    });
  });

  test('a code that has expired since makes room for another (gap PROMO-7)', () => {
    const { call, cartWith, applyCode, advance } = openSampleStore();
    const { id } = cartWith(['turkeySub']);
    applyCode(id, 'TODAY15');
    advance(25);

    expect(call(`GET /carts/${id}/promo-codes`).body).toEqual({
      data: [{ code: 'TODAY15', status: 'EXPIRED', applied_at: '2026-03-10T17:00:00.000Z' }],
    });
    expect(applyCode(id, 'TAKE3').promo_codes).toMatchObject([{ code: 'TAKE3', status: 'ACTIVE' }]);
  });

  test('a code below its minimum stays, and takes off nothing until the cart is large enough again', () => {
    const { call, cartWith, applyCode } = openSampleStore();
    const cart = cartWith(['prepaidCard', 'turkeySub']);
    applyCode(cart.id, 'BIG20');

    expect(call(`DELETE /carts/${cart.id}/items/${cart.items[0]!.id}`)).toMatchObject({
      body: {
        total_discount: usd(0),
        promo_codes: [{ code: 'BIG20', discount_preview: { estimated_discount: usd(0) } }],
      },
    });
  });
});

test('removing a code matches it in any case, and gives the price back', () => {
  const { call, cartWith, applyCode } = openSampleStore();
  const { id } = cartWith(['turkeySub']);
  applyCode(id, 'TAKE3');

  expect(call(`DELETE /carts/${id}/promo-codes/take3`)).toMatchObject({
    status: 200,
    body: { promo_codes: [], total_discount: usd(0), total: usd(811) },
  });
  expect(call(`DELETE /carts/${id}/promo-codes/take3`)).toMatchObject({
    status: 404,
    body: { message: 'Promo code not found' },
  });
});

describe('validating a code applies nothing', () => {
  test('a valid one shows its preview', () => {
    const { call, cartWith } = openSampleStore();
    const cart = cartWith(['latte', 'turkeySub']);

    expect(call(`GET /carts/${cart.id}/promo-codes/validate?code=coffee50`)).toEqual({
      status: 200,
      body: {
        code: 'COFFEE50',
        valid: true,
        discount_preview: {
          estimated_discount: usd(200),
          description: '50% off selected items',
          applicable_items: [cart.items[0]!.id],
        },
        rejection_reason: null,
        rejection_message: null,
      },
    });
    expect(call(`GET /carts/${cart.id}`).body).toEqual(cart);
  });

  test.each([
    ['NONSENSE', 'INVALID_CODE'],
    ['WINTER10', 'EXPIRED'],
    ['ONCE10', 'ALREADY_USED'],
    ['BIG20', 'MINIMUM_NOT_MET'],
    ['COFFEE50', 'NOT_APPLICABLE'],
    ['TAKE3', 'ALREADY_APPLIED'],
  ])('%s is 200 with the reason %s', (code, reason) => {
    const { call, cartWith, applyCode, state } = openSampleStore();
    const { id } = cartWith(['turkeySub']);
    if (reason === 'ALREADY_APPLIED') applyCode(id, code);

    expect(call(`GET /carts/${id}/promo-codes/validate?code=${code}`, undefined, { partnerId: 'us' })).toEqual({
      status: 200,
      body: {
        code,
        valid: false,
        discount_preview: null,
        rejection_reason: reason,
        rejection_message: expect.stringMatching(/^This promo code|^A promo code/),
      },
    });
    expect(state.carts.get(id)?.cart.promo_codes).toHaveLength(reason === 'ALREADY_APPLIED' ? 1 : 0);
  });

  test('without a code it is 400', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`GET /carts/${cartWith([]).id}/promo-codes/validate`).status).toBe(400);
  });
});

test('a single-use code is used up by the first order of each partner', () => {
  const { call, cartWith, applyCode, locations, cartItems } = openSampleStore();
  const first = cartWith(['turkeySub']);
  const second = cartWith(['turkeySub']);
  applyCode(first.id, 'WELCOME5');
  applyCode(second.id, 'WELCOME5');

  expect(call(`POST /carts/${first.id}/checkout`, { handoff_mode: { mode: 'PICKUP' } }).status).toBe(201);

  expect(call(`GET /carts/${first.id}`)).toMatchObject({ body: { promo_codes: [{ status: 'REDEEMED' }] } });
  expect(call(`GET /carts/${second.id}`)).toMatchObject({ body: { promo_codes: [{ status: 'REDEEMED' }] } });
  expect(call(`POST /carts/${second.id}/calculate`)).toMatchObject({ body: { total_discount: usd(0) } });
  expect(call(`GET /carts/${cartWith(['turkeySub']).id}/promo-codes/validate?code=WELCOME5`)).toMatchObject({
    body: { rejection_reason: 'ALREADY_USED' },
  });

  const them = { partnerId: 'them' };
  const { body } = call('POST /carts', { location_id: locations.downtown }, them);
  const { id } = body as { id: string };
  call(`POST /carts/${id}/items`, cartItems.turkeySub, them);
  expect(call(`POST /carts/${id}/promo-codes`, { code: 'WELCOME5' }, them).status).toBe(200);
});
