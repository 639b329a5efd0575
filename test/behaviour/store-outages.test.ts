import { type ClientEvents, memoryStore, type OnlineOrdering, type Store } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { CART_ID, cart, envelope } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { TestService } from '../support/service/test-service.js';

const ok = { status: 200, body: cart };
const tooMany = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'),
};
const WRITES = ['set', 'setIfAbsent', 'compareAndSet', 'compareAndDelete'] as const;
const ALL = ['get', ...WRITES] as const;

/** A service, and a client whose store fails at chosen operations. */
function setUp() {
  const service = new TestService(() => ok);
  const inner = memoryStore({ clock: service.clock });
  const state: { failing: readonly (keyof Store)[] } = { failing: [] };
  const store = Object.fromEntries(
    ALL.map((name) => [
      name,
      async (...given: unknown[]) => {
        if (state.failing.includes(name)) throw new Error('connection refused');
        return (inner[name] as (...values: unknown[]) => Promise<unknown>)(...given);
      },
    ]),
  ) as unknown as Store;
  const lines: string[] = [];
  const logger = { error() {}, warn: (line: string) => lines.push(line), info() {}, debug() {} };
  const client = service.client({ store, logger });
  const told: ClientEvents['store'][] = [];
  client.on('store', (facts) => told.push(facts));
  const storeLines = (): string[] => lines.filter((line) => line.includes('store'));
  return { service, client, state, told, storeLines };
}

/** Calls for a while, some of them refused, so that token, cool-downs and names are read and written. */
async function useFor(seconds: number, { service, client }: { service: TestService; client: OnlineOrdering }) {
  for (let second = 0; second < seconds; second += 1) {
    service.handler = () => (second % 5 === 4 ? tooMany : ok);
    client.carts.retrieve(CART_ID, { maxRetries: 0 }).catch(() => {});
    await service.clock.advance(1000);
  }
  service.handler = () => ok;
}

test('an outage of the store is told once however much fails, and once when it is over', async () => {
  const parts = setUp();
  parts.state.failing = ALL;
  await useFor(60, parts);
  expect(parts.told).toMatchObject([{ state: 'failed', operation: 'read token', error: expect.any(Error) }]);
  expect(parts.storeLines()).toHaveLength(1);

  parts.state.failing = [];
  await useFor(20, parts);

  expect(parts.told.slice(1)).toEqual([{ state: 'recovered', operation: 'read token', error: undefined }]);
  expect(parts.storeLines()).toHaveLength(2);
});

test('a second outage is told again', async () => {
  const parts = setUp();
  for (const failing of [ALL, [], ALL, []]) {
    parts.state.failing = failing;
    await useFor(20, parts);
  }

  expect(parts.told.map(({ state }) => state)).toEqual(['failed', 'recovered', 'failed', 'recovered']);
});

test('a store that fails now and again is not told of at each change', async () => {
  const parts = setUp();
  for (let round = 0; round < 20; round += 1) {
    parts.state.failing = round % 2 === 0 ? ALL : [];
    await useFor(2, parts);
  }

  expect(parts.told.map(({ state }) => state)).toEqual(['failed']);
});

test('the outage of a store is over without another call, five seconds after it worked again', async () => {
  const parts = setUp();
  parts.state.failing = ALL;
  await useFor(2, parts);
  parts.state.failing = [];
  await useFor(2, parts);
  await parts.service.clock.advance(5000);

  expect(parts.told.map(({ state }) => state)).toEqual(['failed', 'recovered']);
});

test('a named operation that the store refuses belongs to the same outage', async () => {
  const parts = setUp();
  parts.state.failing = ALL;
  for (const operation of ['one', 'two']) {
    await rejection(parts.client.carts.create({ location_id: cart.location_id }, { operation }));
  }

  expect(parts.told).toMatchObject([{ state: 'failed', operation: 'read record of operation' }]);
});
