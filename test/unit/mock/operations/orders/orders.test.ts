import { describe, expect, test } from 'vitest';
import { ADDRESS, type Json, openService } from '../../open-service.js';

const statuses = ({ status, payment_status, fulfillment_status }: Json) => [status, payment_status, fulfillment_status];
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('Payments', () => {
  test('two tenders: the order is CONFIRMED with the first, and PAID with the last', async () => {
    const { service, pay, placeOrder, read } = await openService();
    const order = await placeOrder();
    const total = order.total.amount;

    await pay(order, 500, { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500' });
    const half = await read(order);
    await pay(order, total - 500);
    const whole = await read(order);

    expect(statuses(half)).toEqual(['CONFIRMED', 'PARTIALLY_PAID', 'PENDING']);
    expect([half.amount_paid, half.balance_due]).toEqual([usd(500), usd(total - 500)]);
    expect(statuses(whole)).toEqual(['CONFIRMED', 'PAID', 'PENDING']);
    expect([whole.amount_paid, whole.balance_due]).toEqual([usd(total), usd(0)]);
    expect(service.ledger(order.id)).toMatchObject({ charged: total, refunded: 0, net: total });
  });

  test('one that takes time passes PENDING, AUTHORIZED and CAPTURED, and reserves its amount', async () => {
    const { service, pay, placeOrder, read } = await openService();
    service.payments.settleAfter('9s');
    const order = await placeOrder();

    const seen: unknown[] = [(await pay(order)).body.status];
    expect((await read(order)).balance_due).toEqual(usd(0));
    for (let third = 0; third < 3; third += 1) {
      await service.clock.advance('3s');
      const now = await read(order);
      seen.push([now.payments[0].status, now.payment_status, service.ledger(order.id).charged]);
    }

    const total = order.total.amount;
    expect(seen).toEqual([
      'PENDING',
      ['AUTHORIZED', 'PROCESSING', 0],
      ['CAPTURED', 'PROCESSING', total],
      ['COMPLETED', 'PAID', total],
    ]);
  });

  test('one that fails later frees its amount, and costs nothing', async () => {
    const { service, pay, placeOrder, read } = await openService();
    const order = await placeOrder();

    await pay(order, order.total.amount, { payment_token: 'tok_fails_later' });
    await service.clock.advance('5s');
    const after = await read(order);

    expect(statuses(after)).toEqual(['PENDING', 'UNPAID', 'PENDING']);
    expect(after.payments).toMatchObject([{ status: 'FAILED', failure_reason: 'card_declined' }]);
    expect(after.balance_due).toEqual(order.total);
    expect(service.ledger(order.id).entries).toEqual([]);
  });

  test.each([
    ['tok_declined', 'card_declined'],
    ['tok_insufficient_funds', 'insufficient_funds'],
    ['tok_expired_card', 'expired_card'],
  ])('the token %s is declined with 422, and leaves a FAILED record', async (payment_token, failure_reason) => {
    const { service, pay, placeOrder, read } = await openService();
    const order = await placeOrder();

    const answer = await pay(order, 100, { payment_token });

    expect(answer).toMatchObject({ status: 422, body: { error: { message: 'Payment declined' } } });
    expect((await read(order)).payments).toMatchObject([{ status: 'FAILED', failure_reason }]);
    expect(service.ledger(order.id).entries).toEqual([]);
  });

  test('declineNext declines the next payment of its method, and no other', async () => {
    const { service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    service.payments.declineNext('GIFT_CARD', { reason: 'card_blocked' });

    const card = await pay(order, 100);
    const gift = await pay(order, 100, { payment_method: 'GIFT_CARD' });
    const again = await pay(order, 100, { payment_method: 'GIFT_CARD' });

    expect([card.status, gift.status, again.status]).toEqual([201, 422, 201]);
    expect(gift.body.error.detail).toContain('card_blocked');
  });

  test('a gift card pays what is on it, and gets back what is refunded', async () => {
    const { pay, placeOrder, call } = await openService();
    const [one, two] = [await placeOrder(), await placeOrder()];
    const gift = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500' };

    const seen = [
      await pay(one, 501, gift),
      await pay(one, 400, gift),
      await pay(two, 101, gift),
      await pay(two, 100, gift),
    ];
    await call(`POST /orders/${one.id}/refunds`, { body: { amount: 400 } });
    const afterRefund = await pay(two, 400, gift);

    expect(seen.map(({ status }) => status)).toEqual([422, 201, 422, 201]);
    expect(afterRefund.status).toBe(201);
  });

  test('more than is due is refused on the amount', async () => {
    const { pay, placeOrder } = await openService();
    const order = await placeOrder();

    const above = await pay(order, order.total.amount + 1);
    await pay(order);
    const paid = await pay(order, 1);

    for (const answer of [above, paid])
      expect(answer).toMatchObject({ status: 422, body: { error: { field: 'amount' } } });
  });

  test('Money is understood as well as cents', async () => {
    const { pay, placeOrder } = await openService();
    const order = await placeOrder();

    expect((await pay(order, 0, { amount: usd(120) })).body.amount).toEqual(usd(120));
  });

  test.each([
    [{}, 'payment_method'],
    [{ payment_method: 'CREDIT_CARD' }, 'amount'],
    [{ payment_method: 'BITCOIN', amount: 1 }, 'payment_method'],
    [{ payment_method: 'CASH', amount: 1.5 }, 'amount'],
    [{ payment_method: 'CASH', amount: '1' }, 'amount'],
    [{ payment_method: 'CASH', amount: -1 }, 'amount'],
    [{ payment_method: 'CASH', amount: { amount: 1 } }, 'amount.currency'],
  ])('the body %j is refused with 400 on %s', async (body, field) => {
    const { call, placeOrder } = await openService();
    const order = await placeOrder();

    expect(await call(`POST /orders/${order.id}/payments`, { body })).toMatchObject({
      status: 400,
      body: { error: { field } },
    });
  });

  test('cash is refused for a delivery, and taken at the counter', async () => {
    const { pay, placeOrder } = await openService();
    const cash = { payment_method: 'CASH' };

    const delivery = await pay(await placeOrder({ mode: 'DELIVERY', delivery_address: ADDRESS }), 100, cash);
    const pickup = await pay(await placeOrder(), 100, cash);

    expect([delivery.status, delivery.body.error.field, pickup.status]).toEqual([422, 'payment_method', 201]);
  });

  test.each([
    [false, 201],
    [true, 422],
  ])(
    'a tender that an item does not allow: with enforceTenders %s the answer is %d',
    async (enforceTenders, status) => {
      const { call, service, pay, read } = await openService({ enforceTenders });
      const { downtown } = service.samples.locations;
      service.menu.update(downtown, (menu) => {
        const item = menu.categories
          .flatMap(({ items }) => items)
          .find(({ id }) => id === service.samples.items.houseCoffee);
        Object.assign(item!, { tender_restriction_level: 'RESTRICTED', allowed_tenders: ['CASH', 'EBT'] });
      });
      const cart = (await call('POST /carts', { body: { location_id: downtown } })).body;
      await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.houseCoffee });
      const { order_id } = (
        await call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: { mode: 'PICKUP' } } })
      ).body;
      const order = await read({ id: order_id });

      expect((await pay(order)).status).toBe(status);
      if (enforceTenders) expect((await pay(order, 1, { payment_method: 'CASH' })).status).toBe(201);
    },
  );

  test('a cancelled order takes none: 409', async () => {
    const { call, pay, placeOrder } = await openService();
    const order = await placeOrder();
    await call(`POST /orders/${order.id}/cancel`);

    expect(await pay(order, 1)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT_ERROR' } } });
  });
});

describe('Refunds', () => {
  test('go to loyalty points first, then gift cards, wallets and cards, and cash last', async () => {
    const { call, pay, placeOrder } = await openService();
    const order = await placeOrder();
    for (const payment_method of ['CASH', 'CREDIT_CARD', 'DIGITAL_WALLET', 'GIFT_CARD', 'LOYALTY_POINTS']) {
      await pay(order, 100, { payment_method });
    }

    const refund = await call(`POST /orders/${order.id}/refunds`, {
      body: { amount: 450, reason: 'CUSTOMER_REQUEST' },
    });

    expect(refund.status).toBe(201);
    const shares = refund.body.distributions.map((share: Json) => [share.payment_method, share.amount.amount]);
    expect(shares).toEqual([
      ['LOYALTY_POINTS', 100],
      ['GIFT_CARD', 100],
      ['DIGITAL_WALLET', 100],
      ['CREDIT_CARD', 100],
      ['CASH', 50],
    ]);
  });

  test('may be several, until everything is refunded', async () => {
    const { call, pay, placeOrder, read, service } = await openService();
    const order = await placeOrder();
    await pay(order, 500);
    const refund = (amount: number) => call(`POST /orders/${order.id}/refunds`, { body: { amount } });

    const seen = [await refund(300), await refund(201), await refund(200), await refund(1)];

    expect(seen.map(({ status }) => status)).toEqual([201, 422, 201, 422]);
    expect(seen[1]?.body.error).toMatchObject({ message: 'Refund exceeds refundable balance', field: 'amount' });
    const after = await read(order);
    expect([after.amount_paid, after.amount_refunded, after.refunds.length]).toEqual([usd(500), usd(500), 2]);
    expect(service.ledger(order.id).net).toBe(0);
  });

  test.each([
    [{}, 'amount'],
    [{ amount: usd(1) }, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 1, line_items: [{ quantity: 1 }] }, 'line_items[0].order_item_id'],
    [{ amount: 1, line_items: [{ order_item_id: 'a', quantity: 0 }] }, 'line_items[0].quantity'],
    [{ amount: 1, reason: 7 }, 'reason'],
  ])('the body %j is refused with 400 on %s', async (body, field) => {
    const { call, pay, placeOrder } = await openService();
    const order = await placeOrder();
    await pay(order);

    expect(await call(`POST /orders/${order.id}/refunds`, { body })).toMatchObject({
      status: 400,
      body: { error: { field } },
    });
  });
});

describe('A cancel', () => {
  test('refunds what was paid, voids what is under way, and moves no cent twice', async () => {
    const { call, service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    await pay(order, 300, { payment_method: 'GIFT_CARD' });
    await call(`POST /orders/${order.id}/refunds`, { body: { amount: 100 } });
    await pay(order, 200, { payment_token: 'tok_slow' });

    const cancelled = await call(`POST /orders/${order.id}/cancel`, { body: { reason: 'changed my mind' } });
    await service.clock.advance('1m');

    expect(statuses(cancelled.body)).toEqual(['CANCELLED', 'PARTIALLY_PAID', 'CANCELLED']);
    expect(cancelled.body.cancellation_reason).toBe('changed my mind');
    expect(cancelled.body.payments.map((payment: Json) => payment.status)).toEqual(['REFUNDED', 'VOIDED']);
    const ledger = service.ledger(order.id);
    expect(ledger.entries.map(({ kind, method, cents }) => [kind, method, cents])).toEqual([
      ['charge', 'GIFT_CARD', 300],
      ['refund', 'GIFT_CARD', 100],
      ['refund', 'GIFT_CARD', 200],
      ['void', 'CREDIT_CARD', 200],
    ]);
    expect(ledger.net).toBe(0);
  });

  test('refunds loyalty points first, then gift cards, then cards, in whichever order they were paid', async () => {
    const { call, service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    const methods = ['LOYALTY_POINTS', 'CREDIT_CARD', 'GIFT_CARD'];
    for (const payment_method of methods) await pay(order, 100, { payment_method });

    await call(`POST /orders/${order.id}/cancel`);

    const refunded = service.ledger(order.id).entries.filter(({ kind }) => kind === 'refund');
    expect(refunded.map(({ method }) => method)).toEqual(['LOYALTY_POINTS', 'GIFT_CARD', 'CREDIT_CARD']);
  });

  test('is refused with 409 once preparation has begun', async () => {
    const { call, service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    await pay(order);
    service.orders.advance(order.id, 'PREPARING');

    expect(await call(`POST /orders/${order.id}/cancel`)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT_ERROR', message: 'Order cannot be cancelled' } },
    });
  });
});

describe('The store', () => {
  test('leads an order through every state in between, each with its event', async () => {
    const { service, pay, placeOrder } = await openService();
    const order = await placeOrder({ mode: 'DELIVERY', delivery_address: ADDRESS });
    await pay(order);

    const after = service.orders.advance(order.id, 'DELIVERED');

    expect(statuses(after)).toEqual(['COMPLETED', 'PAID', 'DELIVERED']);
    const changes = service.webhooks
      .events()
      .flatMap((event) => (event.event_type === 'order.status_changed' ? [event.data.current_fulfillment_status] : []));
    expect(changes).toEqual(['PENDING', 'IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP', 'DELIVERED']);
  });

  test('refuses a state that the mode does not have, and says what may follow', async () => {
    const { service, placeOrder } = await openService();
    const order = await placeOrder();

    expect(() => service.orders.advance(order.id, 'DELIVERED')).toThrow('IN_PROGRESS');
    expect(() => service.orders.advance('no-such-order', 'PREPARING')).toThrow('no order');
  });

  test.each([
    ['harbor', 'PREPARING'],
    ['downtown', 'PENDING'],
  ] as const)('at %s: a kiosk order is at %s once it is paid', async (store, fulfillment) => {
    const { service, pay, placeOrder, read } = await openService();
    const order = await placeOrder({ mode: 'KIOSK' }, service.samples.locations[store]);
    await pay(order);

    expect([order.fulfillment_status, (await read(order)).fulfillment_status]).toEqual(['PENDING', fulfillment]);
  });

  test('works by itself with autoAdvance, up to the handoff', async () => {
    const { service, pay, placeOrder, read } = await openService({ autoAdvance: '30s' });
    const order = await placeOrder();
    await service.clock.advance('5m');
    await pay(order);

    await service.clock.advance('60s');
    const early = await read(order);
    await service.clock.advance('1h');

    expect(early.fulfillment_status).toBe('PREPARING');
    expect(statuses(await read(order))).toEqual(['COMPLETED', 'PAID', 'FULFILLED']);
  });

  test.each(['FAILED', 'VOIDED'] as const)(
    'ends an unpaid order as %s, which then takes no payment',
    async (status) => {
      const { service, pay, placeOrder } = await openService();
      const order = await placeOrder();

      expect(service.orders.advance(order.id, status).status).toBe(status);
      expect((await pay(order)).status).toBe(409);
    },
  );

  test('that has failed before its preparation began is cancelled by the partner', async () => {
    const { service, call, placeOrder } = await openService();
    const order = await placeOrder();
    service.orders.advance(order.id, 'FAILED');

    const { status, body } = await call(`POST /orders/${order.id}/cancel`, { body: { reason: 'CUSTOMER_REQUEST' } });

    expect([status, body.status, body.fulfillment_status]).toEqual([200, 'CANCELLED', 'CANCELLED']);
  });
});

describe('The list of orders', () => {
  test('is newest first, and a page stays what it is while new orders come in', async () => {
    const { call, placeOrder } = await openService();
    const placed = [];
    for (let index = 0; index < 5; index += 1) placed.push((await placeOrder()).id);

    const first = (await call('GET /orders?limit=2')).body;
    await placeOrder();
    const second = (await call(`GET /orders?limit=2&cursor=${first.pagination.next_cursor}`)).body;
    const third = (await call(`GET /orders?limit=2&cursor=${second.pagination.next_cursor}`)).body;

    const ids = [first, second, third].map(({ data }) => data.map((order: Json) => order.id));
    expect(ids).toEqual([[placed[4], placed[3]], [placed[2], placed[1]], [placed[0]]]);
    expect(third.pagination).toEqual({ has_more: false, next_cursor: null });
    expect(first.data[0]).not.toHaveProperty('payments');
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'cursor=nonsense',
    'status=DONE',
    'fulfillment_status=DONE',
    'location_id=7',
    'date_from=yesterday',
    'date_to=2026-13-01',
  ])('refuses %s with 400 on that parameter', async (query) => {
    const { call } = await openService();

    expect(await call(`GET /orders?${query}`)).toMatchObject({
      status: 400,
      body: { error: { message: 'Invalid parameter format', field: query.split('=')[0] } },
    });
  });

  test('refuses the cursor of another list', async () => {
    const { call } = await openService();
    const { next_cursor } = (await call('GET /locations?limit=1')).body.pagination;

    expect((await call(`GET /orders?cursor=${next_cursor}`)).status).toBe(400);
  });
});
