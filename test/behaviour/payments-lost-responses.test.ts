import { OutcomeUnknownError } from 'online-ordering-sdk';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Sdk, sdkCopies } from '../model/sdk-copies.js';
import { card, gift, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;

let copies: Sdk[];

beforeAll(async () => {
  copies = await sdkCopies(2);
});

describe('rules 4 and 6: a payment whose response was lost, while the service may still execute it', () => {
  test('a gateway that gives up before the card has responded charges the order once', async () => {
    const shop = new UnkindShop({
      behaviour: { keysInFlight: 'run_twice', overpayment: 'accept' },
      fates: [{ executesMs: 35 * SECOND, gatewayAfterMs: 29 * SECOND }, { executesMs: 35 * SECOND }],
    });

    const settlement = await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(await shop.chargesInTheEnd()).toEqual([2000]);
    expect(settlement).toMatchObject({ status: 'PAID', charged: { amount: 2000 }, otherPayments: [] });
  });

  test('a time-out before the card has responded charges the tender once', async () => {
    const shop = new UnkindShop({
      behaviour: { keysInFlight: 'run_twice', overpayment: 'accept' },
      fates: [{ executesMs: 12 * SECOND }, { executesMs: 12 * SECOND }],
    });

    const settlement = await shop.ended(
      shop.client({ timeout: 5000 }).orders.settle(shop.orderId, { tenders: [card(500)] }),
    );

    expect(await shop.chargesInTheEnd()).toEqual([500]);
    expect(settlement).toMatchObject({ status: 'PARTIALLY_PAID', charged: { amount: 500 } });
  });

  test('a process that starts while the payment of a killed one is executed waits for it', async () => {
    const shop = new UnkindShop({
      behaviour: { keysInFlight: 'run_twice' },
      fates: [{ executesMs: 60 * SECOND }, { executesMs: 60 * SECOND }],
    });
    const first = shop.process({ name: 'killed', sdk: copies[0] });
    void first.client.orders.settle(shop.orderId, { tenders: [card(700)] }).catch(() => {});
    await shop.pass(2 * SECOND);
    first.process.kill();

    const second = shop.client({ name: 'second', sdk: copies[1] });
    await shop.ended(second.orders.settle(shop.orderId, { tenders: [card(700)] }));

    expect(await shop.chargesInTheEnd()).toEqual([700]);
  });

  test('a service that refuses keys in flight with a conflict charges the tender once, and it is found', async () => {
    const shop = new UnkindShop({ behaviour: { keysInFlight: 'conflict' }, fates: [{ executesMs: 60 * SECOND }] });

    const settlement = await shop.ended(
      shop.client({ timeout: 5000 }).orders.settle(shop.orderId, { tenders: [card(500)] }),
    );

    expect(await shop.chargesInTheEnd()).toEqual([500]);
    expect(settlement.charged.amount).toBe(500);
  });
});

describe('rule 4: a payment that was executed, and whose response was an error', () => {
  test.each([3, 4, 8, 20])('is charged once when readings lag by %i seconds', async (lag) => {
    const shop = new UnkindShop({
      behaviour: { readLagMs: lag * SECOND },
      fates: Array.from({ length: 6 }, () => ({ errorAfter: true })),
    });

    await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [gift(500)] }));

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('is charged once when most readings fail', async () => {
    const shop: UnkindShop = new UnkindShop({
      behaviour: { readLagMs: 1500 },
      fates: [{ errorAfter: true }],
      readings: () => (shop.seconds > 1.2 && shop.seconds < 20 ? { refusedWith: 503 } : {}),
    });

    await shop.ended(
      shop
        .client()
        .orders.settle(shop.orderId, { tenders: [gift(300)] })
        .catch(unknownIsRight),
    );

    expect(await shop.chargesInTheEnd()).toEqual([300]);
  });

  test('is charged once however short the polling is', async () => {
    const shop = new UnkindShop({ behaviour: { readLagMs: 300 }, fates: [{ errorAfter: true }] });

    await shop.ended(
      shop.client().orders.settle(shop.orderId, { tenders: [gift(300)], polling: { initialDelayMs: 50 } }),
    );

    expect(await shop.chargesInTheEnd()).toEqual([300]);
  });

  test('is charged once when the list of payments lags and only the sums show it', async () => {
    const shop = new UnkindShop({ behaviour: { listLagMs: 10 * SECOND }, fates: [{ errorAfter: true }] });

    await shop.ended(
      shop
        .client()
        .orders.settle(shop.orderId, { tenders: [gift(500)] })
        .catch(unknownIsRight),
    );

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('is charged once when the sums lag and only the list of payments shows it', async () => {
    const shop = new UnkindShop({ behaviour: { sumsLagMs: 20 * SECOND }, fates: [{ errorAfter: true }] });

    const settlement = await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [gift(500)] }));

    expect(await shop.chargesInTheEnd()).toEqual([500]);
    expect(settlement.charged.amount).toBe(500);
  });

  test.each([
    ['another method', { methodShown: 'APPLE_PAY' }],
    ['another amount', { amountShownAboveBy: 10 }],
  ])('is charged once when its record shows %s', async (_, shown) => {
    const shop = new UnkindShop({ behaviour: { keysShown: false, ...shown }, fates: [{ errorAfter: true }] });

    const error = await shop.rejection(
      shop.client().orders.settle(shop.orderId, {
        tenders: [{ payment_method: 'DIGITAL_WALLET', payment_token: 'wallet-1', amount: 500 }],
      }),
    );

    expect(await shop.chargesInTheEnd()).toEqual([500]);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
  });
});

describe('rules 5 and 6: a payment that was never executed', () => {
  test('goes out again with its key when the horizon has passed', async () => {
    const shop = new UnkindShop();
    const client = shop.client({ passages: [{ isLostOnTheWay: true, answer: 'reset' }] });

    const settlement = await shop.ended(client.orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(settlement.status).toBe('PAID');
    expect(shop.seconds).toBeGreaterThan(90);
    expect(shop.seconds).toBeLessThan(180);
    expect(await shop.chargesInTheEnd()).toEqual([2000]);
  });

  test('goes out again after the lag of readings when the service itself said that it failed', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'error' }] });

    const settlement = await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(settlement.status).toBe('PAID');
    expect(shop.seconds).toBeGreaterThan(30);
    expect(shop.seconds).toBeLessThan(80);
  });

  test('does not go out again while no reading succeeds', async () => {
    const shop: UnkindShop = new UnkindShop({
      fates: [{ outcome: 'error' }],
      readings: () => (shop.seconds > 0.3 ? { refusedWith: 503 } : {}),
    });

    await shop.rejection(shop.client().orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(shop.writes).toHaveLength(1);
  });
});

describe('rule 4: a service without a Date header, and clocks that disagree', () => {
  test('a payment that was executed is found and not repeated, whatever this machine thinks the time is', async () => {
    const shop = new UnkindShop({
      behaviour: { dateHeader: false, keysShown: false },
      fates: [{ errorAfter: true }],
    });
    const client = shop.client({ wallAheadMs: 600 * SECOND });

    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)] }).catch(unknownIsRight));

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });
});

function unknownIsRight(error: unknown): void {
  if (!(error instanceof OutcomeUnknownError)) throw error;
}

describe('rule 8: payments that are sent one by one', () => {
  test('a service whose clock nobody knows is not sent a payment again that it may have executed', async () => {
    const shop = new UnkindShop({
      behaviour: { dateHeader: false, keysShown: false, clockAheadMs: -1200 * SECOND },
      fates: [{ errorAfter: true }],
    });
    const payment = shop.client().orders.payments.create(shop.orderId, card(400));
    const error = await shop.rejection<OutcomeUnknownError>(payment);

    const { outcome } = await shop.ended(error.resolve());

    expect(outcome).toBe('unknown');
    expect(await shop.chargesInTheEnd()).toEqual([400]);
  });

  test('one record is never the outcome of two payments', async () => {
    const shop = new UnkindShop({
      behaviour: { keysShown: false },
      fates: [{ errorAfter: true }, { outcome: 'error' }],
    });
    const { payments } = shop.client().orders;
    const first = await shop.rejection<OutcomeUnknownError>(payments.create(shop.orderId, card(100)));
    const found = await shop.ended(first.resolve());
    const second = await shop.rejection<OutcomeUnknownError>(payments.create(shop.orderId, card(100)));

    const repeated = await shop.ended(second.resolve());

    expect([found.outcome, repeated.outcome]).toEqual(['applied', 'applied']);
    expect(await shop.chargesInTheEnd()).toEqual([100, 100]);
  });
});
