import { describe, expect, test } from 'vitest';
import type { CheckoutResult } from '../../../../src/contract/index.js';
import { openSampleStore } from './sample-store.js';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const PICKUP = { handoff_mode: { mode: 'PICKUP' } };

describe('a checkout', () => {
  test('responds with 201 and the order id and the totals, PENDING', () => {
    const { call, cartWith } = openSampleStore();
    const cart = cartWith(['turkeySub'], { customer_id: 'CUST-0' });

    expect(call(`POST /carts/${cart.id}/checkout`, { ...PICKUP, expected_total: 821 })).toEqual({
      status: 201,
      body: {
        order_id: expect.any(String),
        cart_id: cart.id,
        status: 'PENDING',
        handoff_mode: 'PICKUP',
        subtotal: usd(749),
        total_tax: usd(62),
        total_discount: usd(0),
        total: usd(821),
        age_verification_required: false,
        age_verification_notice: null,
        created_at: '2026-03-10T17:00:00.000Z',
      },
    });
  });

  test('makes an order with everything due, and tells the webhooks', () => {
    const { call, cartWith, applyCode, state, events, locations, items } = openSampleStore();
    const cart = cartWith(['turkeySub', 'lagerSixPack'], { customer_id: 'CUST-12345' });
    applyCode(cart.id, 'TAKE3');

    const { order_id } = call(`POST /carts/${cart.id}/checkout`, PICKUP).body as CheckoutResult;

    // 6.49 + 10.99 - 3.00; tax on 5.38 (1.11 off) and 9.10 (1.89 off): 0.44 + 0.75; a bag.
    expect(state.orders.get(order_id)?.order).toEqual({
      id: order_id,
      cart_id: cart.id,
      location_id: locations.downtown,
      customer_id: 'CUST-12345',
      status: 'PENDING',
      payment_status: 'UNPAID',
      fulfillment_status: 'PENDING',
      handoff_mode: 'PICKUP',
      handoff: { mode: 'PICKUP' },
      items: [
        expect.objectContaining({
          id: cart.items[0]?.id,
          menu_item_id: items.turkeySub,
          discounts: [expect.objectContaining({ source: 'AUTOMATIC', amount: usd(100) })],
          item_subtotal: usd(649),
          item_tax: usd(44),
          item_total: usd(693),
        }),
        expect.objectContaining({
          menu_item_id: items.lagerSixPack,
          discounts: [],
          item_subtotal: usd(1099),
          item_tax: usd(75),
          item_total: usd(1174),
          age_verification_required: true,
          minimum_age: 21,
        }),
      ],
      discounts: [expect.objectContaining({ source: 'PROMO_CODE', value: '3.00', amount: usd(300) })],
      fees: [{ type: 'BAG', name: 'Bag', amount: usd(10) }],
      promo_codes: [{ code: 'TAKE3', status: 'REDEEMED', applied_at: '2026-03-10T17:00:00.000Z' }],
      payments: [],
      refunds: [],
      subtotal: usd(1748),
      total_tax: usd(119),
      total_fees: usd(10),
      total_discount: usd(300),
      total: usd(1577),
      balance_due: usd(1577),
      amount_paid: usd(0),
      amount_refunded: usd(0),
      age_verification_required: true,
      age_verification_notice:
        'This order contains age-restricted items. The customer shows a photo ID at pickup and must be at least 21 years old.',
      cancellation_reason: null,
      estimated_ready_at: '2026-03-10T17:15:00.000Z',
      created_at: '2026-03-10T17:00:00.000Z',
      updated_at: '2026-03-10T17:00:00.000Z',
    });
    expect(events).toEqual([
      {
        partnerId: 'us',
        type: 'order.created',
        data: {
          order_id,
          location_id: locations.downtown,
          status: 'PENDING',
          handoff_mode: 'PICKUP',
          total: usd(1577),
          created_at: '2026-03-10T17:00:00.000Z',
        },
      },
    ]);
  });

  test('locks the cart: it can be read, and no longer changed', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const { id } = cartWith(['turkeySub']);
    call(`POST /carts/${id}/checkout`, PICKUP);

    expect(call(`GET /carts/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'CHECKED_OUT', handoff_mode: { mode: 'PICKUP' }, total: usd(821) },
    });
    expect(call(`POST /carts/${id}/items`, cartItems.latte)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT_ERROR', message: 'Cart has already been checked out' },
    });
  });

  test('repeated with its key gets the first order, with another key 409 (Idempotency rule 6)', () => {
    const { call, cartWith, state, advance } = openSampleStore();
    const endpoint = `POST /carts/${cartWith(['turkeySub']).id}/checkout`;
    const first = call(endpoint, PICKUP, { key: 'one' });
    advance(48);

    expect(call(endpoint, PICKUP, { key: 'one' })).toEqual(first);
    expect(call(endpoint, PICKUP, { key: 'two' }).status).toBe(409);
    expect(state.orders.size).toBe(1);
  });

  test('takes the stored handoff; one in the body replaces it completely', () => {
    const { call, cartWith, put, state } = openSampleStore();
    const cart = cartWith(['turkeySub']);
    put(cart.id, { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' });

    const { body } = call(`POST /carts/${cart.id}/checkout`, { handoff_mode: { mode: 'KIOSK' } });

    expect(body).toMatchObject({ handoff_mode: 'KIOSK', total: usd(811) });
    expect(state.orders.get((body as CheckoutResult).order_id)?.order.handoff).toEqual({ mode: 'KIOSK' });
  });

  test('a KIOSK order waits at PENDING, and can be cancelled, until it is paid (gap ORD-10)', () => {
    const { call, cartWith, state, locations } = openSampleStore();
    const { id } = cartWith(['turkeySub'], { location_id: locations.harbor });

    const { body } = call(`POST /carts/${id}/checkout`, { handoff_mode: { mode: 'KIOSK' } });

    expect(state.orders.get((body as CheckoutResult).order_id)?.order.fulfillment_status).toBe('PENDING');
  });

  test('a pick-up time later than the preparation decides when the order is ready (gap ORD-11)', () => {
    const { call, cartWith, state } = openSampleStore();
    const readyFor = (pickup_time: string) => {
      const { id } = cartWith(['turkeySub']);
      const { body } = call(`POST /carts/${id}/checkout`, { handoff_mode: { mode: 'PICKUP', pickup_time } });
      return state.orders.get((body as CheckoutResult).order_id)?.order.estimated_ready_at;
    };

    expect(readyFor('2026-03-10T19:00:00Z')).toBe('2026-03-10T19:00:00.000Z');
    expect(readyFor('2026-03-10T17:05:00Z')).toBe('2026-03-10T17:15:00.000Z');
  });
});

test('an order that costs nothing is covered from the start', () => {
  const { call, cartWith, applyCode, state } = openSampleStore();
  const { id } = cartWith(['banana']);
  applyCode(id, 'TAKE3');

  const { body } = call(`POST /carts/${id}/checkout`, { handoff_mode: { mode: 'KIOSK' }, expected_total: 0 });

  expect((body as CheckoutResult).status).toBe('PENDING');
  expect(state.orders.get((body as CheckoutResult).order_id)?.order).toMatchObject({
    status: 'CONFIRMED',
    payment_status: 'PAID',
    total: usd(0),
    balance_due: usd(0),
  });
});

describe('what must hold before (cart rule 6)', () => {
  test('an empty cart is 422', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith([]).id}/checkout`, PICKUP)).toMatchObject({
      status: 422,
      body: { message: 'Cart is empty' },
    });
  });

  test('no handoff mode on the cart or in the body is 422', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith(['latte']).id}/checkout`)).toMatchObject({
      status: 422,
      body: { message: 'Missing handoff mode', field: 'handoff_mode' },
    });
  });

  test('a handoff with a missing field names it below handoff_mode', () => {
    const { call, cartWith } = openSampleStore();

    expect(
      call(`POST /carts/${cartWith(['latte']).id}/checkout`, { handoff_mode: { mode: 'CURBSIDE' } }),
    ).toMatchObject({
      status: 422,
      body: { field: 'handoff_mode.vehicle_make' },
    });
  });

  test.each(['2093', 20.93, -1])('an expected_total of %j is 400', (expected_total) => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith(['latte']).id}/checkout`, { ...PICKUP, expected_total })).toMatchObject({
      status: 400,
      body: { field: 'expected_total' },
    });
  });

  test('an item that went out of stock is 422, and nothing was ordered', () => {
    const { call, cartWith, location, items, state } = openSampleStore();
    const cart = cartWith(['latte', 'turkeySub']);
    location('downtown').stock.set(items.turkeySub, { status: 'OUT_OF_STOCK', updatedAt: '' });

    expect(call(`POST /carts/${cart.id}/checkout`, PICKUP)).toMatchObject({
      status: 422,
      body: { message: 'Item is not available', field: 'items[1].menu_item_id' },
    });
    expect(state.orders.size).toBe(0);
    expect(call(`GET /carts/${cart.id}`).body).toEqual(cart);
  });

  test('an item whose hours are over, or that left the menu, is not available either', () => {
    const { call, cartWith, location, cartItems, advance } = openSampleStore();
    advance(18);
    const breakfast = cartWith(['breakfastBurrito']);
    const latte = cartWith(['latte']);
    advance(6);
    for (const category of location('downtown').menu.categories) {
      category.items = category.items.filter((item) => item.id !== cartItems.latte.menu_item_id);
    }

    for (const { id } of [breakfast, latte]) {
      expect(call(`POST /carts/${id}/checkout`, PICKUP)).toMatchObject({
        status: 422,
        body: { message: 'Item is not available' },
      });
    }
  });

  test('modifiers are held to the current menu', () => {
    const { call, cartWith, menuItem } = openSampleStore();
    const cart = cartWith(['turkeySub']);
    const [size] = menuItem('turkeySub').modifier_groups ?? [];
    size!.modifiers.shift();

    expect(call(`POST /carts/${cart.id}/checkout`, PICKUP)).toMatchObject({
      status: 422,
      body: { message: 'Modifier validation failed', field: 'items[0].modifier_selections[0]' },
    });
  });
});

describe('expected_total', () => {
  const mismatch = (changeReasons: string[]) => ({
    status: 409,
    body: { code: 'CONFLICT_ERROR', message: 'Expected total mismatch', field: 'expected_total', changeReasons },
  });

  test('ITEM_PRICE_CHANGED: the menu has another price', () => {
    const { call, cartWith, calculate, menuItem } = openSampleStore();
    const { id } = cartWith(['latte']);
    call(`PUT /carts/${id}/handoff`, { mode: 'PICKUP' });
    const expected_total = calculate(id).total.amount;
    menuItem('latte').base_price = usd(425);

    expect(call(`POST /carts/${id}/checkout`, { expected_total })).toMatchObject(mismatch(['ITEM_PRICE_CHANGED']));
    expect(call(`POST /carts/${id}/checkout`, { expected_total: calculate(id).total.amount }).status).toBe(201);
  });

  test('without it, the current price is accepted', () => {
    const { call, cartWith, menuItem } = openSampleStore();
    const { id } = cartWith(['latte']);
    menuItem('latte').base_price = usd(425);

    expect(call(`POST /carts/${id}/checkout`, PICKUP)).toMatchObject({ status: 201, body: { subtotal: usd(425) } });
  });

  test('PROMO_EXPIRED: the code ran out after it was applied', () => {
    const { call, cartWith, applyCode, put, advance } = openSampleStore();
    const { id } = cartWith(['latte']);
    put(id, { mode: 'PICKUP' });
    const expected_total = applyCode(id, 'TODAY15').total.amount;
    advance(25);

    expect(call(`POST /carts/${id}/checkout`, { expected_total })).toMatchObject(mismatch(['PROMO_EXPIRED']));
  });

  test('DISCOUNT_CHANGED: the customer was changed since the calculation', () => {
    const { call, cartWith, put, calculate } = openSampleStore();
    const { id } = cartWith(['latte'], { customer_id: 'CUST-12345' });
    put(id, { mode: 'PICKUP' });
    const expected_total = calculate(id).total.amount;
    call(`PATCH /carts/${id}`, { customer_id: null });

    expect(call(`POST /carts/${id}/checkout`, { expected_total })).toMatchObject(mismatch(['DISCOUNT_CHANGED']));
  });

  test('FEE_CHANGED: another mode in the body has other fees', () => {
    const { call, cartWith, put } = openSampleStore();
    const { id } = cartWith(['latte']);
    const expected_total = put(id, { mode: 'PICKUP' }).total.amount;

    expect(call(`POST /carts/${id}/checkout`, { expected_total, handoff_mode: { mode: 'KIOSK' } })).toMatchObject(
      mismatch(['FEE_CHANGED']),
    );
  });

  test('ITEM_UNAVAILABLE: the expected total holds an item that cannot be bought (gap CART-12)', () => {
    const { call, cartWith, put, location, items } = openSampleStore();
    const { id } = cartWith(['latte', 'turkeySub']);
    const expected_total = put(id, { mode: 'PICKUP' }).total.amount;
    location('downtown').stock.set(items.turkeySub, { status: 'OUT_OF_STOCK', updatedAt: '' });

    expect(call(`POST /carts/${id}/checkout`, { expected_total })).toMatchObject(mismatch(['ITEM_UNAVAILABLE']));
  });

  test('a number that nobody ever saw is compared with the last calculation', () => {
    const { call, cartWith, put, calculate, menuItem } = openSampleStore();
    const { id } = cartWith(['latte']);
    put(id, { mode: 'PICKUP' });
    menuItem('latte').base_price = usd(425);
    calculate(id);
    menuItem('latte').base_price = usd(399);

    expect(call(`POST /carts/${id}/checkout`, { expected_total: 1 })).toMatchObject(mismatch(['ITEM_PRICE_CHANGED']));
  });

  test('a wrong number where nothing changed is a mismatch without reasons', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith(['latte']).id}/checkout`, { ...PICKUP, expected_total: 1 })).toMatchObject({
      status: 409,
      body: { message: 'Expected total mismatch' },
    });
  });
});
