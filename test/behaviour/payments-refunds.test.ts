import type { OnlineOrdering, OutcomeUnknownError } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { card, UnkindShop, type UnkindShopOptions } from './unkind-shop.js';

const SECOND = 1000;

/** An order of which 1,500 are paid; the fates are those of the requests after that. */
async function paidOrder(options: UnkindShopOptions = {}): Promise<{ shop: UnkindShop; client: OnlineOrdering }> {
  const shop = new UnkindShop({ ...options, fates: [{}, ...(options.fates ?? [])] });
  const client = shop.client();
  await shop.ended(client.orders.payments.create(shop.orderId, card(1500)));
  await shop.pass(60 * SECOND);
  return { shop, client };
}

async function lostRefund(shop: UnkindShop, client: OnlineOrdering): Promise<OutcomeUnknownError> {
  return shop.rejection<OutcomeUnknownError>(client.orders.refunds.create(shop.orderId, { amount: 500 }));
}

test('rule 8: a refund whose record is not listed is paid out once, since the refunded sum rose', async () => {
  const { shop, client } = await paidOrder({
    behaviour: { refundsListed: false },
    fates: [{ errorAfter: true }, { errorAfter: true }, { errorAfter: true }],
  });
  const error = await lostRefund(shop, client);

  await shop.ended(error.resolve());
  await shop.ended(error.resolve());

  expect(await shop.refundsInTheEnd()).toEqual([500]);
});

test('rule 8: a FAILED record does not hide the COMPLETED refund behind it', async () => {
  const { shop, client } = await paidOrder({
    fates: Array.from({ length: 4 }, () => ({ leavesFailedRecord: true, errorAfter: true })),
  });
  const error = await lostRefund(shop, client);

  const outcomes: string[] = [];
  for (let times = 0; times < 3; times += 1) outcomes.push((await shop.ended(error.resolve())).outcome);

  expect(outcomes).toEqual(['applied', 'applied', 'applied']);
  expect(await shop.refundsInTheEnd()).toEqual([500]);
});

test('rule 8: a refund that left nothing but a FAILED record was not applied, and moved nothing', async () => {
  const { shop, client } = await paidOrder({ fates: [{ outcome: 'error', leavesFailedRecord: true }] });
  const error = await lostRefund(shop, client);

  const { outcome } = await shop.ended(error.resolve());

  expect(outcome).toBe('not_applied');
  expect(await shop.refundsInTheEnd()).toEqual([]);
});

test('rule 8: a refund that somebody else made minutes ago is not taken for the one whose response was lost', async () => {
  const { shop, client } = await paidOrder({ fates: [{}] });
  await shop.ended(shop.client({ name: 'other' }).orders.refunds.create(shop.orderId, { amount: 500 }));
  await shop.pass(4 * 60 * SECOND);
  const lossy = shop.client({ name: 'lossy', passages: [{ isLostOnTheWay: true, answer: 'reset' }] });
  const error = await lostRefund(shop, lossy);
  void client;

  const resolution = await shop.ended(error.resolve());

  expect(resolution.outcome).toBe('applied');
  expect(await shop.refundsInTheEnd()).toEqual([500, 500]);
});

test('rule 8: resolve() called twice at once sends a repetition once', async () => {
  const shop = new UnkindShop({ behaviour: { keysInFlight: 'run_twice', overpayment: 'accept' } });
  const client = shop.client({ passages: [{ isLostOnTheWay: true, answer: 'reset' }] });
  const error = await shop.rejection<OutcomeUnknownError>(client.orders.payments.create(shop.orderId, card(500)));

  const both = await shop.ended(Promise.all([error.resolve(), error.resolve()]));

  expect(both.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
  expect(await shop.chargesInTheEnd()).toEqual([500]);
});
