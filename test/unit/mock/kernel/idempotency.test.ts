import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

const KEY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

describe('An idempotency key', () => {
  test('gives the first response again, and executes nothing', async () => {
    const { service, pay, placeOrder, call } = await openService();
    const order = await placeOrder();
    const body = { payment_method: 'CREDIT_CARD', amount: 100 };

    const first = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });
    await pay(order, 50);
    const again = await call(`POST /orders/${order.id}/payments`, { key: KEY.toUpperCase(), body });

    expect(again.body).toEqual(first.body);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(service.ledger(order.id).charged).toBe(150);
    expect(service.requests().at(-1)?.replayed).toBe(true);
  });

  test('takes the same body in another spelling for the same body', async () => {
    const { call, service } = await openService();
    const url = 'https://a.example';

    const first = await call('POST /webhooks', {
      key: KEY,
      rawBody: `{"url":"${url}","event_types":["order.created"]}`,
    });
    const again = await call('POST /webhooks', {
      key: KEY,
      rawBody: `{ "event_types": ["order.created"], "url": "${url}" }`,
    });

    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(service.requests().filter(({ replayed }) => replayed)).toHaveLength(1);
  });

  test('with another body is a conflict', async () => {
    const { call, service } = await openService();
    const location_id = service.samples.locations.downtown;

    await call('POST /carts', { key: KEY, body: { location_id } });
    const second = await call('POST /carts', { key: KEY, body: { location_id, customer_id: 'CUST-1' } });

    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT_ERROR', message: 'Idempotency key conflict' } },
    });
  });

  test('with another operation and the same body is a conflict', async () => {
    const { call, placeOrder } = await openService();
    const [one, two] = [await placeOrder(), await placeOrder()];

    await call(`POST /orders/${one.id}/cancel`, { key: KEY });

    expect((await call(`POST /orders/${two.id}/cancel`, { key: KEY })).status).toBe(409);
  });

  test('of another partner is another key', async () => {
    const { call, service, tokenOf } = await openService();
    const body = { location_id: service.samples.locations.downtown };
    const token = await tokenOf(service.partners.add());

    const mine = await call('POST /carts', { key: KEY, body });
    const theirs = await call('POST /carts', { key: KEY, body, token });

    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  test('lives for 24 hours on the clock of the service', async () => {
    const { call, service, tokenOf } = await openService();
    const body = { location_id: service.samples.locations.downtown };
    const first = await call('POST /carts', { key: KEY, body });

    await service.clock.advance(86_400_000 - 1);
    const token = await tokenOf(service.credentials);
    const within = await call('POST /carts', { key: KEY, body, token });
    await service.clock.advance(1);
    const after = await call('POST /carts', { key: KEY, body, token });

    expect(within.body.id).toBe(first.body.id);
    expect(after.body.id).not.toBe(first.body.id);
  });

  test('keeps no error: the same key executes again', async () => {
    const { call, service, placeOrder } = await openService();
    const order = await placeOrder();
    const body = { payment_method: 'CREDIT_CARD', amount: order.total.amount };
    service.payments.declineNext('CREDIT_CARD');

    const declined = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });
    const accepted = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });

    expect([declined.status, accepted.status]).toEqual([422, 201]);
  });

  test('lets a request that comes during the first one wait for its response', async () => {
    const { call, service, placeOrder } = await openService();
    const order = await placeOrder();
    const body = { payment_method: 'CREDIT_CARD', amount: 100 };
    service.faults.next('POST /orders/{order_id}/payments', { delayMs: 5000 });

    const both = Promise.all([1, 2].map(() => call(`POST /orders/${order.id}/payments`, { key: KEY, body })));
    const [first, second] = await service.clock.runUntil(both);

    expect(second?.body).toEqual(first?.body);
    expect(service.ledger(order.id).charged).toBe(100);
  });

  test('of a cancel shows the order as it is now', async () => {
    const { call, placeOrder } = await openService();
    const order = await placeOrder();

    const first = await call(`POST /orders/${order.id}/cancel`, { key: KEY, body: { reason: 'late' } });
    const again = await call(`POST /orders/${order.id}/cancel`, { key: KEY, body: { reason: 'late' } });
    const other = await call(`POST /orders/${order.id}/cancel`, { body: { reason: 'late' } });

    expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
    expect(again.body).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'late' });
  });

  test('of a cancel shows the order after its 24 hours, too', async () => {
    const { call, service, tokenOf, placeOrder } = await openService();
    const order = await placeOrder();
    await call(`POST /orders/${order.id}/cancel`, { key: KEY });

    await service.clock.advance('48h');
    const token = await tokenOf(service.credentials);
    const again = await call(`POST /orders/${order.id}/cancel`, { key: KEY, token });

    expect([again.status, again.body.status]).toEqual([200, 'CANCELLED']);
    expect(service.webhooks.events().filter(({ event_type }) => event_type === 'order.cancelled')).toHaveLength(1);
  });

  test('of a checkout gives the original order', async () => {
    const { call, service } = await openService();
    const cart = (await call('POST /carts', { body: { location_id: service.samples.locations.downtown } })).body;
    await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.houseCoffee });
    const body = { handoff_mode: { mode: 'PICKUP' } };

    const first = await call(`POST /carts/${cart.id}/checkout`, { key: KEY, body });
    const again = await call(`POST /carts/${cart.id}/checkout`, { key: KEY, body });
    const other = await call(`POST /carts/${cart.id}/checkout`, { body });

    expect([again.status, again.body.order_id]).toEqual([201, first.body.order_id]);
    expect(other.status).toBe(409);
    expect(service.orders()).toHaveLength(1);
  });

  test.each([
    [null, 'Missing required field: Idempotency-Key'],
    ['payment-1', 'Request validation failed'],
    ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'Request validation failed'],
  ])('%s is refused with 400: %s', async (key, message) => {
    const { call, service } = await openService();

    const answer = await call('POST /carts', { key, body: { location_id: service.samples.locations.downtown } });

    expect(answer).toMatchObject({ status: 400, body: { error: { message } } });
  });

  test('is not needed for PATCH and calculate', async () => {
    const { call, service } = await openService();
    const cart = (await call('POST /carts', { body: { location_id: service.samples.locations.downtown } })).body;
    await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.houseCoffee });

    expect((await call(`PATCH /carts/${cart.id}`, { key: null, body: { customer_id: null } })).status).toBe(200);
    expect((await call(`POST /carts/${cart.id}/calculate`, { key: null })).status).toBe(200);
  });
});
