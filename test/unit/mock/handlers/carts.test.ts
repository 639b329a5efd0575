import { describe, expect, test } from 'vitest';
import { openSampleStore } from './sample-store.js';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const UNKNOWN = '00000000-0000-4000-8000-ffffffffffff';

describe('POST /carts', () => {
  test('a new cart is ACTIVE and empty, without a handoff, with zero totals', () => {
    const { call, locations } = openSampleStore();

    expect(call('POST /carts', { location_id: locations.downtown })).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        location_id: locations.downtown,
        customer_id: null,
        status: 'ACTIVE',
        items: [],
        handoff_mode: null,
        age_verification_required: false,
        promo_codes: [],
        subtotal: usd(0),
        total_tax: usd(0),
        total_discount: usd(0),
        fees: [],
        total_fees: usd(0),
        total: usd(0),
        created_at: '2026-03-10T17:00:00.000Z',
        updated_at: '2026-03-10T17:00:00.000Z',
      },
    });
  });

  test('a location without online ordering is refused with 422 on location_id (gap LOC-5)', () => {
    const { call, locations } = openSampleStore();

    expect(call('POST /carts', { location_id: locations.closed })).toMatchObject({
      status: 422,
      body: { message: 'Location is not available for online ordering', field: 'location_id' },
    });
  });

  test('an unknown location is 404, one out of scope 403', () => {
    const { call, locations } = openSampleStore();

    expect(call('POST /carts', { location_id: UNKNOWN })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND_ERROR', message: 'Location not found' },
    });
    expect(call('POST /carts', { location_id: locations.downtown }, { partnerId: 'newcomer' })).toMatchObject({
      status: 403,
      body: { code: 'AUTHENTICATION_ERROR', message: 'Location not in partner scope' },
    });
  });

  test('location_id is required, and a UUID', () => {
    const { call } = openSampleStore();

    expect(call('POST /carts', {})).toMatchObject({
      status: 400,
      body: { message: 'Missing required field: location_id' },
    });
    expect(call('POST /carts', { location_id: 'downtown' })).toMatchObject({
      status: 400,
      body: { field: 'location_id' },
    });
  });
});

describe('items of a cart', () => {
  test('adding one responds with 201 and the whole cart and its totals', () => {
    const { call, cartWith, put, cartItems, items } = openSampleStore();
    const { id } = cartWith([]);
    put(id, { mode: 'PICKUP' });

    const answer = call(`POST /carts/${id}/items`, { ...cartItems.turkeySubCombo, quantity: 2 });

    // 7.49 + 4.00 (12 inch) + 0.50 (bread) + 0.25 (pepper jack) + 2.50 (combo) + 0.50 (cookie) = 15.24 each.
    expect(answer).toMatchObject({
      status: 201,
      body: {
        items: [
          {
            menu_item_id: items.turkeySub,
            name: 'Turkey sub',
            quantity: 2,
            base_price: usd(749),
            modifier_total: usd(775),
            item_total: usd(3048),
            special_instructions: null,
            modifier_selections: cartItems.turkeySubCombo.modifier_selections,
            age_verification_required: false,
            minimum_age: null,
          },
        ],
        subtotal: usd(3048),
        total_tax: usd(251),
        fees: [{ type: 'BAG', amount: usd(10) }],
        total_fees: usd(10),
        total_discount: usd(0),
        total: usd(3309),
      },
    });
  });

  test('replacing one keeps its id and its place, and drops everything else of it', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const cart = cartWith(['latte', 'turkeySub']);

    const answer = call(`PUT /carts/${cart.id}/items/${cart.items[0]!.id}`, { ...cartItems.houseCoffee, quantity: 3 });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        items: [
          { id: cart.items[0]!.id, name: 'House coffee', quantity: 3, item_total: usd(567) },
          { name: 'Turkey sub' },
        ],
        subtotal: usd(567 + 749),
      },
    });
  });

  test('removing one responds with 200 and the cart without it', () => {
    const { call, cartWith } = openSampleStore();
    const cart = cartWith(['latte', 'turkeySub']);

    expect(call(`DELETE /carts/${cart.id}/items/${cart.items[1]!.id}`)).toMatchObject({
      status: 200,
      body: { items: [{ name: 'Latte' }], subtotal: usd(399) },
    });
  });

  test('an item that is not in the cart is 404, and so is one that is not on the menu', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const { id } = cartWith(['latte']);

    expect(call(`DELETE /carts/${id}/items/${UNKNOWN}`).status).toBe(404);
    expect(call(`POST /carts/${id}/items`, { ...cartItems.latte, menu_item_id: UNKNOWN })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND_ERROR', message: 'Menu item not found' },
    });
  });

  test.each(['iceCreamPint', 'motorOil', 'seasonalPie', 'breakfastBurrito'] as const)(
    '%s cannot be bought at noon: Item is not available',
    (item) => {
      const { call, cartWith, cartItems } = openSampleStore();

      expect(call(`POST /carts/${cartWith([]).id}/items`, cartItems[item])).toMatchObject({
        status: 422,
        body: { message: 'Item is not available', field: 'menu_item_id' },
      });
    },
  );

  test('breakfast is sold in Tacoma while it is noon in Austin, and in Austin the next morning', () => {
    const { call, cartWith, cartItems, locations, advance } = openSampleStore();
    const austin = cartWith([]);
    const tacoma = cartWith([], { location_id: locations.harbor });

    expect(call(`POST /carts/${tacoma.id}/items`, cartItems.breakfastBurrito).status).toBe(201);
    expect(call(`POST /carts/${austin.id}/items`, cartItems.breakfastBurrito).status).toBe(422);
    advance(18);
    expect(call(`POST /carts/${austin.id}/items`, cartItems.breakfastBurrito).status).toBe(201);
  });

  test('a quantity limit counts all lines of the cart, and a replaced line no longer', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const cart = cartWith(['propaneExchange', 'propaneExchange']);

    expect(call(`POST /carts/${cart.id}/items`, cartItems.propaneExchange)).toMatchObject({
      status: 422,
      body: { message: 'Quantity exceeds limit', field: 'quantity' },
    });
    const replace = (quantity: number) =>
      call(`PUT /carts/${cart.id}/items/${cart.items[0]!.id}`, { ...cartItems.propaneExchange, quantity }).status;
    expect([replace(2), replace(1)]).toEqual([422, 200]);
  });

  test('beer is never blocked; the cart asks for age verification until it is gone (cart rule 2)', () => {
    const { call, cartWith } = openSampleStore();
    const cart = cartWith(['lagerSixPack']);

    expect(cart).toMatchObject({ age_verification_required: true, items: [{ minimum_age: 21 }] });
    expect(call(`DELETE /carts/${cart.id}/items/${cart.items[0]!.id}`)).toMatchObject({
      body: { age_verification_required: false },
    });
  });

  test('a refused item leaves the cart as it was', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const cart = cartWith(['latte']);

    call(`POST /carts/${cart.id}/items`, cartItems.iceCreamPint);

    expect(call(`GET /carts/${cart.id}`).body).toEqual(cart);
  });
});

describe('PATCH /carts/{cart_id}', () => {
  test('a member gets the prices of members where prices are calculated, and null gets the others back (gap CART-3)', () => {
    const { call, cartWith, calculate } = openSampleStore();
    const { id } = cartWith(['turkeySub']);

    expect(call(`PATCH /carts/${id}`, { customer_id: 'CUST-12345' })).toMatchObject({
      status: 200,
      body: {
        customer_id: 'CUST-12345',
        subtotal: usd(749),
        total_discount: usd(0),
        items: [{ item_total: usd(749) }],
      },
    });
    expect(calculate(id)).toMatchObject({
      member_pricing_applied: true,
      line_items: [{ discounts: [{ source: 'AUTOMATIC', amount: usd(100) }], item_subtotal: usd(649) }],
    });
    expect(call(`PATCH /carts/${id}`, { customer_id: null })).toMatchObject({ body: { customer_id: null } });
    expect(calculate(id)).toMatchObject({ member_pricing_applied: false, subtotal: usd(749) });
  });

  test('a customer that nobody knows pays what everybody pays', () => {
    const { cartWith, calculate } = openSampleStore();

    expect(calculate(cartWith(['turkeySub'], { customer_id: 'CUST-0' }).id)).toMatchObject({
      member_pricing_applied: false,
      subtotal: usd(749),
    });
  });
});

describe('handoff', () => {
  test('the latest call wins, and brings its fees', () => {
    const { put, cartWith } = openSampleStore();
    const { id } = cartWith(['turkeySub']);

    put(id, { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' });

    expect(put(id, { mode: 'KIOSK' })).toMatchObject({ handoff_mode: { mode: 'KIOSK' }, fees: [], total: usd(811) });
  });

  test('delivery below the minimum is lifted to it by SMALL_ORDER, and no further (cart rule 4)', () => {
    const { put, cartWith } = openSampleStore();
    const address = { street: '1 Elm St', city: 'Austin', state: 'TX', postal_code: '78701' };

    const cart = put(cartWith(['latte']).id, { mode: 'DELIVERY', delivery_address: address });

    expect(cart.fees.map((fee) => [fee.type, fee.amount.amount])).toEqual([
      ['DELIVERY', 399],
      ['SERVICE', 12],
      ['BAG', 10],
      ['SMALL_ORDER', 647],
    ]);
    expect(cart.total).toEqual(usd(1500));
  });

  test('a mode that the store does not serve is refused on mode (gap LOC-4)', () => {
    const { call, cartWith, locations } = openSampleStore();
    const { id } = cartWith([], { location_id: locations.harbor });
    const address = { street: '1 Elm St', city: 'Tacoma', state: 'WA', postal_code: '98402' };

    expect(call(`PUT /carts/${id}/handoff`, { mode: 'DELIVERY', delivery_address: address })).toMatchObject({
      status: 422,
      body: { field: 'mode' },
    });
  });
});

describe('calculate', () => {
  test('an empty cart is 422', () => {
    const { call, cartWith } = openSampleStore();

    expect(call(`POST /carts/${cartWith([]).id}/calculate`)).toMatchObject({
      status: 422,
      body: { message: 'Cart is empty' },
    });
  });

  test('it takes the prices of its moment, and leaves the cart alone (gap CART-3)', () => {
    const { call, cartWith, calculate, menuItem } = openSampleStore();
    const cart = cartWith(['latte']);
    menuItem('latte').base_price = usd(450);

    expect(calculate(cart.id)).toMatchObject({ subtotal: usd(450) });
    expect(call(`GET /carts/${cart.id}`).body).toEqual(cart);
  });

  test('the next modification takes them into the cart', () => {
    const { call, cartWith, menuItem } = openSampleStore();
    const { id } = cartWith(['latte']);
    menuItem('latte').base_price = usd(450);

    expect(call(`PATCH /carts/${id}`, { customer_id: null })).toMatchObject({
      body: { subtotal: usd(450), items: [{ base_price: usd(450), item_total: usd(450) }] },
    });
  });
});

describe('a menu that changed under a cart', () => {
  test('what was bought keeps the price it was bought at', () => {
    const { call, cartWith, menuItem, advance } = openSampleStore();
    const { id } = cartWith(['latte']);
    call(`POST /carts/${id}/checkout`, { handoff_mode: { mode: 'KIOSK' } });
    menuItem('latte').base_price = usd(450);
    advance(1);

    expect(call(`POST /carts/${id}/calculate`)).toMatchObject({
      status: 200,
      body: { subtotal: usd(399), calculated_at: '2026-03-10T18:00:00.000Z' },
    });
  });

  test('a modifier that left the menu keeps the price it had, the item takes its new one', () => {
    const { call, cartWith, menuItem, select, cartItems } = openSampleStore();
    const { id } = cartWith([]);
    const modifier_selections = [...cartItems.latte.modifier_selections, select('latte.syrups.vanilla')];
    call(`POST /carts/${id}/items`, { ...cartItems.latte, quantity: 2, modifier_selections });
    const latte = menuItem('latte');
    latte.base_price = usd(450);
    for (const group of latte.modifier_groups ?? []) {
      group.modifiers = group.modifiers.filter(({ name }) => name !== 'Vanilla');
    }

    expect(call(`PATCH /carts/${id}`, { customer_id: null })).toMatchObject({
      body: { items: [{ base_price: usd(450), modifier_total: usd(50), item_total: usd(1000) }], subtotal: usd(1000) },
    });
  });

  test('an item that left the menu keeps its price until checkout refuses it', () => {
    const { call, cartWith, location, items } = openSampleStore();
    const { id } = cartWith(['latte', 'turkeySub']);
    for (const category of location('downtown').menu.categories) {
      category.items = category.items.filter((item) => item.id !== items.latte);
    }

    expect(call(`PATCH /carts/${id}`, { customer_id: null })).toMatchObject({
      status: 200,
      body: { subtotal: usd(1148) },
    });
  });
});

describe('whose cart it is, and what has become of it', () => {
  test.each(['GET', 'DELETE', 'PATCH'])('%s of another partner is 403', (method) => {
    const { call, cartWith } = openSampleStore();
    const { id } = cartWith([]);

    expect(call(`${method} /carts/${id}`, { customer_id: null }, { partnerId: 'them' })).toMatchObject({
      status: 403,
      body: { code: 'AUTHENTICATION_ERROR', message: 'Resource belongs to another partner' },
    });
  });

  test('an unknown cart is 404', () => {
    expect(openSampleStore().call(`GET /carts/${UNKNOWN}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND_ERROR', message: 'Cart not found' },
    });
  });

  test('an abandoned cart refuses reading with 404, and modification and checkout with 409 (gap CART-2)', () => {
    const { call, cartWith, cartItems } = openSampleStore();
    const { id } = cartWith(['latte']);

    expect(call(`DELETE /carts/${id}`)).toEqual({ status: 204, body: {} });

    const reads = [`GET /carts/${id}`, `POST /carts/${id}/calculate`, `GET /carts/${id}/promo-codes`];
    expect(reads.map((read) => call(read).status)).toEqual([404, 404, 404]);
    const writes: [string, object?][] = [
      [`PATCH /carts/${id}`, { customer_id: null }],
      [`POST /carts/${id}/items`, cartItems.latte],
      [`PUT /carts/${id}/handoff`, { mode: 'PICKUP' }],
      [`POST /carts/${id}/promo-codes`, { code: 'TAKE3' }],
      [`POST /carts/${id}/checkout`, {}],
      [`DELETE /carts/${id}`],
    ];
    for (const [endpoint, body] of writes) {
      expect(call(endpoint, body)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT_ERROR', message: 'Cart has already been checked out' },
      });
    }
  });
});
