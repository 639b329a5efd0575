import type { Decline, OutcomeUnknownError } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { card, gift, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;

test('rule 3: a first request that is declined is a decline, at once', async () => {
  const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
  const declines: Decline[] = [];

  const settlement = await shop.ended(
    shop.client().orders.settle(shop.orderId, {
      tenders: [card(800, 'first')],
      onDeclined: (decline) => {
        declines.push(decline);
        return card(800, 'second');
      },
    }),
  );

  expect(shop.seconds).toBeLessThan(10);
  expect(declines).toHaveLength(1);
  expect(settlement.charged.amount).toBe(800);
  expect(await shop.chargesInTheEnd()).toEqual([800]);
});

test('rule 3: a card that refuses the repetition of a payment it is still executing is no decline', async () => {
  const shop = new UnkindShop({
    behaviour: { keysInFlight: 'run_twice' },
    fates: [{ executesMs: 20 * SECOND }, { outcome: 'declined' }],
  });

  const settlement = await shop.ended(
    shop.client({ timeout: 5000 }).orders.settle(shop.orderId, {
      tenders: [card(800, 'first')],
      onDeclined: () => card(800, 'second'),
    }),
  );

  expect(await shop.chargesInTheEnd()).toEqual([800]);
  expect(settlement.tenders).toMatchObject([{ status: 'COMPLETED' }]);
});

test('rule 3: a repetition that is refused because the gift card was emptied by the first request is no decline', async () => {
  const shop = new UnkindShop({
    behaviour: { readLagMs: 10 * SECOND },
    fates: [{ errorAfter: true }, { outcome: 'declined' }],
  });

  const settlement = await shop.ended(shop.client().orders.settle(shop.orderId, { tenders: [gift(500)] }));

  expect(settlement).toMatchObject({ status: 'PARTIALLY_PAID', charged: { amount: 500 } });
  expect(settlement.tenders).toMatchObject([{ status: 'COMPLETED' }]);
  expect(await shop.chargesInTheEnd()).toEqual([500]);
});

test('rule 3: a handler is not asked for another tender while the first request may have been executed', async () => {
  const shop = new UnkindShop({
    behaviour: { readLagMs: 10 * SECOND, overpayment: 'accept' },
    fates: [{ errorAfter: true }, { outcome: 'declined' }],
  });

  const settlement = await shop.ended(
    shop.client().orders.settle(shop.orderId, {
      tenders: [gift(500), card('remaining')],
      onDeclined: () => card('remaining', 'second'),
    }),
  );

  expect(settlement).toMatchObject({ status: 'PAID', charged: { amount: 2000 } });
  expect(await shop.chargesInTheEnd()).toEqual([500, 1500]);
});

test('rule 5: a repetition that is refused long after the horizon, with nothing in the order, is a decline', async () => {
  const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
  const client = shop.client({ passages: [{ isLostOnTheWay: true, answer: 'reset' }] });

  const settlement = await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(800)] }));

  expect(settlement.tenders).toMatchObject([{ status: 'FAILED' }]);
  expect(await shop.chargesInTheEnd()).toEqual([]);
});

test('rule 3: resolve() of a payment does not take the refusal of its repetition for its fate', async () => {
  const shop = new UnkindShop({
    behaviour: { keysInFlight: 'run_twice' },
    fates: [{ executesMs: 20 * SECOND }, { outcome: 'declined' }],
  });
  const client = shop.client({ timeout: 5000 });
  const error = await shop.rejection<OutcomeUnknownError>(client.orders.payments.create(shop.orderId, card(800)));

  const resolution = await shop.ended(error.resolve());

  expect(resolution.outcome).not.toBe('not_applied');
  expect(await shop.chargesInTheEnd()).toEqual([800]);
  expect((await shop.ended(error.resolve())).outcome).toBe('applied');
});

test('a FAILED record of a decline that shows late is not taken for the fate of the retry after it', async () => {
  const shop = new UnkindShop({
    behaviour: { listLagMs: 2500 },
    fates: [{ outcome: 'declined' }, { errorAfter: true }],
  });
  let asked = 0;

  const settlement = await shop.ended(
    shop.client().orders.settle(shop.orderId, {
      tenders: [card(500, 'first')],
      onDeclined: () => {
        asked += 1;
        return asked === 1 ? 'retry' : card(500, 'second');
      },
    }),
  );

  expect(asked).toBe(1);
  expect(settlement.tenders).toMatchObject([{ status: 'COMPLETED' }]);
  expect(await shop.chargesInTheEnd()).toEqual([500]);
});

test('a service that lets requests with one key wait has declined none of them before it has responded to the last', async () => {
  const shop = new UnkindShop({ fates: [{ executesMs: 12 * SECOND, outcome: 'declined' }] });
  const client = shop.client({ timeout: 5000, payments: { horizonMs: 0, lagMs: 0 } });

  await shop.ended(
    client.orders.settle(shop.orderId, { tenders: [card(800, 'first')], onDeclined: () => card(800, 'second') }),
  );

  expect(await shop.chargesInTheEnd()).toEqual([800]);
});

test('a tender that was charged when it was retried, after its replacement was declined, is charged once', async () => {
  const shop = new UnkindShop({ fates: [{ outcome: 'declined' }, { outcome: 'declined' }] });
  const client = shop.client();
  const tenders = [card(400, 'first')];
  const answers = [() => card(400, 'second'), () => new Promise<never>(() => {})];
  await shop.rejection(
    client.orders.settle(shop.orderId, {
      tenders,
      onDeclined: () => answers.shift()?.() ?? 'stop',
      deadline: 10 * SECOND,
    }),
  );

  await shop.ended(client.orders.settle(shop.orderId, { tenders, onDeclined: () => 'retry' }));
  let asked = 0;
  const last = await shop.ended(
    client.orders.settle(shop.orderId, {
      tenders,
      onDeclined: () => {
        asked += 1;
        return 'stop';
      },
    }),
  );

  expect(asked).toBe(0);
  expect(last.charged.amount).toBe(400);
  expect(await shop.chargesInTheEnd()).toEqual([400]);
});
