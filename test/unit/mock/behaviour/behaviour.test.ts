import { randomUUID } from 'node:crypto';
import { type BehaviourChange, createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { type Json, openService } from '../open-service.js';

const KEY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

const payment = (amount: number, more: Record<string, unknown> = {}) => ({
  body: { payment_method: 'CREDIT_CARD', amount, ...more },
});
const paymentsOf = (order: Json) => `POST /orders/${order.id}/payments`;
const amounts = (records: Json) => records.map(({ amount }: Json) => amount.amount);

/** A service, and an order on it. */
async function openOrder(behaviour: BehaviourChange = {}) {
  const opened = await openService({ behaviour });
  return { ...opened, order: await opened.placeOrder() };
}

describe('A key in flight', () => {
  async function payTwice(keysInFlight: 'wait' | 'run_twice' | 'conflict') {
    const opened = await openOrder({ keysInFlight, authorizationMs: 5000 });
    const { service, call, order } = opened;
    const sent = { key: KEY, ...payment(100) };
    const both = Promise.all([call(paymentsOf(order), sent), call(paymentsOf(order), sent)]);
    const [first, second] = await service.clock.runUntil(both);
    const third = await call(paymentsOf(order), sent);
    return { first, second, third, charged: service.ledger(order.id).charged };
  }

  test('is waited for by a kind service', async () => {
    const { first, second, charged } = await payTwice('wait');

    expect(second).toMatchObject({ status: 201, body: first.body });
    expect(charged).toBe(100);
  });

  test('runs twice where the service does not serialise keys; the first success is what the key stands for', async () => {
    const { first, second, third, charged } = await payTwice('run_twice');

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
    expect(third.body).toEqual(first.body);
    expect(charged).toBe(200);
  });

  test('is a conflict where the service says so, and remembered when it has succeeded', async () => {
    const { first, second, third, charged } = await payTwice('conflict');

    expect(second).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT_ERROR' } } });
    expect(third.body).toEqual(first.body);
    expect(charged).toBe(100);
  });

  test('that ran twice expires after 24 hours like any other', async () => {
    const { service, call, order, tokenOf } = await openOrder({ keysInFlight: 'run_twice', authorizationMs: 5000 });
    const sent = { key: KEY, ...payment(100) };
    await service.clock.runUntil(Promise.all([call(paymentsOf(order), sent), call(paymentsOf(order), sent)]));
    await service.clock.advance('25h');
    service.behaviour.setKind();

    await call(paymentsOf(order), { ...sent, token: await tokenOf(service.credentials) });
    expect(service.ledger(order.id).charged).toBe(300);
  });
});

describe('Overpayment', () => {
  test('is refused by a kind service', async () => {
    const { order, pay } = await openOrder();

    expect((await pay(order, order.total.amount + 1)).status).toBe(422);
  });

  test('is taken where the service does not check', async () => {
    const { service, order, pay, read } = await openOrder({ overpayment: 'accept' });
    await pay(order, order.total.amount);

    expect((await pay(order, 300)).status).toBe(201);
    expect(service.ledger(order.id).charged).toBe(order.total.amount + 300);
    expect(await read(order)).toMatchObject({ payment_status: 'PAID', balance_due: { amount: 0 } });
  });

  test('of two payments that are executed at once is refused at the end of the second', async () => {
    const { service, call, order } = await openOrder({ authorizationMs: [1000, 9000] });
    const all = order.total.amount;

    const both = [payment(all), payment(all)].map((sent) => call(paymentsOf(order), sent));
    const answers = await service.clock.runUntil(Promise.all(both));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(service.ledger(order.id).charged).toBe(all);
  });
});

describe('A duplicate', () => {
  test.each([
    ['execute', 201, 200],
    ['decline', 422, 100],
  ] as const)('%s: a repetition whose first answer was lost answers %i', async (duplicates, status, charged) => {
    const { service, call, order } = await openOrder({ duplicates });
    service.faults.next('POST /orders/{order_id}/payments', { status: 500, after: 'commit' });
    const sent = { key: KEY, ...payment(100) };
    await call(paymentsOf(order), sent);

    expect((await call(paymentsOf(order), sent)).status).toBe(status);
    expect(service.ledger(order.id).charged).toBe(charged);
  });
});

describe('Reads that lag', () => {
  test('show the order as it stood, lists and sums alike', async () => {
    const { service, order, pay, read } = await openOrder({ readLagMs: 5000 });
    await service.clock.advance('10s');
    await pay(order, 100);

    expect(await read(order)).toMatchObject({ payments: [], amount_paid: { amount: 0 }, status: 'PENDING' });
    await service.clock.advance(4999);
    expect((await read(order)).payments).toEqual([]);
    await service.clock.advance(1);
    expect(await read(order)).toMatchObject({ amount_paid: { amount: 100 }, status: 'CONFIRMED' });
  });

  test('show a new order as it was born, and leave it out of lists', async () => {
    const { service, call, pay, order, read } = await openOrder();
    await pay(order, 100);
    service.behaviour.set({ readLagMs: 60_000 });

    expect(await read(order)).toMatchObject({ id: order.id, payments: [], payment_status: 'UNPAID' });
    expect((await call('GET /orders')).body.data).toEqual([]);
    await service.clock.advance('60s');
    expect((await call('GET /orders')).body.data).toHaveLength(1);
  });

  test('show every version in its time', async () => {
    const { service, order, pay, read } = await openOrder({ readLagMs: 10_000 });
    for (const cents of [10, 20, 30]) {
      await pay(order, cents);
      await service.clock.advance('4s');
    }

    const seen: number[] = [];
    for (let second = 0; second < 5; second += 1) {
      seen.push((await read(order)).amount_paid.amount);
      await service.clock.advance('3s');
    }
    expect(seen).toEqual([10, 30, 60, 60, 60]);
  });

  test('lag behind no clock that is stepped', async () => {
    const { service, order, pay, read } = await openOrder({ readLagMs: 5000 });
    await pay(order, 100);
    service.clock.step('1h');

    expect((await read(order)).payments).toEqual([]);
  });

  test('do not lag in the responses to writes', async () => {
    const { service, call, order, pay } = await openOrder({ readLagMs: 60_000 });
    await pay(order, 100);

    const cancelled = await call(`POST /orders/${order.id}/cancel`, { key: KEY });
    const again = await call(`POST /orders/${order.id}/cancel`, { key: KEY });

    expect(cancelled.body).toMatchObject({ status: 'CANCELLED', amount_refunded: { amount: 100 } });
    expect(again.body).toEqual(cancelled.body);
    expect(service.requests().at(-1)?.replayed).toBe(true);
  });

  test('of the payment list leave the sums right', async () => {
    const { service, call, order, pay, read } = await openOrder({ paymentListLagMs: 5000 });
    await pay(order, 100);
    await call(`POST /orders/${order.id}/refunds`, { body: { amount: 40 } });

    expect(await read(order)).toMatchObject({
      payments: [],
      refunds: [],
      amount_paid: { amount: 100 },
      amount_refunded: { amount: 40 },
      balance_due: { amount: order.total.amount - 100 },
    });
    await service.clock.advance('5s');
    expect(await read(order)).toMatchObject({ payments: [{ amount: { amount: 100 } }], refunds: [{}] });
  });

  test('of the sums leave the lists right', async () => {
    const { service, order, pay, read } = await openOrder({ paymentSumLagMs: 5000 });
    await pay(order, 100);

    expect(await read(order)).toMatchObject({
      payments: [{ amount: { amount: 100 } }],
      amount_paid: { amount: 0 },
      balance_due: order.total,
      payment_status: 'UNPAID',
    });
    await service.clock.advance('5s');
    expect(await read(order)).toMatchObject({ amount_paid: { amount: 100 }, payment_status: 'PARTIALLY_PAID' });
  });

  test('that lag by chance lag alike with the same seed', async () => {
    const seen = async () => {
      const { service, order, pay, read } = await openOrder({ readLagMs: [0, 4000] });
      const paid: number[] = [];
      for (let second = 0; second < 12; second += 1) {
        await pay(order, 1);
        await service.clock.advance('1s');
        paid.push((await read(order)).amount_paid.amount);
      }
      return paid;
    };

    const [one, two] = [await seen(), await seen()];
    expect(two).toEqual(one);
    expect(new Set(one.map((paid, index) => index + 1 - paid)).size).toBeGreaterThan(2);
  });
});

describe('An authorization that takes long', () => {
  test('shows nothing until it has been executed, and goes on without its caller', async () => {
    const { service, order, token, read } = await openOrder({ authorizationMs: 20_000 });
    const abort = new AbortController();
    const lost = service.fetch(`${service.credentials.baseUrl}/orders/${order.id}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': KEY },
      body: JSON.stringify(payment(100).body),
      signal: abort.signal,
    });
    await service.clock.advance('5s');
    abort.abort();
    await expect(lost).rejects.toThrow('abort');

    expect(await read(order)).toMatchObject({ payments: [], balance_due: order.total });
    await service.clock.advance('14s');
    expect(service.ledger(order.id).charged).toBe(0);
    await service.clock.advance('1s');
    expect(service.ledger(order.id).charged).toBe(100);
    expect((await read(order)).payments).toHaveLength(1);
  });

  test('holds refunds up, too', async () => {
    const { service, call, order, pay } = await openOrder();
    await pay(order, 100);
    service.behaviour.set({ authorizationMs: 3000 });
    const refund = call(`POST /orders/${order.id}/refunds`, { body: { amount: 100 } });
    const second = call(`POST /orders/${order.id}/refunds`, { body: { amount: 100 } });
    await service.clock.advance('2s');
    expect(service.ledger(order.id).refunded).toBe(0);

    const answers = await service.clock.runUntil(Promise.all([refund, second]));
    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    expect(service.ledger(order.id).refunded).toBe(100);
  });

  test('finds a gift card that was used up meanwhile empty', async () => {
    const { service, call, order } = await openOrder({ authorizationMs: 3000 });
    const gift = { body: { payment_method: 'GIFT_CARD', amount: 500, gift_card_number: 'GIFT-0500' } };
    const both = Promise.all([call(paymentsOf(order), gift), call(paymentsOf(order), gift)]);

    expect((await service.clock.runUntil(both)).map(({ status }) => status)).toEqual([201, 422]);
    expect(service.ledger(order.id).charged).toBe(500);
  });

  test('does not hold a decline up', async () => {
    const { call, order } = await openOrder({ authorizationMs: 60_000 });

    const declined = await call(paymentsOf(order), payment(100, { payment_token: 'tok_declined' }));

    expect(declined.status).toBe(422);
  });

  test('outlasts a gateway, which responds with a page of its own', async () => {
    const { service, order, token } = await openOrder({ authorizationMs: 35_000, gatewayTimeoutMs: 29_000 });
    const answer = service.fetch(`${service.credentials.baseUrl}/orders/${order.id}/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': KEY },
      body: JSON.stringify(payment(100).body),
    });
    await service.clock.advance('29s');
    const response = await answer;

    expect([response.status, response.headers.get('x-request-id')]).toEqual([504, null]);
    expect(await response.text()).toContain('<html>');
    expect(service.ledger(order.id).charged).toBe(0);
    await service.clock.advance('6s');
    expect(service.ledger(order.id).charged).toBe(100);
  });
});

describe('Records', () => {
  test('show another method, another amount, the key and other statuses; the money is what was asked', async () => {
    const { service, call, order, read } = await openOrder({
      records: {
        key: 'shown',
        methods: { DIGITAL_WALLET: 'APPLE_PAY' },
        amountOffsetCents: 10,
        statuses: { COMPLETED: 'SETTLED' },
        refundStatuses: { COMPLETED: 'BOOKED' },
      },
    });
    const sent = { key: KEY, body: { payment_method: 'DIGITAL_WALLET', amount: 500 } };
    const { body } = await call(paymentsOf(order), sent);
    await call(`POST /orders/${order.id}/refunds`, { key: randomUUID(), body: { amount: 100 } });

    const shown = { payment_method: 'APPLE_PAY', amount: { amount: 510 }, status: 'SETTLED', idempotency_key: KEY };
    expect(body).toMatchObject(shown);
    const now = await read(order);
    expect(now).toMatchObject({ payments: [shown], amount_paid: { amount: 500 } });
    expect(now.refunds).toMatchObject([{ amount: { amount: 100 }, status: 'BOOKED' }]);
    expect(service.ledger(order.id).charged).toBe(500);
  });

  test('that FAILED stand before the one that was accepted', async () => {
    const { service, call, order, pay, read } = await openOrder({ records: { failedPayments: 2, failedRefunds: 1 } });
    await pay(order, 500);
    await call(`POST /orders/${order.id}/refunds`, { body: { amount: 100 } });

    const now = await read(order);
    expect(now.payments.map(({ status }: Json) => status)).toEqual(['FAILED', 'FAILED', 'COMPLETED']);
    expect(now.refunds.map(({ status }: Json) => status)).toEqual(['FAILED', 'COMPLETED']);
    expect(amounts(now.refunds)).toEqual([100, 100]);
    expect(service.ledger(order.id)).toMatchObject({ charged: 500, refunded: 100 });
  });

  test('of refunds are not listed where the service does not show them', async () => {
    const { call, order, pay, read } = await openOrder({ refundsListed: false });
    await pay(order, 500);
    await call(`POST /orders/${order.id}/refunds`, { body: { amount: 100 } });

    expect(await read(order)).toMatchObject({ refunds: [], amount_refunded: { amount: 100 } });
  });
});

describe('The clock of the service', () => {
  test('is told in every response, in process and over HTTP', async () => {
    const { service, call } = await openService();
    const { url } = await service.listen();

    const expected = new Date(service.clock.now()).toUTCString();
    expect((await call('GET /locations')).headers.get('date')).toBe(expected);
    expect((await fetch(`${url}/locations`)).headers.get('date')).toBe(expected);
  });

  test('is not told without a Date header', async () => {
    const { service, call } = await openService({ behaviour: { dateHeader: false } });
    const { url } = await service.listen();

    expect((await call('GET /locations')).headers.has('date')).toBe(false);
    expect((await fetch(`${url}/locations`)).headers.has('date')).toBe(false);
  });

  test('may be fast or slow', async () => {
    const { service, order, pay, read } = await openOrder({ clockOffsetMs: -600_000 });
    await pay(order, 100);

    const [{ created_at }] = (await read(order)).payments;
    expect(Date.parse(created_at)).toBe(service.clock.now() - 600_000);
  });
});

describe('The behaviour', () => {
  test.each([
    [{ keyInFlight: 'wait' }, 'behaviour: it has no switch "keyInFlight"; write one of keysInFlight, overpayment'],
    [{ keysInFlight: 'twice' }, `behaviour: "keysInFlight" is "twice"; write 'wait' or 'run_twice' or 'conflict'.`],
    [{ overpayment: true }, `behaviour: "overpayment" is true; write 'refuse' or 'accept'.`],
    [{ readLagMs: -1 }, 'behaviour: "readLagMs" is -1; write whole milliseconds from 0 to 3600000, or a range'],
    [{ authorizationMs: [5, 1] }, 'behaviour: "authorizationMs" is [5,1]; write whole milliseconds'],
    [{ refundsListed: 'no' }, 'behaviour: "refundsListed" is "no"; write true or false.'],
    [{ clockOffsetMs: 0.5 }, 'behaviour: "clockOffsetMs" is 0.5'],
    [{ records: 'APPLE_PAY' }, 'behaviour: "records" is "APPLE_PAY"; write an object'],
    [{ records: { name: 'x' } }, 'behaviour: "records" has no switch "name"; write one of key, methods'],
    [{ records: { methods: { CASH: 1 } } }, 'behaviour: "records.methods.CASH" is 1; write a text'],
    [[], 'behaviour: it is []; write an object with keysInFlight'],
  ])('%j is refused by name', (behaviour, text) => {
    expect(() => createMockService({ behaviour: behaviour as BehaviourChange })).toThrow(text);
    expect(() => createMockService().behaviour.set(behaviour as BehaviourChange)).toThrow(text);
  });

  test('changes switch by switch, becomes kind again, and is what it was after a reset', async () => {
    const { service } = await openService({ behaviour: { overpayment: 'accept', records: { key: 'shown' } } });
    const first = service.behaviour.current;
    service.behaviour.set({ readLagMs: 5 });

    expect(service.behaviour.current).toEqual({ ...first, readLagMs: 5 });
    service.behaviour.setKind();
    expect(service.behaviour.current).toEqual(createMockService().behaviour.current);
    service.reset();
    expect(service.behaviour.current).toEqual(first);
  });

  test('that becomes kind shows at once what was hidden', async () => {
    const { service, order, pay, read } = await openOrder({ readLagMs: 60_000, refundsListed: false });
    await pay(order, 100);
    service.behaviour.setKind();

    expect((await read(order)).payments).toHaveLength(1);
  });
});
