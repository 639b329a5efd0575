import { memoryStore, OnlineOrdering, type Store, storeJournal } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { memoryJournal } from '../../../../../src/resources/payments/journal/memory-journal.js';
import { journalOver } from '../../../../../src/resources/payments/journal/store/store-journal.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
const FORMER = 'online-ordering:https://api.example.com/v1:client-1:payments:';
const HOUR_MS = 3_600_000;

const open = (id: string, more = '') => JSON.stringify({ orderId: id, more, open: true });
const ended = (id: string, more = '') => JSON.stringify({ orderId: id, more, open: false });

/** A store that counts its operations. */
function counted(inner: Store): { store: Store; counts: () => number } {
  let count = 0;
  const store = new Proxy(inner, {
    get: (target, name) => {
      const act = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        count += 1;
        return act(...args);
      };
    },
  });
  return { store, counts: () => count };
}

async function collect(ids: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  return all.sort();
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a journal in a store', () => {
  test('keeps one record for an order, however its id is spelled', async () => {
    const journal = storeJournal(memoryStore());
    await journal.write(ORDER.toUpperCase(), undefined, 'one');

    expect(await journal.read(ORDER)).toBe('one');
    expect(await journal.write(ORDER, undefined, 'two')).toBe(false);
    expect(await journal.write(ORDER, 'one', 'two')).toBe(true);
    expect(await journal.forget!(ORDER.toUpperCase(), 'one')).toBe(false);
    expect(await journal.forget!(ORDER.toUpperCase(), 'two')).toBe(true);
    expect(await journal.read(ORDER)).toBeUndefined();
  });

  test('is refused with a life in which the service still remembers the key', () => {
    for (const ttlMs of [0, -5, Number.NaN, Number.POSITIVE_INFINITY, 60_000, 25 * HOUR_MS - 1, '1d' as never]) {
      expect(() => storeJournal(memoryStore(), { ttlMs })).toThrow(/"ttlMs" is .* at least 90000000 \(25 hours\)/);
    }
    expect(() => storeJournal(memoryStore(), { ttlMs: 25 * HOUR_MS })).not.toThrow();
    expect(() => storeJournal('redis://' as never)).toThrow(/needs a store/);
  });

  test('reads null as nothing', async () => {
    const inner = memoryStore();
    const store = { ...inner, get: async (key: string) => ((await inner.get(key)) ?? null) as string | undefined };
    const journal = storeJournal(store);

    expect(await journal.read(ORDER)).toBeUndefined();
    expect(await journal.write(ORDER, undefined, open(ORDER))).toBe(true);
    expect(await collect(journal.open!())).toEqual([ORDER]);
  });

  test('is the journal of a client that has the same store', async () => {
    const service = createMockService();
    const store = memoryStore({ clock: service.clock });
    const client = new OnlineOrdering({
      ...service.credentials,
      dispatcher: service.dispatcher,
      clock: service.clock,
      store,
    });
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
    const { order_id } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
    const tenders = [{ payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 }] as const;

    await service.clock.runUntil(client.orders.settle(order_id, { tenders }));
    await service.clock.runUntil(client.orders.settle(order_id, { tenders, journal: storeJournal(store) }));
    await service.clock.runUntil(client.orders.settle(order_id.toUpperCase(), { tenders }).catch(() => {}));

    expect(service.ledger(order_id).charged).toBe(500);
  });
});

describe('records of release 0.1.0 in a store', () => {
  test('are gone on with where its client kept them, and an older process is refused there', async () => {
    const store = memoryStore();
    await store.set(FORMER + ORDER, open(ORDER));
    const journal = journalOver(store, { formerPrefixes: [FORMER] });

    expect(await journal.read(ORDER)).toBe(open(ORDER));
    expect(await journal.write(ORDER, undefined, 'anew')).toBe(false);
    expect(await journal.write(ORDER, 'other', 'anew')).toBe(false);
    expect(await journal.write(ORDER, open(ORDER), open(ORDER, 'next'))).toBe(true);

    expect(await storeJournal(store).read(ORDER)).toBe(open(ORDER, 'next'));
    expect(JSON.parse((await store.get(FORMER + ORDER))!).format).toBe('moved');
    expect(await journal.write(ORDER, open(ORDER, 'next'), ended(ORDER))).toBe(true);
  });

  test('are gone on with under the id as the call spelled it', async () => {
    const store = memoryStore();
    const capitals = ORDER.toUpperCase();
    await store.set(`online-ordering:payments:${capitals}`, open(capitals));
    const journal = storeJournal(store);

    expect(await journal.read(capitals)).toBe(open(capitals));
    expect(await journal.write(capitals, open(capitals), ended(capitals))).toBe(true);
    expect(await journal.read(ORDER)).toBe(ended(capitals));
  });

  test('are gone on with by one of several processes, and by the next when one died in between', async () => {
    const store = memoryStore();
    await store.set(FORMER + ORDER, 'one');
    const journals = Array.from({ length: 5 }, () => journalOver(store, { formerPrefixes: [FORMER] }));
    const dying = journalOver(
      {
        ...store,
        setIfAbsent: (key, ...rest) =>
          key.endsWith(ORDER) ? Promise.reject(new Error('died')) : store.setIfAbsent(key, ...rest),
      },
      { formerPrefixes: [FORMER] },
    );
    await expect(dying.write(ORDER, 'one', 'lost')).rejects.toThrow('died');
    expect(await journals[0]!.read(ORDER)).toBe('one');

    const won = await Promise.all(journals.map((journal, n) => journal.write(ORDER, 'one', `two of ${n}`)));

    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await journals[0]!.read(ORDER)).toBe(`two of ${won.indexOf(true)}`);
  });
});

describe('open orders in a store that cannot list', () => {
  test('are told, and those that ended are not', async () => {
    const store = memoryStore();
    const journal = storeJournal(store);
    const ids = Array.from({ length: 200 }, (_, n) => `order-${n}`);
    await Promise.all(ids.map((id) => journal.write(id, undefined, open(id))));
    await Promise.all(ids.slice(3).map((id) => journal.write(id, open(id), ended(id))));

    expect(await collect(storeJournal(store).open!())).toEqual(['order-0', 'order-1', 'order-2']);
  });

  test('stay told when an older holder ends after another one has begun', async () => {
    const store = memoryStore();
    const [one, two] = [storeJournal(store), storeJournal(store)];
    await one.write(ORDER, undefined, open(ORDER, '1'));
    await two.write(ORDER, open(ORDER, '1'), open(ORDER, '2'));
    await one.forget!(ORDER, 'late');

    expect(await collect(one.open!())).toEqual([ORDER]);
  });

  test('lose what a crash left of an order that has ended, and keep what is just beginning', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 31) });
    const store = memoryStore();
    const dying = storeJournal({
      ...store,
      compareAndSet: (key, ...rest) =>
        key.endsWith(ORDER) ? Promise.reject(new Error('died')) : store.compareAndSet(key, ...rest),
    });
    await storeJournal(store).write(ORDER, undefined, ended(ORDER));
    await dying.write(ORDER, ended(ORDER), open(ORDER)).catch(() => {});
    const indexed = async () => {
      const texts = await Promise.all(
        Array.from({ length: 64 }, (_, n) => store.get(`online-ordering:payments:open:${n}`)),
      );
      return texts.filter((text) => text?.includes(ORDER)).length;
    };

    expect(await collect(storeJournal(store).open!())).toEqual([]);
    expect(await indexed()).toBe(1);
    vi.setSystemTime(Date.UTC(2026, 0, 31, 2));
    expect(await collect(storeJournal(store).open!())).toEqual([]);
    expect(await indexed()).toBe(0);
  });

  test('cost four operations for an order, and none for a renewal', async () => {
    const { store, counts } = counted(memoryStore());
    const journal = storeJournal(store);
    await journal.write(ORDER, undefined, open(ORDER, '1'));
    const before = counts();
    await journal.write(ORDER, open(ORDER, '1'), open(ORDER, '2'));
    expect(counts() - before).toBe(1);
    await journal.write(ORDER, open(ORDER, '2'), ended(ORDER));

    expect(counts()).toBeLessThanOrEqual(3 + 4);
  });
});

describe('the journal of a client without a store', () => {
  test('forgets the orders that ended longest ago, and never an open one', async () => {
    const journal = memoryJournal(new VirtualClock(), 100);
    await journal.write('undecided', undefined, open('undecided'));
    for (let n = 0; n < 1000; n += 1) await journal.write(`order-${n}`, undefined, ended(`order-${n}`));

    const known = await Promise.all(Array.from({ length: 1000 }, (_, n) => journal.read(`order-${n}`)));
    expect(known.filter((text) => text !== undefined)).toHaveLength(100);
    expect(known[999]).toBeDefined();
    expect(await collect(journal.open())).toEqual(['undecided']);
  });

  test('forgets after thirty days, whatever its wall clock says', async () => {
    const clock = new VirtualClock();
    const journal = memoryJournal(clock);
    await journal.write('one', undefined, ended('one'));
    clock.step(365 * 24 * HOUR_MS);
    await journal.write('two', undefined, ended('two'));
    expect(await journal.read('one')).toBe(ended('one'));

    await clock.advance(31 * 24 * HOUR_MS);
    await journal.write('three', undefined, ended('three'));
    expect(await journal.read('one')).toBeUndefined();
  });

  test('compares before it writes and before it forgets, in every spelling', async () => {
    const journal = memoryJournal(new VirtualClock());
    expect(await journal.write(ORDER, undefined, 'one')).toBe(true);
    expect(await journal.write(ORDER.toUpperCase(), undefined, 'two')).toBe(false);
    expect(await journal.forget(ORDER.toUpperCase(), 'two')).toBe(false);
    expect(await journal.forget(ORDER.toUpperCase(), 'one')).toBe(true);
    expect(await journal.read(ORDER)).toBeUndefined();
  });
});
