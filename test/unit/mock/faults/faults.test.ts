import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

const KEY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
const PAYMENTS = 'POST /orders/{order_id}/payments';

describe('A fault', () => {
  test('with a status responds in place of the service, and nothing was done', async () => {
    const { service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    service.faults.next(PAYMENTS, { status: 503 });

    const answer = await pay(order);

    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'INTERNAL_ERROR', message: 'Service temporarily unavailable' } },
    });
    expect(service.ledger(order.id).entries).toEqual([]);
    expect((await pay(order)).status).toBe(201);
  });

  test('with 429 has the Retry-After that was asked for', async () => {
    const { service, call } = await openService();
    service.faults.next('GET /orders', { status: 429, retryAfterSeconds: 2 });

    const answer = await call('GET /orders');

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    expect(answer.body.error.code).toBe('RATE_LIMIT_ERROR');
  });

  test('before the commit resets the connection, and no money moves', async () => {
    const { service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    service.faults.next(PAYMENTS, { fail: 'socket_reset' });

    await expect(pay(order)).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect(service.ledger(order.id).charged).toBe(0);
  });

  test('after the commit loses the response, and the same key gets it again', async () => {
    const { service, call, placeOrder } = await openService();
    const order = await placeOrder();
    const body = { payment_method: 'CREDIT_CARD', amount: 100 };
    service.faults.next(PAYMENTS, { fail: 'socket_reset', after: 'commit' });

    await expect(call(`POST /orders/${order.id}/payments`, { key: KEY, body })).rejects.toThrow('fetch failed');
    const again = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });

    expect(again.status).toBe(201);
    expect(service.ledger(order.id).charged).toBe(100);
  });

  test('with a status after the commit is an error that nobody cached: the same key charges again', async () => {
    const { service, call, placeOrder } = await openService();
    const order = await placeOrder();
    const body = { payment_method: 'CREDIT_CARD', amount: 100 };
    service.faults.next(PAYMENTS, { status: 500, after: 'commit' });

    const lost = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });
    const again = await call(`POST /orders/${order.id}/payments`, { key: KEY, body });

    expect([lost.status, again.status]).toEqual([500, 201]);
    expect(service.ledger(order.id).charged).toBe(200);
  });

  test('with a delay waits on the clock of the service', async () => {
    const { service, call } = await openService();
    service.faults.next('GET /orders', { delayMs: 90_000 });
    const before = service.clock.now();

    const answer = await service.clock.runUntil(call('GET /orders'));

    expect([answer.status, service.clock.now() - before]).toEqual([200, 90_000]);
  });

  test('that stalls never responds, and ends with the abort of its caller', async () => {
    const { service } = await openService();
    service.faults.next('*', { fail: 'stall' });
    const reason = new Error('enough');
    const abort = new AbortController();

    const call = service.fetch(`${service.credentials.baseUrl}/orders`, { signal: abort.signal });
    setImmediate(() => abort.abort(reason));

    await expect(call).rejects.toBe(reason);
  });

  test('that refuses the connection leaves no trace in the list of requests', async () => {
    const { service, call } = await openService();
    service.faults.next('GET /orders', { fail: 'connection_refused' });
    const before = service.requests().length;

    await expect(call('GET /orders')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(service.requests()).toHaveLength(before);
  });

  test.each([
    ['empty', ''],
    ['not_json', '{"id": "5f0c'],
  ] as const)('makes the body of a success %s', async (body, text) => {
    const { service, token } = await openService();
    service.faults.next('GET /orders', { body });

    const headers = { authorization: `Bearer ${token}` };
    const response = await service.fetch(`${service.credentials.baseUrl}/orders`, { headers });

    expect([response.status, await response.text()]).toEqual([200, text]);
  });

  test('can be an HTML page of a gateway', async () => {
    const { service } = await openService();
    service.faults.next('GET /orders', { status: 502, body: 'html' });

    const response = await service.fetch(`${service.credentials.baseUrl}/orders`);

    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toContain('<h1>');
  });

  test('can cut the body, after the work was done', async () => {
    const { service, pay, placeOrder } = await openService();
    const order = await placeOrder();
    service.faults.next(PAYMENTS, { body: 'truncated' });

    await expect(pay(order)).rejects.toThrow();
    expect(service.ledger(order.id).charged).toBe(order.total.amount);
  });

  test('meets as many requests as it says, and those of its endpoint only', async () => {
    const { service, call } = await openService();
    service.faults.next('GET /orders', { status: 500, times: 2 });

    const seen = [];
    for (const path of ['/webhooks', '/orders', '/orders', '/orders']) seen.push((await call(`GET ${path}`)).status);

    expect(seen).toEqual([200, 500, 500, 200]);
  });

  test('can be set for one path', async () => {
    const { service, read, placeOrder } = await openService();
    const [one, two] = [await placeOrder(), await placeOrder()];
    service.faults.next(`GET /orders/${two.id}`, { status: 404 });

    expect((await read(one)).id).toBe(one.id);
    expect((await read(two)).error.code).toBe('NOT_FOUND_ERROR');
  });

  test.each([
    ['GET /order', { status: 500 }, 'GET /orders'],
    ['GET /orders', {}, '`delayMs`'],
    ['GET /orders', { status: 200 }, '400 to 599'],
    ['GET /orders', { status: 500, times: 0 }, '"times"'],
  ])('for %s with %j is refused with what to write', async (endpoint, fault, text) => {
    const { service } = await openService();

    expect(() => service.faults.next(endpoint, fault)).toThrow(text);
  });
});
