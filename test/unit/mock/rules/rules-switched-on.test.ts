import { describe, expect, test } from 'vitest';
import { type Json, openService } from '../open-service.js';

const message = (answer: Json) => [answer.status, answer.body.error?.message];

describe('A feature that is off for a partner', () => {
  test('responds with 403 "Insufficient permissions", to that partner alone, until it is on again', async () => {
    const { service, call, placeOrder, pay, tokenOf } = await openService();
    const order = await placeOrder();
    const other = service.partners.add();
    service.partners.configure({ features: { payments: false, webhooks: false } });

    expect(message(await pay(order))).toEqual([403, 'Insufficient permissions']);
    expect(message(await call('GET /webhooks'))).toEqual([403, 'Insufficient permissions']);
    expect((await call(`GET /orders/${order.id}`)).status).toBe(200);
    expect((await call('GET /webhooks', { token: await tokenOf(other) })).status).toBe(200);

    service.partners.configure({ features: { payments: true } });
    expect((await pay(order)).status).toBe(201);
    expect((await call('GET /webhooks')).status).toBe(403);
    expect(() => service.partners.configure({ features: { payment: false } } as Json)).toThrow(
      '"features" has no feature "payment"; write one of payments',
    );
  });
});

describe('Tenders of restricted items, where they are enforced', () => {
  async function cartOfTwo(enforceTenders: Json) {
    const opened = await openService({ enforceTenders });
    const { service, call } = opened;
    const location_id = service.samples.locations.downtown;
    const { houseCoffee, lagerSixPack } = service.samples.items;
    const tenders: Record<string, string[]> = { [houseCoffee]: ['EBT'], [lagerSixPack]: ['CREDIT_CARD'] };
    service.menu.update(location_id, (menu) => {
      for (const item of menu.categories.flatMap(({ items }) => items)) {
        const allowed_tenders = tenders[item.id];
        if (allowed_tenders) {
          Object.assign(item, { tender_restriction_level: 'RESTRICTED', allowed_tenders, modifier_groups: [] });
        }
      }
    });
    const cart = (await call('POST /carts', { body: { location_id } })).body;
    const add = (menu_item_id: string) =>
      call(`POST /carts/${cart.id}/items`, { body: { menu_item_id, quantity: 1, modifier_selections: [] } });
    await add(houseCoffee);
    const second = await add(lagerSixPack);
    const checkout = await call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: { mode: 'PICKUP' } } });
    return { ...opened, second, checkout };
  }

  test('at the cart, the item that leaves no common tender is refused', async () => {
    const { second, checkout } = await cartOfTwo('cart');

    expect(message(second)).toEqual([422, 'Invalid tender for item']);
    expect(second.body.error.field).toBe('menu_item_id');
    expect(checkout.status).toBe(201);
  });

  test('at checkout, the items are refused together', async () => {
    const { second, checkout } = await cartOfTwo('checkout');

    expect(second.status).toBe(201);
    expect(message(checkout)).toEqual([422, 'Invalid tender for item']);
  });

  test.each([false, true, 'payment'])('not before the payment with %j', async (enforceTenders) => {
    const { second, checkout } = await cartOfTwo(enforceTenders);

    expect([second.status, checkout.status]).toEqual([201, 201]);
  });

  test('may be enforced for one partner', async () => {
    const { service, call } = await openService();
    service.partners.configure({ enforceTenders: 'payment' });
    const location_id = service.samples.locations.downtown;
    const cart = (await call('POST /carts', { body: { location_id } })).body;
    const body = { menu_item_id: service.samples.items.lotteryTicket, quantity: 1, modifier_selections: [] };
    await call(`POST /carts/${cart.id}/items`, { body });
    const { order_id } = (await call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: { mode: 'PICKUP' } } }))
      .body;

    const paid = await call(`POST /orders/${order_id}/payments`, { body: { payment_method: 'EBT', amount: 100 } });

    expect(message(paid)).toEqual([422, 'Payment method not allowed for restricted items in cart']);
  });
});

describe('A strict service', () => {
  test('refuses a second payment while one is under way', async () => {
    const { service, placeOrder, pay } = await openService({ strict: true });
    const order = await placeOrder();
    service.payments.settleAfter('9s');
    await pay(order, 100);

    expect(message(await pay(order, 100))).toEqual([409, 'Order has a payment in progress']);
    await service.clock.advance('9s');
    expect((await pay(order, 100)).status).toBe(201);
  });

  test('refuses it while the first is being executed, too', async () => {
    const { service, placeOrder, pay } = await openService({ strict: true, behaviour: { authorizationMs: 5000 } });
    const order = await placeOrder();

    const answers = await service.clock.runUntil(Promise.all([pay(order, 100), pay(order, 100)]));

    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect((await service.clock.runUntil(pay(order, 100))).status).toBe(201);
  });

  test('refuses tenders out of order, and takes them in order after a decline', async () => {
    const { placeOrder, pay } = await openService({ strict: true });
    const order = await placeOrder();
    const tender = (payment_method: string, more = {}) => pay(order, 100, { payment_method, ...more });

    expect((await tender('CREDIT_CARD', { payment_token: 'tok_declined' })).status).toBe(422);
    expect((await tender('LOYALTY_POINTS')).status).toBe(201);
    expect((await tender('GIFT_CARD')).status).toBe(201);
    expect((await tender('CREDIT_CARD')).status).toBe(201);
    const early = await tender('GIFT_CARD');
    expect([...message(early), early.body.error.field]).toEqual([422, 'Tender out of order', 'payment_method']);
    expect((await tender('DIGITAL_WALLET')).status).toBe(201);
  });

  test('asks for nested_selections, an empty list when there are none', async () => {
    const add = async (strict: boolean) => {
      const { service, call } = await openService({ strict });
      const cart = (await call('POST /carts', { body: { location_id: service.samples.locations.downtown } })).body;
      const { turkeySub } = service.samples.cartItems;
      const modifier_selections = turkeySub.modifier_selections.map(({ nested_selections, ...one }) => one);
      return call(`POST /carts/${cart.id}/items`, { body: { ...turkeySub, modifier_selections } });
    };

    expect((await add(false)).status).toBe(201);
    expect(await add(true)).toMatchObject({
      status: 400,
      body: { error: { field: 'modifier_selections[0].nested_selections' } },
    });
  });
});

describe('Texts of the interface document', () => {
  test('"Below minimum order amount" comes in place of the fee where the service refuses', async () => {
    const { service, call } = await openService({ behaviour: { belowMinimum: 'refuse' } });
    const location_id = service.samples.locations.downtown;
    const cart = (await call('POST /carts', { body: { location_id } })).body;
    const { houseCoffee } = service.samples.cartItems as Json;
    await call(`POST /carts/${cart.id}/items`, { body: houseCoffee ?? service.samples.cartItems.turkeySub });
    service.locations.update(location_id, { minimum_order_amounts: { PICKUP: { amount: 9000, currency: 'USD' } } });

    const checkout = () => call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: { mode: 'PICKUP' } } });

    expect(message(await checkout())).toEqual([422, 'Below minimum order amount']);
    service.behaviour.setKind();
    expect((await checkout()).status).toBe(201);
  });

  test('"Payment required" is said to a refund of an order on which nothing was paid', async () => {
    const { call, placeOrder, pay } = await openService({ behaviour: { refundOfUnpaid: 'payment_required' } });
    const order = await placeOrder();
    const refund = (amount: number) => call(`POST /orders/${order.id}/refunds`, { body: { amount } });

    expect(message(await refund(100))).toEqual([422, 'Payment required']);
    await pay(order, 100);
    expect(message(await refund(200))).toEqual([422, 'Refund exceeds refundable balance']);
    expect((await refund(100)).status).toBe(201);
  });
});

describe('Orders at the edge', () => {
  test.each(['FAILED', 'VOIDED'] as const)(
    'one that is %s can be cancelled while its fulfillment is PENDING',
    async (status) => {
      const { service, call, placeOrder } = await openService();
      const order = await placeOrder();
      service.orders.advance(order.id, status);

      const cancelled = await call(`POST /orders/${order.id}/cancel`);

      expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED', fulfillment_status: 'CANCELLED' } });
    },
  );

  test('one that costs nothing is paid and confirmed by itself, and completed by its handoff', async () => {
    const { service, call, read } = await openService();
    const location_id = service.samples.locations.downtown;
    const { houseCoffee } = service.samples.items;
    service.menu.update(location_id, (menu) => {
      for (const item of menu.categories.flatMap(({ items }) => items)) {
        if (item.id === houseCoffee)
          Object.assign(item, { base_price: { amount: 0, currency: 'USD' }, modifier_groups: [] });
      }
    });
    const cart = (await call('POST /carts', { body: { location_id } })).body;
    await call(`POST /carts/${cart.id}/items`, {
      body: { menu_item_id: houseCoffee, quantity: 1, modifier_selections: [] },
    });
    const handoff_mode = { mode: 'KIOSK' };
    const result = (await call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode } })).body;

    expect(result).toMatchObject({ status: 'PENDING', total: { amount: 0 } });
    const order = { id: result.order_id };
    expect(await read(order)).toMatchObject({
      status: 'CONFIRMED',
      payment_status: 'PAID',
      balance_due: { amount: 0 },
    });
    service.orders.advance(order.id, 'FULFILLED');
    expect(await read(order)).toMatchObject({ status: 'COMPLETED' });
    expect(service.webhooks.events()[1]).toMatchObject({ event_type: 'order.created' });
    expect(service.webhooks.events()[2]?.data).toMatchObject({
      previous_payment_status: 'UNPAID',
      current_payment_status: 'PAID',
    });
  });
});
