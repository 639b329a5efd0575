import { describe, expect, test } from 'vitest';
import { card, gift, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('rule 12: a payment that the service changes after it was completed', () => {
  test.each(['PARTIALLY_REFUNDED', 'SETTLED', 'DISPUTED', 'EXPIRED'])(
    'stays charged under the status %s, and the rest is paid',
    async (status) => {
      const shop = new UnkindShop();
      const client = shop.client();
      await shop.ended(client.orders.settle(shop.orderId, { tenders: [gift(500)] }));
      shop.service.changeStatus(shop.orderId, 0, status);
      const before = shop.seconds;

      const settlement = await shop.ended(
        client.orders.settle(shop.orderId, { tenders: [gift(500), card(1000)] }).catch((error: unknown) => error),
      );

      expect(settlement).toMatchObject({ tenders: [{ status: 'COMPLETED' }, { status: 'COMPLETED' }] });
      expect(shop.seconds - before).toBeLessThan(600);
      expect(await shop.chargesInTheEnd()).toEqual([500, 1000]);
    },
  );

  test('is part of the result when the store voids it, and no error for ever', async () => {
    const shop = new UnkindShop();
    const client = shop.client();
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card('remaining')] }));
    shop.service.changeStatus(shop.orderId, 0, 'VOIDED');
    await shop.pass(HOUR);

    const settlement = await shop.ended(client.orders.settle(shop.orderId, { tenders: [card('remaining')] }));

    expect(settlement.orderId).toBe(shop.orderId);
    expect(await shop.chargesInTheEnd()).toEqual([2000]);
  });
});

describe('rule 12: a payment that cannot be decided', () => {
  test('is told by its key: it was not charged', async () => {
    const shop = new UnkindShop();
    const client = shop.client({ passages: [{ isLostOnTheWay: true, answer: 'reset' }] });
    const error = await shop.rejection<Error & { settlement: { tenders: { idempotencyKey: string }[] } }>(
      client.orders.settle(shop.orderId, { tenders: [card(500)], deadline: 20 * SECOND }),
    );
    const key = error.settlement.tenders[0]?.idempotencyKey ?? '';
    await shop.pass(25 * HOUR);

    const settlement = await shop.ended(client.orders.resume(shop.orderId, { notCharged: [key] }));

    expect(settlement.tenders).toMatchObject([{ status: 'FAILED' }]);
    expect(
      (await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500, 'card-2')] }))).charged.amount,
    ).toBe(500);
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('is told by its key: it was charged, under a record that looks like another payment', async () => {
    const shop = new UnkindShop({
      behaviour: { keysShown: false, methodShown: 'APPLE_PAY', amountShownAboveBy: 10 },
      fates: [{ errorAfter: true }],
    });
    const client = shop.client();
    const error = await shop.rejection<Error & { settlement: { tenders: { idempotencyKey: string }[] } }>(
      client.orders.settle(shop.orderId, { tenders: [card(500)] }),
    );
    const key = error.settlement.tenders[0]?.idempotencyKey ?? '';
    const [movement] = shop.service.ledger;

    const settlement = await shop.ended(
      client.orders.resume(shop.orderId, { charged: { [key]: movement?.recordId ?? '' } } as object),
    );

    expect(settlement.tenders).toMatchObject([{ status: 'COMPLETED' }]);
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('got a success that the order never shows: a person can say that it was not charged', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'pending_completed', pendingMs: 100 * HOUR }] });
    const client = shop.client();
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)] }).catch(() => {}));
    // The order is another one behind the same id, without the payment.
    shop.service.forgetPayments(shop.orderId);
    await shop.pass(25 * HOUR);
    const open = await shop.ended(client.orders.resume(shop.orderId).catch((error: unknown) => error as never));
    const key = (open as { tenders?: readonly { idempotencyKey: string }[] }).tenders?.[0]?.idempotencyKey ?? '';

    const settlement = await shop.ended(client.orders.resume(shop.orderId, { notCharged: [key] }));

    expect(settlement.tenders).toMatchObject([{ status: 'FAILED' }]);
  });
});

test('a person can tell what became of a payment of a service that sends no Date', async () => {
  const shop = new UnkindShop({ behaviour: { dateHeader: false } });
  const client = shop.client({ passages: [{ isLostOnTheWay: true, answer: 'reset' }] });
  const error = await shop.rejection<Error & { settlement: { tenders: { idempotencyKey: string }[] } }>(
    client.orders.settle(shop.orderId, { tenders: [card(500)], deadline: 20 * SECOND }),
  );
  const key = error.settlement.tenders[0]?.idempotencyKey ?? '';

  const settlement = await shop.ended(client.orders.resume(shop.orderId, { notCharged: [key] }), 200 * SECOND);

  expect(settlement.tenders).toMatchObject([{ status: 'FAILED' }]);
});

test('a decline is asked about no more when nothing is due', async () => {
  const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
  const client = shop.client();
  let asked = 0;
  const onDeclined = () => {
    asked += 1;
    return new Promise<never>(() => {});
  };
  const options = { tenders: [card('remaining')], onDeclined };
  await shop.rejection(client.orders.settle(shop.orderId, { ...options, deadline: 5 * SECOND }));
  shop.service.payElsewhere(shop.orderId, 2000, 'CASH');

  const settlement = await shop.ended(client.orders.settle(shop.orderId, options));

  expect(settlement.status).toBe('PAID');
  expect(asked).toBe(1);
});
