import { storeJournal } from 'online-ordering-sdk';
import { beforeAll, expect, test } from 'vitest';
import { type Sdk, sdkCopies } from '../model/sdk-copies.js';
import { card, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;
let copies: Sdk[];

beforeAll(async () => {
  copies = await sdkCopies(2);
});

test('rule 2: a process that waits out a 429 sends nothing once another one has taken the order', async () => {
  const shop = new UnkindShop({
    fates: [{ refusedWith: 429, retryAfterSeconds: 61 }, { outcome: 'declined' }],
  });
  const isAway = (): boolean => shop.seconds >= 5 && shop.seconds < 45;
  const first = shop.process({
    name: 'first',
    sdk: copies[0],
    storeFate: () => (isAway() ? { fails: 'before' } : {}),
    // They share the journal alone, so that the second one knows nothing of the cool-down.
    store: undefined,
  });
  const second = shop.process({ name: 'second', sdk: copies[1], store: undefined });
  const tenders = [card(700, 'first')];

  const lost = first.client.orders.settle(shop.orderId, { tenders, journal: storeJournal(first.store) }).then(
    ({ status }) => status as string,
    (error: { reason?: string }) => String(error.reason),
  );
  await shop.pass(2 * SECOND);
  await shop.ended(
    second.client.orders.settle(shop.orderId, {
      tenders,
      journal: storeJournal(second.store),
      onDeclined: () => card(700, 'second'),
    }),
  );

  expect(await shop.chargesInTheEnd()).toEqual([700]);
  expect(['lock_lost', 'journal_unavailable', 'PARTIALLY_PAID']).toContain(await shop.ended(lost));
});

test('rule 2: a process that was stopped at any step, and goes on when its order was taken, sends nothing more', async () => {
  for (let step = 1; step <= 25; step += 1) {
    const shop = new UnkindShop({
      behaviour: { overpayment: 'accept', keysInFlight: 'run_twice' },
      fates: [{ refusedWith: 429, retryAfterSeconds: 20 }, { outcome: 'declined' }],
    });
    const first = shop.process({ name: 'first', sdk: copies[0], store: undefined });
    const second = shop.process({ name: 'second', sdk: copies[1], store: undefined });
    const tenders = [card(700, 'first')];
    const onDeclined = () => card(700, 'second');

    const stopped = first.client.orders
      .settle(shop.orderId, { tenders, onDeclined, journal: storeJournal(first.store) })
      .then(ending, ending);
    await shop.pass(step * 3);
    first.process.suspend(60 * SECOND);
    const going = second.client.orders.settle(shop.orderId, {
      tenders,
      onDeclined,
      journal: storeJournal(second.store),
    });
    await shop.ended(going.then(ending, ending));
    await shop.ended(stopped);

    expect({ step, charges: await shop.chargesInTheEnd() }).toEqual({ step, charges: [700] });
  }
});

test('rule 10: a step of the wall clock does not take an order from a living process', async () => {
  const shop = new UnkindShop({ fates: [{ executesMs: 20 * SECOND }] });
  const first = shop.process({ name: 'first', sdk: copies[0] });
  const second = shop.process({ name: 'second', sdk: copies[1] });

  const paying = first.client.orders.settle(shop.orderId, { tenders: [card(700)] });
  await shop.pass(1 * SECOND);
  const waiting = second.client.orders.settle(shop.orderId, { tenders: [card(700)] });
  await shop.pass(2 * SECOND);
  second.process.stepWall(31 * SECOND);
  await shop.pass(5 * SECOND);

  expect(shop.writes).toHaveLength(1);
  expect((await shop.ended(paying)).charged.amount).toBe(700);
  expect((await shop.ended(waiting)).charged.amount).toBe(700);
  expect(await shop.chargesInTheEnd()).toEqual([700]);
});

test('rule 10: two processes that slept together do not take the order from each other', async () => {
  const shop = new UnkindShop({
    behaviour: { keysInFlight: 'run_twice', overpayment: 'accept' },
    fates: [{ executesMs: 50 * SECOND }, { executesMs: 50 * SECOND }],
  });
  const first = shop.process({ name: 'first', sdk: copies[0], timeout: 60_000 });
  const second = shop.process({ name: 'second', sdk: copies[1], timeout: 60_000 });

  const paying = first.client.orders.settle(shop.orderId, { tenders: [card(700)] }).then(ending, ending);
  await shop.pass(1 * SECOND);
  const waiting = second.client.orders.settle(shop.orderId, { tenders: [card(700)] }).then(ending, ending);
  await shop.pass(2 * SECOND);
  first.process.suspend(40 * SECOND + 500);
  second.process.suspend(40 * SECOND);
  await shop.ended(Promise.all([paying, waiting]));

  expect(await shop.chargesInTheEnd()).toEqual([700]);
});

test('rule 1: a request leaves soon after its key was written down, or not at all', async () => {
  const shop = new UnkindShop({ behaviour: { overpayment: 'accept' } });
  const client = shop.client({ name: 'slow', passages: [{ connectMs: 25 * SECOND }] });

  const settlement = await shop.ended(
    client.orders.settle(shop.orderId, { tenders: [card(700)] }).then(ending, ending),
  );

  const [first] = shop.service.requests.filter(({ path }) => path.endsWith('/payments'));
  expect(first?.sentAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(shop.world.now() - 3600 * SECOND);
  expect(settlement).toBeDefined();
  expect(await shop.chargesInTheEnd()).toEqual([700]);
});

function ending(end: unknown): string {
  const { status, reason, name } = end as { status?: string; reason?: string; name?: string };
  return status ?? reason ?? name ?? '';
}
