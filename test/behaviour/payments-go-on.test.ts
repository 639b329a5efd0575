import { memoryStore, type Order, type PaymentJournal, storeJournal, type Tender } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { clientOf, orderToPay, paymentRequests } from './order-to-pay.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
const CHECKOUT = 'POST /carts/{cart_id}/checkout';
const card: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' };
const declinedCard: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_declined', amount: 'remaining' };

describe('rule 11: foreign code cannot hold a settlement', () => {
  const forever = () => new Promise<never>(() => {});

  test('a handler that never answers ends with the deadline', async () => {
    const { service, client, orderId } = await orderToPay();
    const run = client.orders.settle(orderId, { tenders: [declinedCard], onDeclined: forever, deadline: 5000 });

    await expect(service.clock.runUntil(run)).rejects.toMatchObject({
      name: 'SettlementInterruptedError',
      cause: { name: 'DeadlineExceededError' },
    });
    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [card] }));
    expect(settlement.status).toBe('PAID');
  });

  test('so does onChange of waitFor, and onPriceChange of the guarded checkout', async () => {
    const { service, client, orderId } = await orderToPay();
    const waiting = client.orders.waitFor(orderId, 'paid', { onChange: forever, deadline: 5000 });
    await expect(service.clock.runUntil(waiting)).rejects.toMatchObject({ name: 'DeadlineExceededError' });

    const { cartId } = await readyCart(client, service);
    const shown = await client.carts.calculate(cartId);
    const stale = { ...shown, total: { ...shown.total, amount: shown.total.amount - 1 } };
    const controller = new AbortController();
    const checkout = client.carts.checkoutWithPrice(cartId, {
      shown: stale,
      signal: controller.signal,
      onPriceChange: () => {
        setTimeout(() => controller.abort(new Error('gone')), 5);
        return forever();
      },
    });
    await expect(checkout).rejects.toMatchObject({ name: 'APIUserAbortError' });
  });

  test.each([Number.NaN, 0, -1, '5000'])('a deadline of %s is refused before anything is sent', async (deadline) => {
    const { service, client, orderId } = await orderToPay();
    const sent = service.requests().length;

    const run = client.orders.settle(orderId, { tenders: [card], deadline: deadline as number });

    await expect(run).rejects.toMatchObject({ name: 'ConfigurationError' });
    expect(service.requests()).toHaveLength(sent);
  });
});

describe('rule 12: an order that a crash left open', () => {
  test('is found by resumeAll, and paid with its tenders', async () => {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    service.faults.next(PAYMENTS, { fail: 'socket_reset' });
    const first = client.orders.settle(orderId, { tenders: [card], journal, deadline: 10_000 });
    await expect(service.clock.runUntil(first)).rejects.toMatchObject({ name: 'OutcomeUnknownError' });

    const again = clientOf(service).orders.resumeAll({ journal, tenders: () => [card] });
    const results = await service.clock.runUntil(again);

    expect(results).toMatchObject([{ orderId, settlement: { status: 'PAID' } }]);
    expect(service.ledger(orderId).charged).toBe(total);
    expect(await service.clock.runUntil(client.orders.resumeAll({ journal }))).toEqual([]);
  });

  test('of a journal that cannot tell is refused with what to do', async () => {
    const { client } = await orderToPay();
    const journal = { read: async () => undefined, write: async () => true };

    await expect(client.orders.resumeAll({ journal })).rejects.toThrow(/no open\(\).*fileJournal/);
  });
});

describe('rule 12: a handler that throws while open orders are gone on with', () => {
  async function twoOpenOrders() {
    const { service, client, orderId, total } = await orderToPay({ maxRetries: 0 });
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    const { cartId } = await readyCart(client, service);
    const { order_id: otherId } = await service.clock.runUntil(
      client.carts.checkout(cartId, { handoff_mode: { mode: 'PICKUP' } }),
    );
    for (const id of [orderId, otherId]) {
      service.faults.next(PAYMENTS, { fail: 'socket_reset' });
      const lost = client.orders.settle(id, { tenders: [card], journal, deadline: 10_000 });
      await expect(service.clock.runUntil(lost)).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    }
    return { service, journal, orderId, otherId, total };
  }

  test('is the result of its order, and the others are paid', async () => {
    const { service, journal, orderId, otherId } = await twoOpenOrders();
    const broken = new Error('the database of carts is away');
    const tenders = (id: string) => {
      if (id === orderId) throw broken;
      return [card];
    };

    const results = await service.clock.runUntil(clientOf(service).orders.resumeAll({ journal, tenders }));

    expect(results).toHaveLength(2);
    expect(results).toContainEqual({ orderId, error: broken });
    expect(results).toContainEqual(
      expect.objectContaining({ orderId: otherId, settlement: expect.objectContaining({ status: 'PAID' }) }),
    );
    const open = [];
    for await (const id of journal.open?.() ?? []) open.push(id);
    expect(open).toEqual([orderId]);
  });

  test('at a decline is told with what was charged, and the order stays open', async () => {
    const { service, journal, orderId, otherId, total } = await twoOpenOrders();
    const broken = new Error('nobody is at the till');
    service.payments.declineNext('*');
    const onDeclined = () => {
      throw broken;
    };
    const options = { journal, tenders: () => [card], onDeclined };

    const results = await service.clock.runUntil(clientOf(service).orders.resumeAll(options));

    const failed = results.filter((result) => 'error' in result);
    expect(failed).toMatchObject([{ error: { name: 'SettlementInterruptedError', cause: broken } }]);
    expect(results.filter((result) => 'settlement' in result)).toMatchObject([{ settlement: { status: 'PAID' } }]);
    const again = await service.clock.runUntil(
      clientOf(service).orders.resumeAll({ ...options, onDeclined: () => 'retry' }),
    );
    expect(again).toMatchObject([{ orderId: failed[0]?.orderId, settlement: { status: 'PAID' } }]);
    expect(service.ledger(orderId).charged).toBe(total);
    expect(service.ledger(otherId).net).toBe(service.ledger(otherId).charged);
  });
});

describe('rule 12: an abort while the order is cancelled', () => {
  test.each([
    ['reached the service', true],
    ['was lost on the way', false],
  ])('is ended by the next call with the same key, when the request %s', async (_, isExecuted) => {
    const { service, client, orderId } = await orderToPay();
    const journal = storeJournal(memoryStore({ clock: service.clock }));
    const controller = new AbortController();
    const keys: (string | null)[] = [];
    const fetchOnce: typeof fetch = async (input, init) => {
      if (!String(input).endsWith('/cancel')) return service.fetch(input, init);
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      if (keys.length > 1) return service.fetch(input, init);
      if (isExecuted) await service.fetch(input, { ...init, signal: null });
      controller.abort();
      return new Promise((__, reject) => reject(init?.signal?.reason));
    };
    const tenders: Tender[] = [
      { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'points', amount: 300 },
      declinedCard,
    ];
    const cancelling = clientOf(service, { dispatcher: undefined, fetch: fetchOnce });
    const options = { tenders, journal, onDeclined: () => 'cancel_order' as const };
    const first = cancelling.orders.settle(orderId, { ...options, signal: controller.signal });
    await expect(service.clock.runUntil(first)).rejects.toMatchObject({
      name: 'SettlementInterruptedError',
      cause: { name: 'APIUserAbortError' },
    });

    const settlement = await service.clock.runUntil(cancelling.orders.settle(orderId, { tenders, journal }));

    expect(settlement.status).toBe('CANCELLED');
    expect(service.ledger(orderId).net).toBe(0);
    expect(new Set(keys).size).toBe(1);
    expect((await client.orders.retrieve(orderId)).status).toBe('CANCELLED');
  });
});

describe('rule 13: no endless work', () => {
  test('a card that is always declined is retried five times, each after a longer pause', async () => {
    const { service, client, orderId } = await orderToPay();
    const startedAt = service.clock.now();
    const retryable: boolean[] = [];

    const run = client.orders.settle(orderId, {
      tenders: [declinedCard],
      onDeclined: (decline) => {
        retryable.push(decline.retryable);
        return 'retry';
      },
    });
    const settlement = await service.clock.runUntil(run);

    expect(settlement.status).toBe('UNPAID');
    expect(retryable).toEqual([true, true, true, true, true, false]);
    expect(paymentRequests(service)).toHaveLength(6);
    expect(service.clock.now() - startedAt).toBeGreaterThanOrEqual(31_000);
  });

  test('a declined tender is replaced twenty times at most', async () => {
    const { service, client, orderId } = await orderToPay();

    const run = client.orders.settle(orderId, { tenders: [declinedCard], onDeclined: () => declinedCard });

    await expect(service.clock.runUntil(run)).rejects.toMatchObject({ reason: 'too_many_replacements' });
    expect(paymentRequests(service)).toHaveLength(21);
  });

  test('a replacement in another currency is refused like a tender', async () => {
    const { service, client, orderId } = await orderToPay();
    const euros: Tender = { ...card, amount: { amount: 500, currency: 'EUR' } };

    const run = client.orders.settle(orderId, { tenders: [declinedCard], onDeclined: () => euros });

    await expect(service.clock.runUntil(run)).rejects.toMatchObject({ reason: 'currency_differs' });
    expect(service.ledger(orderId).charged).toBe(0);
  });

  test('tenders are copied: what the caller wipes after the call is sent as it was', async () => {
    const { service, client, orderId, total } = await orderToPay();
    const wiped = { ...card };

    const run = client.orders.settle(orderId, { tenders: [wiped] });
    Object.assign(wiped, { payment_token: 'tok_declined' });

    expect((await service.clock.runUntil(run)).status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
  });
});

describe('rule 15: a guarded checkout whose response was lost', () => {
  test.each(['a key', 'a journal'])('gives the same order when it is repeated with %s', async (by) => {
    const { service, client } = await orderToPay({ maxRetries: 0 });
    const { cartId } = await readyCart(client, service);
    const options =
      by === 'a key'
        ? { idempotencyKey: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', handoff_mode: { mode: 'PICKUP' as const } }
        : { journal: storeJournal(memoryStore({ clock: service.clock })), handoff_mode: { mode: 'PICKUP' as const } };
    const orders = service.orders().length;
    service.faults.next(CHECKOUT, { after: 'commit', fail: 'socket_reset' });
    const lost = client.carts.checkoutWithPrice(cartId, options);
    await expect(service.clock.runUntil(lost)).rejects.toMatchObject({ outcome: 'unknown' });

    const result = await service.clock.runUntil(clientOf(service).carts.checkoutWithPrice(cartId, options));

    expect(result.status).toBe('CHECKED_OUT');
    expect(service.orders()).toHaveLength(orders + 1);
  });
});

describe('rule 15: the journal of a guarded checkout', () => {
  const handoff_mode = { mode: 'PICKUP' as const };
  const journalOf = (text: string | undefined): PaymentJournal => ({
    read: async () => text,
    write: async () => true,
  });

  test.each([
    ['that is not JSON', '{"open":'],
    ['of something else', JSON.stringify({ format: 2, runs: [] })],
    ['without attempts', 'null'],
    ['with an attempt that has no key', JSON.stringify({ attempts: [{ price: { total: { amount: 5 } } }] })],
    ['with an attempt that has no total', JSON.stringify({ attempts: [{ key: 'k', price: { total: 'much' } }] })],
  ])('with a text %s checks nothing out', async (_, text) => {
    const { service, client } = await orderToPay({ maxRetries: 0 });
    const { cartId } = await readyCart(client, service);
    const orders = service.orders().length;

    const checkout = client.carts.checkoutWithPrice(cartId, { journal: journalOf(text), handoff_mode });

    await expect(service.clock.runUntil(checkout)).rejects.toMatchObject({
      name: 'PaymentStateError',
      reason: 'journal_unreadable',
    });
    expect(service.orders()).toHaveLength(orders);
  });

  test.each([
    ['hangs', { read: () => new Promise<never>(() => {}) }],
    ['fails', { read: () => Promise.reject(new Error('disk full')) }],
    ['refuses every write', { write: async () => false }],
    ['gives a number', { read: async () => 5 as never }],
  ])('that %s ends the checkout, and checks nothing out', async (_, broken) => {
    const { service, client } = await orderToPay({ maxRetries: 0 });
    const { cartId } = await readyCart(client, service);
    const orders = service.orders().length;

    const journal = { ...journalOf(undefined), ...broken };
    const checkout = client.carts.checkoutWithPrice(cartId, { journal, handoff_mode });

    await expect(service.clock.runUntil(checkout)).rejects.toMatchObject({ reason: 'journal_unavailable' });
    expect(service.orders()).toHaveLength(orders);
  });
});

describe('rule 12: what the journal knows as done stays done', () => {
  test.each(['PARTIALLY_REFUNDED', 'SETTLED', 'DISPUTED'])('under the status %s', async (status) => {
    const { service, orderId, total } = await orderToPay();
    let shown = '';
    const renamed: typeof fetch = async (input, init) => {
      const response = await service.fetch(input, init);
      const body = (await response.json()) as Order;
      for (const payment of body.payments ?? []) if (shown !== '') payment.status = shown;
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    };
    const client = clientOf(service, { dispatcher: undefined, fetch: renamed });
    const gift: Tender = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 };
    await service.clock.runUntil(client.orders.settle(orderId, { tenders: [gift] }));
    shown = status;
    const startedAt = service.clock.now();

    const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [gift, card] }));

    expect(settlement.status).toBe('PAID');
    expect(service.ledger(orderId).charged).toBe(total);
    expect(service.clock.now() - startedAt).toBeLessThan(10_000);
  });
});

async function readyCart(
  client: ReturnType<typeof clientOf>,
  service: Awaited<ReturnType<typeof orderToPay>>['service'],
): Promise<{ cartId: string }> {
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  return { cartId: cart.id };
}
