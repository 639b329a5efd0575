import type { Tender } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { card, gift, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('rule 7: what goes out is checked against the order', () => {
  test('a replacement in another currency is refused, as a tender is', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });

    const error = await shop.rejection(
      shop.client().orders.settle(shop.orderId, {
        tenders: [card(500)],
        onDeclined: () => ({
          payment_method: 'CREDIT_CARD',
          payment_token: 'second',
          amount: { amount: 500, currency: 'EUR' },
        }),
      }),
    );

    expect(error.message).toContain('EUR');
    expect(await shop.chargesInTheEnd()).toEqual([]);
  });

  test('tenders are copied when the call is made', async () => {
    const shop = new UnkindShop();
    const tender = { payment_method: 'CREDIT_CARD', payment_token: 'card-1', amount: 500 } as Tender & {
      payment_token: string;
    };

    const settling = shop.client().orders.settle(shop.orderId, { tenders: [tender] });
    tender.payment_token = 'WIPED';
    await shop.ended(settling);

    expect(shop.writes).toEqual(['card-1']);
  });

  test('a list that no longer holds what was charged is refused', async () => {
    const shop = new UnkindShop();
    const client = shop.client();
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [gift(500)] }));

    const error = await shop.rejection(client.orders.settle(shop.orderId, { tenders: [gift(700)] }));

    expect(error).toMatchObject({ name: 'PaymentStateError' });
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test("'remaining' does not count money twice that readings do not show yet", async () => {
    const shop = new UnkindShop({ behaviour: { readLagMs: 25 * SECOND, overpayment: 'accept' } });

    const settlement = await shop.ended(
      shop.client().orders.settle(shop.orderId, { tenders: [gift(500), card('remaining')] }),
    );

    expect(settlement.status).toBe('PAID');
    expect(await shop.chargesInTheEnd()).toEqual([500, 1500]);
  });

  test('a payment that somebody else makes meanwhile is named beside what was charged', async () => {
    const shop = new UnkindShop();
    shop.service.payElsewhere(shop.orderId, 300, 'CASH');

    const settlement = await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(settlement).toMatchObject({ status: 'PAID', charged: { amount: 1700 }, amountPaid: { amount: 2000 } });
    expect(settlement.otherPayments).toHaveLength(1);
  });
});

describe('rule 4: a key lives for 24 hours', () => {
  test('a key that may have been executed does not go out later than that, however long a service says to wait', async () => {
    const shop = new UnkindShop({
      fates: Array.from({ length: 40 }, () => ({ refusedWith: 429, retryAfterSeconds: 3600 }) as const),
    });
    const passages = [{ isLostOnTheWay: true, answer: 'reset' } as const];
    const client = shop.client({ maxWait: 2 * HOUR, maxRetries: 40, passages });

    for (let calls = 0; calls < 30; calls += 1) {
      const call = client.orders.settle(shop.orderId, { tenders: [card(500)] });
      await shop.ended(
        call.catch(() => {}),
        60 * HOUR,
      );
      await shop.pass(HOUR);
    }

    const times = shop.service.requests.filter(({ path }) => path.endsWith('/payments')).map(({ sentAt }) => sentAt);
    expect(times.length).toBeGreaterThan(2);
    // The first sending was lost on its way, some seconds after the beginning.
    expect(Math.max(...times) - Date.UTC(2026, 0, 31, 10)).toBeLessThan(23.75 * HOUR + 60 * SECOND);
  });
});
