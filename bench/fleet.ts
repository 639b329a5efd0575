/**
 * A simulated fleet: an hour of virtual time of many clients of one partner, against the mock with its limits.
 *
 *   npx tsx bench/fleet.ts                 200 clients, 400 locations, with a shared store and without: six minutes
 *   npx tsx bench/fleet.ts --minutes 10 --clients 50
 *
 * Each client keeps the menus of its locations fresh (every five minutes), lists orders once a minute, and takes a cart to
 * its checkout every ten minutes. All of them start in the same minute, as after a deployment.
 */
import { parseArgs } from 'node:util';
import { memoryStore, OnlineOrdering, type Store } from 'online-ordering-sdk';
import { createMenuCache } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { sleep } from '../src/platform/clock.js';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '200' },
    locations: { type: 'string', default: '400' },
    minutes: { type: 'string', default: '60' },
  },
});
const CLIENTS = Number(values.clients);
const LOCATIONS = Number(values.locations);
const MINUTES = Number(values.minutes);
/** Each location is watched by so many clients. */
const WATCHERS = 10;
const MINUTE_MS = 60_000;

interface Figures {
  readonly requests: number;
  readonly accepted: number;
  readonly tokens: number;
  readonly metadata: number;
  readonly menus: number;
  readonly lists: number;
  readonly refused: readonly number[];
  /** Milliseconds from the call to the result. */
  readonly checkouts: readonly number[];
  readonly failedCheckouts: number;
  readonly storeOperations: number;
  readonly heapMiB: number;
}

async function fleet(isShared: boolean): Promise<Figures> {
  const { locations, item } = await manyLocations();
  const service = createMockService({ data: { locations }, keep: { requests: 10_000_000 } });
  const { clock, credentials, dispatcher } = service;
  const counted = countedStore(memoryStore({ clock }));
  const ids = (
    await new OnlineOrdering({ ...credentials, dispatcher, clock }).locations.list().toArray({ limit: 1000 })
  ).map(({ id }) => id);
  const before = service.requests().length;
  const checkouts: number[] = [];
  let failedCheckouts = 0;
  const endsAt = clock.now() + MINUTES * MINUTE_MS;

  const every = async (ms: number, offsetMs: number, act: () => Promise<unknown>): Promise<void> => {
    await sleep(clock, offsetMs);
    while (clock.now() < endsAt) {
      const nextAt = clock.now() + ms;
      await act().catch(() => {});
      await sleep(clock, Math.max(1, nextAt - clock.now()));
    }
  };
  const run = async (index: number): Promise<void> => {
    // In clear, since virtual time runs ahead of real cryptography.
    const shared = isShared ? ({ store: counted.store, shareToken: 'in_clear' } as const) : {};
    const client = new OnlineOrdering({ ...credentials, dispatcher, clock, logLevel: 'off', ...shared });
    const menus = createMenuCache(client, { clock, ...(isShared ? { store: counted.store } : {}) });
    const own = Array.from(
      { length: Math.round((LOCATIONS * WATCHERS) / CLIENTS) },
      (_none, n) => ids[(index * Math.round((LOCATIONS * WATCHERS) / CLIENTS) + n) % ids.length]!,
    );
    const offset = (index / CLIENTS) * MINUTE_MS;
    const checkout = async (): Promise<void> => {
      const startedAt = clock.now();
      try {
        const cart = await client.carts.create({ location_id: own[0]! });
        await client.carts.items.add(cart.id, item);
        await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
        checkouts.push(clock.now() - startedAt);
      } catch {
        failedCheckouts += 1;
      }
    };
    await Promise.all([
      ...own.map((id) => every(5 * MINUTE_MS, offset, () => menus.menu(id))),
      every(MINUTE_MS, offset, async () => client.orders.list()),
      every(10 * MINUTE_MS, offset + (index % 10) * MINUTE_MS, checkout),
    ]);
  };
  const work = Promise.all(Array.from({ length: CLIENTS }, (_none, index) => run(index)));
  for (let minute = 0; minute < MINUTES + 20; minute += 1) await clock.advance('1m');
  await clock.runUntil(work);

  const requests = service.requests().slice(before);
  const count = (wanted: string): number =>
    requests.filter(({ method, route }) => route === wanted || `${method} ${route}` === wanted).length;
  const refused = Array.from({ length: MINUTES }, () => 0);
  const startedAt = endsAt - MINUTES * MINUTE_MS;
  for (const { status, at } of requests) {
    const minute = Math.floor((Date.parse(at) - startedAt) / MINUTE_MS);
    if (status === 429 && minute < MINUTES) refused[minute] = (refused[minute] ?? 0) + 1;
  }
  return {
    requests: requests.length,
    accepted: requests.filter(({ status }) => status !== 429).length,
    tokens: count('POST /auth/token'),
    metadata: count('GET /locations/{location_id}/menu/metadata'),
    menus: count('GET /locations/{location_id}/menu'),
    lists: count('GET /orders'),
    refused,
    checkouts: checkouts.sort((a, b) => a - b),
    failedCheckouts,
    storeOperations: counted.operations(),
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
  };
}

/** Locations that sell coffee, and a coffee: copies of one of the samples under ids of their own. */
async function manyLocations() {
  const { credentials, dispatcher, clock, samples } = createMockService();
  const client = new OnlineOrdering({ ...credentials, dispatcher, clock });
  const location = await client.locations.retrieve(samples.locations.downtown);
  const { categories } = await client.menus.retrieve(location.id);
  const item = samples.cartItems.houseCoffee;
  const sold = categories.filter(({ items }) => items?.some(({ id }) => id === item.menu_item_id));
  const locations = Array.from({ length: LOCATIONS }, (_none, index) => ({
    ...location,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    menu: { categories: sold },
  }));
  return { locations, item };
}

function countedStore(store: Store): { store: Store; operations: () => number } {
  let operations = 0;
  const counted = <Given extends unknown[], Result>(operation: (...given: Given) => Promise<Result>) => {
    return (...given: Given): Promise<Result> => {
      operations += 1;
      return operation(...given);
    };
  };
  return {
    store: {
      get: counted(store.get),
      set: counted(store.set),
      setIfAbsent: counted(store.setIfAbsent),
      compareAndSet: counted(store.compareAndSet),
      compareAndDelete: counted(store.compareAndDelete),
    },
    operations: () => operations,
  };
}

const share = (sorted: readonly number[], part: number): string =>
  ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN) / 1000).toFixed(1);

console.log(`${CLIENTS} clients, ${LOCATIONS} locations (each watched by ${WATCHERS}), ${MINUTES} minutes`);
const columns = [await fleet(true), await fleet(false)];
const rows: [string, (figures: Figures) => string | number][] = [
  ['requests', ({ requests }) => requests],
  ['… not refused', ({ accepted }) => accepted],
  ['token requests', ({ tokens }) => tokens],
  ['requests for the version of a menu', ({ metadata }) => metadata],
  ['menus fetched', ({ menus }) => menus],
  ['lists of orders', ({ lists }) => lists],
  ['429s in the first minute', ({ refused }) => refused[0] ?? 0],
  ['429s a minute afterwards, average', ({ refused }) => average(refused.slice(1)).toFixed(1)],
  ['429s a minute afterwards, most', ({ refused }) => Math.max(0, ...refused.slice(1))],
  ['checkouts', ({ checkouts }) => checkouts.length],
  ['checkouts that failed', ({ failedCheckouts }) => failedCheckouts],
  ['cart to order, seconds: median', ({ checkouts }) => share(checkouts, 0.5)],
  ['cart to order, seconds: 95 of 100', ({ checkouts }) => share(checkouts, 0.95)],
  ['cart to order, seconds: longest', ({ checkouts }) => share(checkouts, 1)],
  ['store operations for each request', ({ storeOperations, requests }) => (storeOperations / requests).toFixed(2)],
  ['heap of all clients and the mock, MiB', ({ heapMiB }) => Math.round(heapMiB)],
];
console.log('| | shared store | no store |\n| --- | --- | --- |');
for (const [name, figure] of rows) console.log(`| ${name} | ${columns.map(figure).join(' | ')} |`);

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}
