import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Decline,
  fileJournal,
  type Money,
  memoryStore,
  type Order,
  OutcomeUnknownError,
  type PaymentOverrides,
  PaymentStateError,
  RequestValidationError,
  SettlementInterruptedError,
  storeJournal,
  type Tender,
} from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { clientOf, orderToPay, paymentRequests } from './order-to-pay.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
const ORDER = 'GET /orders/{order_id}';

const loyalty: Tender = { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'LOYALTY-0300', amount: 300 };
const giftCard: Tender = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 };
const card: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' };
const declinedCard: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_declined', amount: 'remaining' };

describe('an order paid with several tenders', () => {
  test('is paid with loyalty points, then gift cards, then cards, whatever the order of the list', async () => {
    const { service, client, orderId, total } = await orderToPay();

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [card, giftCard, loyalty] }),
    );

    expect(settlement.status).toBe('PAID');
    expect(settlement.balanceDue).toEqual({ amount: 0, currency: 'USD' });
    expect(service.ledger(orderId).entries.map(({ method, cents }) => [method, cents])).toEqual([
      ['LOYALTY_POINTS', 300],
      ['GIFT_CARD', 500],
      ['CREDIT_CARD', total - 800],
    ]);
    expect(settlement.tenders.map(({ status, payment }) => [status, payment?.status])).toEqual([
      ['COMPLETED', 'COMPLETED'],
      ['COMPLETED', 'COMPLETED'],
      ['COMPLETED', 'COMPLETED'],
    ]);
    const keys = settlement.tenders.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(3);
    expect(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).toEqual(keys);
  });

  test('sends the next tender only when the last is completed', async () => {
    const { service, client, orderId, total } = await orderToPay();
    service.payments.settleAfter('9s');

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card] }));

    expect(settlement.status).toBe('PAID');
    const [first, second] = service.requests().filter(({ method, route }) => `${method} ${route}` === PAYMENTS);
    expect(Date.parse(second!.at) - Date.parse(first!.at)).toBeGreaterThanOrEqual(9000);
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('reads a balance that comes as whole cents', async () => {
    const { service, orderId, total } = await orderToPay();
    const inCents: typeof fetch = async (input, init) => {
      const response = await service.fetch(input, init);
      const body = (await response.json()) as Record<string, Money>;
      if (body.balance_due)
        for (const field of ['balance_due', 'amount_paid']) Object.assign(body, { [field]: body[field]?.amount });
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: inCents });

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card] }));

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('counts two identical gift cards as two', async () => {
    const { service, client, orderId } = await orderToPay();
    const five: Tender = { payment_method: 'GIFT_CARD', gift_card_number: '6006-5', amount: 500 };
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [five, five] }));

    expect(settlement.status).toBe('PARTIALLY_PAID');
    expect(service.ledger(orderId).charged).toBe(1000);
    expect(new Set(settlement.tenders.map(({ paymentId }) => paymentId)).size).toBe(2);
    expect(paymentRequests(service)).toHaveLength(2);
  });

  test('is PROCESSING when a payment stays undecided, and no further tender goes out', async () => {
    const { service, client, orderId } = await orderToPay();
    service.payments.settleAfter('2h');

    const polling = { maxWaitMs: 60_000 };
    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, card], polling }),
    );

    expect(settlement.status).toBe('PROCESSING');
    expect(settlement.tenders.map(({ status }) => status)).toEqual(['PROCESSING', 'UNSENT']);
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test('goes on where a PROCESSING call ended, with the same tenders', async () => {
    const { service, client, orderId, total } = await orderToPay();
    service.payments.settleAfter('10m');
    const polling = { maxWaitMs: 60_000 };
    await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card], polling }));
    await service.clock.advance('15m');
    service.payments.settleAfter(0);

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, card], polling }),
    );

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
    expect(paymentRequests(service)).toHaveLength(2);
  });

  test('waits for a payment that somebody else has under way', async () => {
    const { service, client, orderId, total } = await orderToPay();
    service.payments.settleAfter('20s');
    await service.clock.runUntil(client.orders.payments.create(orderId, { payment_method: 'GIFT_CARD', amount: 400 }));
    service.payments.settleAfter(0);

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    expect(settlement.status).toBe('PAID');
    expect(settlement.tenders.map(({ amount }) => amount)).toEqual([{ amount: total - 400, currency: 'USD' }]);
    expect(settlement.otherPayments.map(({ amount }) => amount.amount)).toEqual([400]);
  });
});

describe('tenders are refused before anything is sent', () => {
  const cases: [string, Tender[], string][] = [
    ['no tender', [], 'tenders'],
    ['a negative amount', [{ ...giftCard, amount: -1 }], 'tenders[0].amount'],
    ['no cents at all', [{ ...giftCard, amount: 0 }], 'tenders[0].amount'],
    ['a fraction', [{ ...giftCard, amount: 5.5 }], 'tenders[0].amount'],
    ['a fraction in Money', [{ ...giftCard, amount: { amount: 5.5, currency: 'USD' } }], 'tenders[0].amount'],
    ['two that take what remains', [card, { ...giftCard, amount: 'remaining' }], 'tenders'],
    ['an unknown method', [{ ...giftCard, payment_method: 'CHEQUE' } as never], 'tenders[0].payment_method'],
    ['a currency that is none', [{ ...giftCard, amount: { amount: 5, currency: 'dollars' } }], 'tenders[0].amount'],
  ];
  test.each(cases)('%s', async (_, tenders, field) => {
    const { service, client, orderId } = await orderToPay();
    const sent = service.requests().length;

    const refusal = await client.orders.settle(orderId, { tenders }).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(RequestValidationError);
    expect(refusal).toMatchObject({ field });
    expect(service.requests()).toHaveLength(sent);
  });

  test('a sum above the balance', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const tenders = [giftCard, { ...card, amount: total - 499 }];

    const refusal = service.clock.runUntil(client.orders.settle(orderId, { tenders }));

    await expect(refusal).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'amount_exceeds_balance' });
    expect(paymentRequests(service)).toHaveLength(0);
  });

  test('another currency than that of the order', async () => {
    const { service, client, orderId } = await orderToPay();
    const tenders = [{ ...giftCard, amount: { amount: 500, currency: 'EUR' } }];

    const refusal = service.clock.runUntil(client.orders.settle(orderId, { tenders }));

    await expect(refusal).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'currency_differs' });
    expect(paymentRequests(service)).toHaveLength(0);
  });

  test('cash for a delivery', async () => {
    const delivery_address = { street: '12 Elm Street', city: 'Columbus', state: 'OH', postal_code: '43004' };
    const { service, client, orderId } = await orderToPay({ handoff: { mode: 'DELIVERY', delivery_address } });
    const tenders: Tender[] = [giftCard, { payment_method: 'CASH', amount: 'remaining' }];

    const refusal = service.clock.runUntil(client.orders.settle(orderId, { tenders }));

    await expect(refusal).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'cash_for_delivery' });
    expect(paymentRequests(service)).toHaveLength(0);
  });

  test('a cancelled order', async () => {
    const { service, client, orderId } = await orderToPay();
    await service.clock.runUntil(client.orders.cancel(orderId));

    const refusal = service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    await expect(refusal).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'order_cancelled' });
    expect(paymentRequests(service)).toHaveLength(0);
  });
});

describe('a decline', () => {
  test('stops the run without a handler; what was paid stays paid, and the rest is told', async () => {
    const { service, client, orderId, total } = await orderToPay();

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, declinedCard] }),
    );

    expect(settlement).toMatchObject({
      status: 'PARTIALLY_PAID',
      charged: { amount: 500, currency: 'USD' },
      balanceDue: { amount: total - 500, currency: 'USD' },
      tenders: [
        { payment_method: 'GIFT_CARD', status: 'COMPLETED' },
        { payment_method: 'CREDIT_CARD', status: 'FAILED', failureReason: 'card_declined' },
      ],
    });
    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('is asked about with everything that is needed to decide', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const declines: Decline[] = [];
    const onDeclined = (decline: Decline) => {
      declines.push(decline);
      return 'stop' as const;
    };

    await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, declinedCard], onDeclined }));

    expect(declines).toHaveLength(1);
    expect(declines[0]).toMatchObject({
      orderId,
      tender: declinedCard,
      amount: { amount: total - 500, currency: 'USD' },
      attempt: 1,
      retryable: true,
      payment: { status: 'FAILED', failure_reason: 'card_declined' },
      error: { name: 'PaymentDeclinedError', status: 422 },
      amountPaid: { amount: 500, currency: 'USD' },
      balanceDue: { amount: total - 500, currency: 'USD' },
    });
  });

  test('answered with retry repeats the same key and the same bytes', async () => {
    const { service, orderId, total } = await orderToPay();
    const bodies: unknown[] = [];
    const recording: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/payments')) bodies.push(init?.body);
      return service.fetch(input, init);
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: recording });
    service.payments.declineNext('CREDIT_CARD');

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [card], onDeclined: () => 'retry' }),
    );

    expect(settlement.status).toBe('PAID');
    const keys = paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(bodies.map(String)).size).toBe(1);
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('answered with another tender pays that one under a key of its own', async () => {
    const { service, client, orderId, total } = await orderToPay();

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, declinedCard], onDeclined: () => card }),
    );

    expect(settlement.status).toBe('PAID');
    const [, declined, replacement] = settlement.tenders;
    expect([declined?.status, replacement?.status]).toEqual(['FAILED', 'COMPLETED']);
    expect(replacement?.replaces).toBe(declined?.idempotencyKey);
    expect(new Set(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('answered with cancel_order gives everything back', async () => {
    const { service, client, orderId } = await orderToPay();

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, declinedCard], onDeclined: () => 'cancel_order' }),
    );

    expect(settlement.status).toBe('CANCELLED');
    expect(service.ledger(orderId)).toMatchObject({ charged: 500, net: 0 });
  });

  test('of a payment that fails later is asked about, too', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const failsLater: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_fails_later', amount: 'remaining' };
    const declines: Decline[] = [];
    const onDeclined = (decline: Decline) => {
      declines.push(decline);
      return card;
    };

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [failsLater], onDeclined }),
    );

    expect(settlement.status).toBe('PAID');
    expect(declines[0]).toMatchObject({ payment: { status: 'FAILED' }, error: null });
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('that the service keeps under its key is retried once, and then told as not retryable', async () => {
    const { service, client, orderId } = await orderToPay();
    const failsLater: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_fails_later', amount: 'remaining' };
    const retryable: boolean[] = [];
    const onDeclined = (decline: Decline) => {
      retryable.push(decline.retryable);
      return 'retry' as const;
    };

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [failsLater], onDeclined }),
    );

    expect(settlement.status).toBe('UNPAID');
    expect(retryable).toEqual([true, false]);
    expect(paymentRequests(service)).toHaveLength(2);
  });

  test('leaves the order to be finished with another card', async () => {
    const { service, client, orderId, total } = await orderToPay();
    await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, declinedCard] }));

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).entries.map(({ cents }) => cents)).toEqual([500, total - 500]);
  });

  test('of an order that somebody cancels meanwhile ends the run as CANCELLED', async () => {
    const { service, client, orderId } = await orderToPay();
    const onDeclined = () => {
      service.orders.advance(orderId, 'CANCELLED');
      return card;
    };

    const settlement = await service.clock.runUntil(
      client.orders.settle(orderId, { tenders: [giftCard, declinedCard], onDeclined }),
    );

    expect(settlement.status).toBe('CANCELLED');
    expect(service.ledger(orderId)).toMatchObject({ charged: 500, net: 0 });
  });

  test('whose answer is a slip ends the run with a clear message', async () => {
    const { service, client, orderId } = await orderToPay();

    const run = client.orders.settle(orderId, { tenders: [declinedCard], onDeclined: () => 'ignore' as never });

    await expect(service.clock.runUntil(run)).rejects.toThrow(
      /onDeclined.*'retry', 'stop', 'cancel_order' or a tender/,
    );
  });
});

describe('a response that is lost', () => {
  const faults = [
    { after: 'commit', fail: 'socket_reset' },
    { after: 'commit', fail: 'socket_close' },
    { after: 'commit', status: 500 },
    { after: 'commit', status: 503 },
    { body: 'truncated' },
    { body: 'not_json' },
    { body: 'empty' },
    { body: 'html', status: 502, after: 'commit' },
  ] as const;
  test.each(faults)('after the charge (%o) is found in the order, and nothing is sent again', async (fault) => {
    const { service, client, orderId, total } = await orderToPay();
    service.faults.next(PAYMENTS, fault);

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).entries).toHaveLength(1);
    expect(service.ledger(orderId).charged).toBe(total);
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test.each([{ fail: 'socket_reset' }, { status: 500 }, { status: 502, body: 'html' }] as const)(
    'before the charge (%o) is repeated with the same key, after the order was read',
    async (fault) => {
      const { service, client, orderId, total } = await orderToPay();
      service.faults.next(PAYMENTS, fault);

      const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

      expect(settlement.status).toBe('PAID');
      expect(service.ledger(orderId).charged).toBe(total);
      const keys = paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      const routes = service.requests().map(({ method, route }) => `${method} ${route}`);
      const first = routes.indexOf(PAYMENTS);
      const between = routes.slice(first + 1, routes.indexOf(PAYMENTS, first + 1));
      expect(between.length).toBeGreaterThanOrEqual(3);
      expect(new Set(between)).toEqual(new Set([ORDER]));
    },
  );

  test('of a decline is found in the order as a decline', async () => {
    const { service, client, orderId } = await orderToPay();
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [declinedCard] }));

    expect(settlement).toMatchObject({
      status: 'UNPAID',
      tenders: [{ status: 'FAILED', failureReason: 'card_declined' }],
    });
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test('of a payment that the order shows late is waited for before the key is repeated', async () => {
    const { service, orderId, total } = await orderToPay();
    let hidden = 0;
    const late: typeof fetch = async (input, init) => {
      const response = await service.fetch(input, init);
      if (init?.method !== 'GET' || hidden === 0) return response;
      hidden -= 1;
      const order = (await response.json()) as Order;
      const shown = {
        ...order,
        payments: [],
        amount_paid: { ...order.amount_paid, amount: 0 },
        balance_due: order.total,
      };
      return new Response(JSON.stringify(shown), { status: 200, headers: response.headers });
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: late });
    service.faults.next(PAYMENTS, { after: 'commit', status: 500 });
    service.onRequest(({ method, route }) => {
      if (`${method} ${route}` === PAYMENTS) hidden = 2;
    });

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test('and an order that cannot be read end in OutcomeUnknownError, whose resolve settles it', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });
    const blockOrder = service.onRequest(({ method, route }) => {
      if (`${method} ${route}` === PAYMENTS) service.faults.next(ORDER, { status: 503, times: 40 });
    });

    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card] }));
    const error = await run.catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(OutcomeUnknownError);
    const unknown = error as OutcomeUnknownError;
    expect(unknown).toMatchObject({
      orderId,
      outcome: 'unknown',
      idempotencyKey: paymentRequests(service)[0]?.idempotencyKey,
      settlement: { charged: { amount: 0 }, tenders: [{ status: 'UNKNOWN' }, { status: 'UNSENT' }] },
    });
    expect(unknown.replayableUntil).toBeInstanceOf(Date);
    blockOrder();
    service.faults.clear();

    const resolution = await service.clock.runUntil(unknown.resolve());

    expect(resolution).toMatchObject({
      outcome: 'applied',
      record: { payment_method: 'GIFT_CARD', status: 'COMPLETED' },
    });
    expect(paymentRequests(service)).toHaveLength(1);

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card] }));
    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('from a service whose orders list no payments is never repeated', async () => {
    const { service, orderId } = await orderToPay();
    const without: typeof fetch = async (input, init) => {
      const response = await service.fetch(input, init);
      if (init?.method !== 'GET') return response;
      const { payments: _, ...order } = (await response.json()) as Order;
      return new Response(JSON.stringify(order), { status: 200, headers: response.headers });
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: without });
    service.faults.next(PAYMENTS, { after: 'commit', status: 500 });

    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [{ ...card, amount: 500 }] }));

    await expect(run).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(paymentRequests(service)).toHaveLength(1);
    expect(service.ledger(orderId).charged).toBe(500);
  });

  test('is found by a rule of the caller, in a request of the caller, where the service differs', async () => {
    const { service, orderId, total } = await orderToPay();
    const bodies: unknown[] = [];
    const recording: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/payments')) bodies.push(JSON.parse(String(init?.body)));
      return service.fetch(input, init);
    };
    const seen: object[] = [];
    const payments: PaymentOverrides = {
      toRequest: ({ payment_method, payment_token }, cents) => ({
        payment_method,
        payment_token,
        amount: { amount: cents, currency: 'USD' },
        reference: 'till-4',
      }),
      matches: (payment, entry) => {
        seen.push(entry);
        return payment.payment_method === entry.payment_method;
      },
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: recording, payments });
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));

    expect(settlement.status).toBe('PAID');
    expect(bodies).toEqual([
      {
        payment_method: 'CREDIT_CARD',
        payment_token: 'tok_approved',
        amount: { amount: total, currency: 'USD' },
        reference: 'till-4',
      },
    ]);
    expect(seen[0]).toEqual({
      payment_method: 'CREDIT_CARD',
      cents: total,
      idempotencyKey: settlement.tenders[0]?.idempotencyKey,
      startedAt: expect.any(Date),
    });
  });

  test('after 24 hours is only looked for, never sent again', async () => {
    const { service, client, orderId } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { fail: 'socket_reset', times: 9 });
    await service.clock
      .runUntil(client.orders.settle(orderId, { tenders: [card], journal }))
      .catch((error: unknown) => expect(error).toBeInstanceOf(OutcomeUnknownError));
    service.faults.clear();
    const sent = paymentRequests(service).length;
    await service.clock.advance('24h');

    const run = service.clock.runUntil(clientOf(service).orders.settle(orderId, { tenders: [card], journal }));

    await expect(run).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(paymentRequests(service)).toHaveLength(sent);
    expect(service.ledger(orderId).charged).toBe(0);
  });

  test('after 24 hours can be written off by who asked the service, and the order paid', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { fail: 'socket_reset', times: 5 });
    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [card], journal }));
    const { idempotencyKey } = (await run.catch((error: unknown) => error)) as OutcomeUnknownError;
    const notCharged = [idempotencyKey ?? ''];

    const early = service.clock.runUntil(client.orders.resume(orderId, { journal, notCharged }));
    await expect(early).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'still_decidable' });
    await service.clock.advance('24h');
    const resumed = client.orders.resume(orderId, { journal, notCharged, tenders: [card] });
    const settlement = await service.clock.runUntil(resumed);

    expect(settlement.status).toBe('PAID');
    expect(settlement.tenders.map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED']);
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('is repeated shortly before the 24 hours end', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { fail: 'socket_reset', times: 5 });
    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [card], journal }));
    await expect(run).rejects.toBeInstanceOf(OutcomeUnknownError);
    await service.clock.advance('23h');

    const settlement = await service.clock.runUntil(
      clientOf(service).orders.settle(orderId, { tenders: [card], journal }),
    );

    expect(settlement.status).toBe('PAID');
    expect(new Set(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(service.ledger(orderId).charged).toBe(total);
  });
});

describe('a call that ends early', () => {
  test('by its signal, during the request, leaves an unknown outcome that the same call settles', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const controller = new AbortController();
    service.faults.next(PAYMENTS, { fail: 'stall' });
    client.on('request', ({ path }) => {
      if (!path.endsWith('/payments')) return;
      service.clock.setTimer(() => controller.abort(new Error('shift ended')), 3000);
    });

    const run = client.orders.settle(orderId, { tenders: [card], signal: controller.signal });
    const error = await service.clock.runUntil(run).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(OutcomeUnknownError);
    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));
    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
    expect(new Set(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  test('before it began sends nothing', async () => {
    const { service, client, orderId } = await orderToPay();
    const sent = service.requests().length;

    const run = client.orders.settle(orderId, { tenders: [card], signal: AbortSignal.abort(new Error('closed')) });

    await expect(run).rejects.toMatchObject({ name: 'APIUserAbortError', cause: new Error('closed') });
    expect(service.requests()).toHaveLength(sent);
  });

  test('by its deadline, while a payment is followed, tells what is charged and what is under way', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const slow: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_slow', amount: 'remaining' };
    service.payments.settleAfter('1h');

    const run = client.orders.settle(orderId, { tenders: [giftCard, slow], deadline: 20_000 });
    const error = await service.clock.runUntil(run).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(SettlementInterruptedError);
    expect(error).toMatchObject({
      cause: { name: 'DeadlineExceededError' },
      settlement: { tenders: [{ status: 'PROCESSING' }, { status: 'UNSENT' }] },
    });
    service.payments.settleAfter(0);
    await service.clock.advance('1h');
    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, slow] }));
    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
  });

  test('by a rate limit is nothing that was charged, and the same call goes on', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    service.faults.next(PAYMENTS, { status: 429, retryAfterSeconds: 30 });

    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));
    await expect(run).rejects.toMatchObject({ name: 'RateLimitError' });

    await service.clock.advance('31s');
    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));
    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
  });
});

describe('two calls for one order', () => {
  test('in one process wait for each other, and charge once', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const tenders = [giftCard, card];

    const both = Promise.all([client.orders.settle(orderId, { tenders }), client.orders.settle(orderId, { tenders })]);
    const [first, second] = await service.clock.runUntil(both);

    expect([first.status, second.status]).toEqual(['PAID', 'PAID']);
    expect(second.tenders.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      first.tenders.map(({ idempotencyKey }) => idempotencyKey),
    );
    expect(service.ledger(orderId).charged).toBe(total);
    expect(paymentRequests(service)).toHaveLength(2);
  });

  test('with the same tenders again charge nothing again, also when only a part was to be paid', async () => {
    const { service, client, orderId } = await orderToPay();
    await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard] }));

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard] }));

    expect(settlement.status).toBe('PARTIALLY_PAID');
    expect(service.ledger(orderId).charged).toBe(500);
    expect(paymentRequests(service)).toHaveLength(1);
  });
});

describe('resume', () => {
  const interrupted = async () => {
    const order = await orderToPay({ maxRetries: 0 });
    const { service, client, orderId } = order;
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });
    const unblock = service.onRequest(({ method, route }) => {
      if (`${method} ${route}` === PAYMENTS) service.faults.next(ORDER, { status: 503, times: 40 });
    });
    const run = service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card], journal }));
    await run.catch((error: unknown) => expect(error).toBeInstanceOf(OutcomeUnknownError));
    unblock();
    service.faults.clear();
    return { ...order, journal };
  };

  test('without tenders takes over what the order shows, sends nothing, and lists what is unsent', async () => {
    const { service, orderId, journal } = await interrupted();

    const settlement = await service.clock.runUntil(clientOf(service).orders.resume(orderId, { journal }));

    expect(settlement).toMatchObject({
      status: 'PARTIALLY_PAID',
      tenders: [
        { payment_method: 'GIFT_CARD', status: 'COMPLETED' },
        { payment_method: 'CREDIT_CARD', status: 'UNSENT', amount: 'remaining' },
      ],
    });
    expect(paymentRequests(service)).toHaveLength(1);
  });

  test('with the tenders pays the rest', async () => {
    const { service, orderId, journal, total } = await interrupted();

    const settlement = await service.clock.runUntil(
      clientOf(service).orders.resume(orderId, { journal, tenders: [giftCard, card] }),
    );

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
    expect(paymentRequests(service)).toHaveLength(2);
  });

  test('asks about the same decline again to know the tender of a replacement that is undecided', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    const tenders = [declinedCard];
    const onDeclined = ({ tender }: Decline) => {
      if (tender === declinedCard) service.faults.next(PAYMENTS, { fail: 'socket_reset', times: 5 });
      return tender === declinedCard ? card : 'stop';
    };
    const first = service.clock.runUntil(client.orders.settle(orderId, { tenders, journal, onDeclined }));
    await expect(first).rejects.toBeInstanceOf(OutcomeUnknownError);
    service.faults.clear();

    const again = clientOf(service).orders.settle(orderId, { tenders, journal, onDeclined: () => card });
    const settlement = await service.clock.runUntil(again);

    expect(settlement.status).toBe('PAID');
    expect(settlement.tenders.map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED']);
    expect(service.ledger(orderId).charged).toBe(total);
    expect(new Set(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  test('refuses another tender while one is undecided, and says how to go on', async () => {
    const { service, client, orderId } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { fail: 'socket_reset', times: 9 });
    const first = service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard, card], journal }));
    await expect(first).rejects.toBeInstanceOf(OutcomeUnknownError);
    service.faults.clear();
    const sent = paymentRequests(service).length;
    const other: Tender = { ...giftCard, gift_card_number: 'GIFT-2500' } as Tender;

    const run = service.clock.runUntil(client.orders.resume(orderId, { journal, tenders: [other, card] }));

    const error = (await run.catch((caught: unknown) => caught)) as PaymentStateError;
    expect(error).toBeInstanceOf(PaymentStateError);
    expect(error.reason).toBe('tender_differs');
    expect(error.message).toMatch(/GIFT_CARD, 500 cents.*Pass that tender again.*resume/);
    expect(paymentRequests(service)).toHaveLength(sent);
  });

  test('of an order that was never settled tells how it stands', async () => {
    const { service, client, orderId, total } = await orderToPay();

    const settlement = await service.clock.runUntil(client.orders.resume(orderId));

    expect(settlement).toMatchObject({ status: 'UNPAID', tenders: [], balanceDue: { amount: total } });
  });
});

describe('the journal', () => {
  test('holds no card data, token or customer id', async () => {
    const { service, client, orderId } = await orderToPay();
    const store = memoryStore({ clock: service.clock });
    const tenders: Tender[] = [
      { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'CUST-12345', amount: 100 },
      { payment_method: 'GIFT_CARD', gift_card_number: '6006491234567890', gift_card_pin: '4821', amount: 500 },
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_secret', amount: 'remaining' },
    ];
    const written: string[] = [];
    const inner = storeJournal(store);
    const journal = {
      ...inner,
      write: (id: string, expected: string | undefined, next: string) => {
        written.push(next);
        return inner.write(id, expected, next);
      },
    };

    await service.clock.runUntil(client.orders.settle(orderId, { tenders, journal }));

    expect(written.length).toBeGreaterThan(6);
    for (const text of written) expect(text).not.toMatch(/CUST-12345|6006491234567890|4821|tok_secret/);
  });

  test('in files keeps keys over a restart', async () => {
    const { service, orderId, total } = await orderToPay();
    const directory = await mkdtemp(join(tmpdir(), 'journal-'));
    const tenders = [giftCard, card];
    const first = await service.clock.runUntil(
      clientOf(service).orders.settle(orderId, { tenders, journal: fileJournal(directory) }),
    );

    const second = await service.clock.runUntil(
      clientOf(service).orders.settle(orderId, { tenders, journal: fileJournal(directory) }),
    );

    expect(second.tenders.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      first.tenders.map(({ idempotencyKey }) => idempotencyKey),
    );
    expect(service.ledger(orderId).charged).toBe(total);
  });
});
