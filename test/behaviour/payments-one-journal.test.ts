import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileJournal, storeJournal } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { card, UnkindShop } from './unkind-shop.js';

describe('rule 9: one order has one journal', () => {
  test("the client's own store and storeJournal over it are the same journal", async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();

    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)] }));
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(store) }));

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('the spelling of an order id makes no other journal', async () => {
    const shop = new UnkindShop();
    const client = shop.client();

    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)] }));
    await shop.ended(client.orders.settle(shop.orderId.toUpperCase(), { tenders: [card(500)] }));

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('two calls at once that spell the order id differently charge it once', async () => {
    const shop = new UnkindShop();
    const client = shop.client();

    await shop.ended(
      Promise.all([
        client.orders.settle(shop.orderId, { tenders: [card(500)] }),
        client.orders.settle(shop.orderId.toUpperCase(), { tenders: [card(500)] }),
      ]),
    );

    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test.each([60_000, 24 * 3_600_000, 0, -5, Number.NaN])('a journal that forgets after %d ms is refused', (ttlMs) => {
    const { store } = new UnkindShop().process();

    expect(() => storeJournal(store, { ttlMs })).toThrow(/ttlMs/);
  });

  test('a record of another service or client is refused, and nothing is sent', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(store) }));
    const other = shop.client({ name: 'other', clientId: '99999999-2222-4333-8444-555555555555' });

    const error = await shop.rejection(
      other.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(store) }),
    );

    expect(error.name).toBe('PaymentStateError');
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('a journal of an order that is used again for another one with its id is refused at once', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(store) }));
    await shop.pass(60_000);
    shop.service.openOrder(shop.orderId, 2000);
    const before = shop.seconds;

    const error = await shop.rejection(
      client.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(store) }),
    );

    expect(error.name).toBe('PaymentStateError');
    expect(shop.seconds - before).toBeLessThan(5);
  });
});

test('a journal of files stays where it was made when the process changes its directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'journal-'));
  const home = process.cwd();
  try {
    process.chdir(directory);
    const journal = fileJournal('./payments');
    await journal.write('33333333-3333-4333-8333-000000000001', undefined, '{"one":1}');
    process.chdir(tmpdir());

    expect(await journal.read('33333333-3333-4333-8333-000000000001')).toBe('{"one":1}');
  } finally {
    process.chdir(home);
    await rm(directory, { recursive: true });
  }
});
