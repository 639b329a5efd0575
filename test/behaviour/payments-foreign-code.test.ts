import { type PaymentJournal, storeJournal } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { card, UnkindShop } from './unkind-shop.js';

const SECOND = 1000;
const never = (): Promise<never> => new Promise(() => {});

describe('rule 11: code of others cannot hold a settlement', () => {
  test('a handler that never answers ends with the deadline, and other calls go on', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
    const client = shop.client();

    const error = await shop.rejection(
      client.orders.settle(shop.orderId, { tenders: [card(500)], onDeclined: never, deadline: 5000 }),
      10 * SECOND,
    );
    const settlement = await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)] }), 60 * SECOND);

    expect(error.name).toBe('SettlementInterruptedError');
    expect(settlement.orderId).toBe(shop.orderId);
  });

  test('a handler that never answers ends with the signal', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
    const controller = new AbortController();
    const settling = shop
      .client()
      .orders.settle(shop.orderId, { tenders: [card(500)], onDeclined: never, signal: controller.signal });
    settling.catch(() => {});
    await shop.pass(10 * SECOND);

    controller.abort();

    expect((await shop.rejection(settling, SECOND)).name).toBe('SettlementInterruptedError');
  });

  test('an answer that a handler gives after the deadline is ignored', async () => {
    const shop = new UnkindShop({ fates: [{ outcome: 'declined' }] });
    let answer = (_: 'retry'): void => {};
    const late = new Promise<'retry'>((resolve) => {
      answer = resolve;
    });

    await shop.rejection(
      shop.client().orders.settle(shop.orderId, { tenders: [card(500)], onDeclined: () => late, deadline: 5000 }),
    );
    answer('retry');
    await shop.pass(60 * SECOND);

    expect(shop.writes).toHaveLength(1);
  });

  test.each(['read', 'write'] as const)(
    'a journal whose %s hangs before anything was sent ends the call',
    async (operation) => {
      const shop = new UnkindShop();
      const { client, store } = shop.process();
      const journal: PaymentJournal = { ...storeJournal(store), [operation]: never };

      const error = await shop.rejection(
        client.orders.settle(shop.orderId, { tenders: [card(500)], journal }),
        300 * SECOND,
      );

      expect(error).toMatchObject({ name: 'PaymentStateError', reason: 'journal_unavailable' });
      expect(shop.writes).toEqual([]);
    },
  );

  test('a journal that hangs after the payment ends the call, which tells what is known', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    const whole = storeJournal(store);
    const isPaid = (): boolean => shop.writes.length > 0;
    const journal: PaymentJournal = {
      read: (id) => (isPaid() ? never() : whole.read(id)),
      write: (id, expected, next) => (isPaid() ? never() : whole.write(id, expected, next)),
    };

    const error = await shop.rejection<Error & { settlement?: object }>(
      client.orders.settle(shop.orderId, { tenders: [card(500)], journal, deadline: 60 * SECOND }),
      120 * SECOND,
    );

    expect(error.settlement).toBeDefined();
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('a store that hangs ends the call', async () => {
    const shop = new UnkindShop();
    const client = shop.client({ storeFate: () => ({ backMs: 24 * 3600 * SECOND }) });

    await shop.rejection(
      client.orders.settle(shop.orderId, { tenders: [card(500)], deadline: 60 * SECOND }),
      120 * SECOND,
    );

    expect(shop.writes).toEqual([]);
  });

  test('a release that fails does not make the same process wait for itself', async () => {
    const shop = new UnkindShop();
    let isFull = false;
    const { client, store } = shop.process();
    const whole = storeJournal(store);
    const journal: PaymentJournal = {
      ...whole,
      write: (id, expected, next) => (isFull ? Promise.reject(new Error('ENOSPC')) : whole.write(id, expected, next)),
    };
    const settling = client.orders.settle(shop.orderId, { tenders: [card(500)], journal }).catch(() => {});
    while (shop.writes.length === 0) await shop.pass(1);
    isFull = true;
    await shop.ended(settling);
    isFull = false;
    const before = shop.seconds;

    await shop.ended(client.orders.settle(shop.orderId, { tenders: [card(500)], journal }));

    expect(shop.seconds - before).toBeLessThan(20);
    expect(await shop.chargesInTheEnd()).toEqual([500]);
  });

  test('an order that does not exist leaves no record behind', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    const missing = '44444444-4444-4444-8444-444444444444';

    await shop.rejection(client.orders.settle(missing, { tenders: [card(500)], journal: storeJournal(store) }));

    expect(await shop.ended(storeJournal(store).read(missing))).toBeUndefined();
  });

  test('a store whose readings lag behind its writes is asked with pauses', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    const whole = storeJournal(store);
    const old = await shop.ended(whole.read(shop.orderId));
    let readings = 0;
    const journal: PaymentJournal = {
      read: async () => {
        readings += 1;
        return old;
      },
      write: (id, expected, next) => whole.write(id, expected, next),
    };
    await shop.ended(whole.write(shop.orderId, undefined, 'something newer'));

    await shop.rejection(
      client.orders.settle(shop.orderId, { tenders: [card(500)], journal, deadline: 30 * SECOND }),
      60 * SECOND,
    );

    expect(readings).toBeLessThan(150);
  });
});

describe('rule 13: no work without end', () => {
  test("'retry' on a card that is always declined stops after some attempts, and waits between them", async () => {
    const shop = new UnkindShop({ fates: Array.from({ length: 500 }, () => ({ outcome: 'declined' }) as const) });

    const settlement = await shop.ended(
      shop.client().orders.settle(shop.orderId, { tenders: [card(500)], onDeclined: () => 'retry' }),
    );

    expect(settlement.status).toBe('UNPAID');
    expect(shop.writes.length).toBeLessThanOrEqual(6);
    expect(shop.seconds).toBeGreaterThan(2);
  });

  test('the same tender as replacement for ever ends', async () => {
    const shop = new UnkindShop({ fates: Array.from({ length: 500 }, () => ({ outcome: 'declined' }) as const) });

    await shop.ended(
      shop
        .client()
        .orders.settle(shop.orderId, { tenders: [card(500)], onDeclined: ({ tender }) => tender })
        .catch(() => {}),
    );

    expect(shop.writes.length).toBeLessThanOrEqual(22);
  });
});

describe('what is asked wrongly', () => {
  test.each([Number.NaN, '5000', -1])('a deadline of %s is refused', async (deadline) => {
    const shop = new UnkindShop();

    const error = await shop.rejection(
      shop.client().orders.settle(shop.orderId, { tenders: [card(500)], deadline: deadline as number }),
    );

    expect(error.name).toBe('ConfigurationError');
    expect(shop.writes).toEqual([]);
  });

  test('a toRequest that throws is named, not the journal', async () => {
    const shop = new UnkindShop();
    const client = shop.client({
      payments: {
        toRequest: () => {
          throw new TypeError('no such tender');
        },
      },
    });

    const error = await shop.rejection(client.orders.settle(shop.orderId, { tenders: [card(500)] }));

    expect(error.reason).not.toBe('journal_unavailable');
    expect(error.message).toContain('toRequest');
    expect(shop.writes).toEqual([]);
  });

  test('a tender with a BigInt is refused as a tender', async () => {
    const shop = new UnkindShop();
    const tender = { ...card(500), note: 1n };

    const error = await shop.rejection(shop.client().orders.settle(shop.orderId, { tenders: [tender] }));

    expect(error.name).toBe('RequestValidationError');
  });

  test('a store that gives null where there is nothing is an empty journal', async () => {
    const shop = new UnkindShop();
    const { client, store } = shop.process();
    const lax = { ...store, get: async (key: string) => (await store.get(key)) ?? (null as unknown as undefined) };

    const settlement = await shop.ended(
      client.orders.settle(shop.orderId, { tenders: [card(500)], journal: storeJournal(lax) }),
    );

    expect(settlement.charged.amount).toBe(500);
  });
});
