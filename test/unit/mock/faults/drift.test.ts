import { describe, expect, test } from 'vitest';
import { type Json, openService } from '../open-service.js';

describe('A fault', () => {
  test('responds with the code, message, field and reasons that it was given', async () => {
    const { service, call, placeOrder } = await openService();
    const order = await placeOrder();
    service.faults.next('POST /orders/{order_id}/payments', {
      status: 409,
      code: 'CONFLICT_ERROR',
      message: 'Expected total mismatch',
      detail: 'The total moved.',
      field: 'expected_total',
      changeReasons: ['FEE_CHANGED'],
    });
    service.faults.next('GET /orders', { status: 500, message: 'Service temporarily unavailable' });

    expect((await call(`POST /orders/${order.id}/payments`)).body.error).toMatchObject({
      code: 'CONFLICT_ERROR',
      message: 'Expected total mismatch',
      detail: 'The total moved.',
      field: 'expected_total',
      change_reasons: ['FEE_CHANGED'],
    });
    expect(await call('GET /orders')).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL_ERROR', message: 'Service temporarily unavailable' } },
    });
  });

  test('shows enum values of the future and fields that have drifted, once or until it is cleared', async () => {
    const { service, call, placeOrder, pay, read } = await openService();
    const order = await placeOrder();
    await pay(order, 100);
    service.faults.next('GET /orders/{order_id}', {
      set: { status: 'ON_HOLD', 'payments[0].amount': '1.00', 'items[*].quantity': 'one', loyalty_tier: 'GOLD' },
      remove: ['payment_status'],
    });
    service.faults.next('GET /orders', { set: { 'data[*].fulfillment_status': 'PACKED' }, times: 'all' });

    const drifted = await read(order);
    expect(drifted).toMatchObject({ status: 'ON_HOLD', payments: [{ amount: '1.00' }], loyalty_tier: 'GOLD' });
    expect(drifted.items[0].quantity).toBe('one');
    expect(drifted).not.toHaveProperty('payment_status');
    expect(await read(order)).toMatchObject({ status: 'CONFIRMED', payment_status: 'PARTIALLY_PAID' });

    const listed = async () => (await call('GET /orders')).body.data[0].fulfillment_status;
    expect([await listed(), await listed()]).toEqual(['PACKED', 'PACKED']);
    service.faults.clear();
    expect(await listed()).toBe('PENDING');
  });

  test.each([
    [{ set: { 'a..b': 1 } }, '"a..b" is no path'],
    [{ remove: ['[0]'] }, '"remove[0]" is "[0]"; write a path such as payments[0].status'],
    [{ status: 404, code: 'GONE' }, '"code" is "GONE"'],
    [{ status: 500, times: 'ever' }, `"times" is "ever"; write a whole number of requests, from 1 on, or 'all'`],
  ])('%j is refused', async (fault, text) => {
    const { service } = await openService();

    expect(() => service.faults.next('*', fault as Json)).toThrow(text);
  });
});

describe('An event of the future', () => {
  test('of an unknown type goes to every subscription, signed', async () => {
    const { service, call } = await openService();
    await call('POST /webhooks', { body: { url: 'https://hooks.example.com', event_types: ['menu.changed'] } });
    const seen: Json[] = [];

    const event = service.webhooks.emit('order.rated', { order_id: 'x', stars: 5 });
    const deliveries = await service.webhooks.deliverTo(async (request) => {
      seen.push(await request.json());
      return new Response();
    });

    expect(deliveries).toMatchObject([{ eventType: 'order.rated', delivered: true }]);
    expect(seen).toEqual([event]);
    expect(event).toMatchObject({ event_type: 'order.rated', data: { stars: 5 } });
  });

  test('of a known type may carry data that nobody knows, for the partner it is for', async () => {
    const { service } = await openService();
    const other = service.partners.add();

    service.webhooks.emit('order.status_changed', { current_status: 'ON_HOLD' }, { clientId: other.clientId });

    expect(service.webhooks.events()).toMatchObject([{ data: { current_status: 'ON_HOLD' } }]);
    expect(() => service.webhooks.emit('', {})).toThrow('webhooks.emit: "type" is ""');
    expect(() => service.webhooks.emit('x', {}, { clientId: 'nobody' })).toThrow('no partner');
  });
});

describe('A request refused with 429', () => {
  test('tells which limit it met', async () => {
    const { service, call } = await openService({ rateLimits: { reads: 1, perLocation: 2 } });
    const { downtown, harbor } = service.samples.locations;

    await call(`GET /locations/${downtown}`);
    await call(`GET /locations/${downtown}`);
    await call(`GET /locations/${downtown}/menu`);
    await call(`GET /locations/${downtown}/inventory`);
    await call(`GET /locations/${harbor}/menu/metadata`);

    expect(
      service
        .requests()
        .slice(1)
        .map(({ status, limitedBy }) => [status, limitedBy]),
    ).toEqual([
      [200, null],
      [429, 'reads'],
      [200, null],
      [429, 'perLocation'],
      [200, null],
    ]);
  });
});
