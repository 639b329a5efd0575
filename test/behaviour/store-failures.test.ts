import Redis from 'ioredis';
import { NamedOperationError, OnlineOrdering, PaymentStateError, type Store } from 'online-ordering-sdk';
import { createMockService, type ListeningService, type MockService } from 'online-ordering-sdk/mock';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasPostgres, hasRedis, startPostgres, startRedis } from '../support/engines/index.js';

const SLOW = 60_000;
const PICKUP = { handoff_mode: { mode: 'PICKUP' } } as const;
const CARD = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' } as const;

let service: MockService;
let server: ListeningService;
let client: OnlineOrdering;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  service = createMockService({ clock: 'real', rateLimits: false });
  server = await service.listen();
  ends.push(() => service.close());
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function clientOf(store: Store): OnlineOrdering {
  const made = new OnlineOrdering({ ...service.credentials, baseUrl: server.url, store, logLevel: 'off' });
  ends.push(() => made.close());
  return made;
}

async function readyCart(): Promise<string> {
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  return cart.id;
}

async function within<T>(ms: number, work: PromiseLike<T>): Promise<T | Error> {
  const startedAt = performance.now();
  const result = await Promise.resolve(work).catch((error: Error) => error);
  expect(performance.now() - startedAt).toBeLessThan(ms);
  return result;
}

/** What the client tells of its store from now on. */
function outages(): readonly string[] {
  const told: string[] = [];
  client.on('store', ({ state }) => told.push(state));
  return told;
}

/** What holds while the server is away, whatever the reason. */
async function expectToGoOn(cartId: string, orderId: string, told: readonly string[]): Promise<void> {
  const before = service.requests().length;

  const named = await within(12_000, client.carts.checkout(cartId, PICKUP, { operation: 'while away' }));
  expect(named).toBeInstanceOf(NamedOperationError);
  expect(named).toMatchObject({ reason: 'store_failed', outcome: 'not_sent' });
  const settled = await within(20_000, client.orders.settle(orderId, { tenders: [CARD], deadline: 15_000 }));
  expect(settled).toBeInstanceOf(Error);
  expect(
    service
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET'),
  ).toEqual([]);
  expect(service.ledger(orderId).charged).toBe(0);

  const page = await within(3000, client.locations.list());
  expect(page).toHaveProperty('data');
  const plain = await within(3000, client.carts.calculate(cartId));
  expect(plain).toHaveProperty('total');
  // Many operations failed, and the outage is told once.
  expect(told).toEqual(['failed']);
}

/** Once the server is back, the end of the outage is told, once. */
async function expectRecovery(): Promise<void> {
  const told: string[] = [];
  client.on('store', ({ state }) => told.push(state));
  const endsAt = Date.now() + 20_000;
  while (told.length === 0 && Date.now() < endsAt) {
    await client.carts.create(
      { location_id: service.samples.locations.downtown },
      { operation: `alive ${Date.now()}` },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(told).toEqual(['recovered']);
}

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  test(
    'stops in the middle and comes back: reads go on, nothing that must be durable goes out, then all goes on',
    async () => {
      const engine = await startPostgres();
      ends.push(() => engine.stop());
      const pool = new Pool({ connectionString: engine.url });
      pool.on('error', () => {});
      ends.push(() => pool.end());
      const store = postgresStore(pool);
      await store.migrate();
      client = clientOf(store);
      const [cartId, other] = [await readyCart(), await readyCart()];
      const { order_id } = await client.carts.checkout(other, PICKUP, { operation: 'before' });

      const told = outages();
      await engine.kill();
      await expectToGoOn(cartId, order_id, told);
      await engine.start();

      expect((await client.carts.checkout(other, PICKUP, { operation: 'before' })).order_id).toBe(order_id);
      expect((await client.carts.checkout(cartId, PICKUP, { operation: 'while away' })).cart_id).toBe(cartId);
      expect((await client.orders.settle(order_id, { tenders: [CARD] })).status).toBe('PAID');
      await expectRecovery();
    },
    SLOW,
  );

  test(
    'stalls with its connections open: the same, within seconds',
    async () => {
      const engine = await startPostgres();
      ends.push(() => engine.stop());
      const pool = new Pool({ connectionString: engine.url });
      pool.on('error', () => {});
      const store = postgresStore(pool);
      await store.migrate();
      client = clientOf(store);
      const [cartId, other] = [await readyCart(), await readyCart()];
      const { order_id } = await client.carts.checkout(other, PICKUP);

      const told = outages();
      engine.freeze();
      try {
        await expectToGoOn(cartId, order_id, told);
      } finally {
        engine.thaw();
      }

      expect((await client.carts.checkout(cartId, PICKUP, { operation: 'while away' })).cart_id).toBe(cartId);
      await pool.end();
    },
    SLOW,
  );
});

describe.skipIf(!hasRedis)('Redis', () => {
  test(
    'stops in the middle and comes back with what it had confirmed: all goes on',
    async () => {
      const engine = await startRedis({ durable: true });
      ends.push(() => engine.stop());
      const redis = createClient({ url: engine.url, socket: { reconnectStrategy: 100 } });
      redis.on('error', () => {});
      await redis.connect();
      ends.push(() => redis.destroy());
      client = clientOf(redisStore(redis));
      const [cartId, other] = [await readyCart(), await readyCart()];
      const { order_id } = await client.carts.checkout(other, PICKUP, { operation: 'before' });

      const told = outages();
      await engine.kill();
      await expectToGoOn(cartId, order_id, told);
      await engine.start();

      const isBack = async () => (await redis.ping().catch(() => '')) === 'PONG';
      while (!(await isBack())) await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await client.carts.checkout(other, PICKUP, { operation: 'before' })).order_id).toBe(order_id);
      const later = await within(30_000, client.carts.checkout(cartId, PICKUP, { operation: 'while away' }));
      expect(later).toMatchObject({ cart_id: cartId });
      expect((await client.orders.settle(order_id, { tenders: [CARD] })).status).toBe('PAID');
      await expectRecovery();
    },
    SLOW,
  );

  test.each(['node-redis', 'ioredis'])(
    'stalls with its connections open, over %s: the same, within seconds',
    async (kind) => {
      const engine = await startRedis();
      ends.push(() => engine.stop());
      let store: Store;
      if (kind === 'ioredis') {
        const redis = new Redis(engine.url);
        redis.on('error', () => {});
        ends.push(() => redis.disconnect());
        store = redisStore(redis);
      } else {
        const redis = createClient({ url: engine.url });
        redis.on('error', () => {});
        await redis.connect();
        ends.push(() => redis.destroy());
        store = redisStore(redis);
      }
      client = clientOf(store);
      const [cartId, other] = [await readyCart(), await readyCart()];
      const { order_id } = await client.carts.checkout(other, PICKUP);

      const told = outages();
      engine.freeze();
      try {
        await expectToGoOn(cartId, order_id, told);
      } finally {
        engine.thaw();
      }

      // What was written too late may hold the name's lease for as long as it lives.
      const later = await within(30_000, client.carts.checkout(cartId, PICKUP, { operation: 'while away' }));
      expect(later).toMatchObject({ cart_id: cartId });
    },
    SLOW,
  );

  test(
    'fails over to a replica that has lost the last writes: an order that was paid is not charged again',
    async () => {
      const primary = await startRedis();
      const replica = await startRedis({ replicaOf: primary.port });
      ends.push(() => replica.stop());
      const before = new Redis(primary.url);
      before.on('error', () => {});
      const promoted = new Redis(replica.url);
      ends.push(() => promoted.disconnect());
      const isInStep = async () => String(await promoted.info('replication')).includes('master_link_status:up');
      while (!(await isInStep())) await new Promise((resolve) => setTimeout(resolve, 50));
      client = clientOf(redisStore(before));
      const { order_id, total } = await client.carts.checkout(await readyCart(), PICKUP);

      replica.freeze();
      expect((await client.orders.settle(order_id, { tenders: [CARD] })).status).toBe('PAID');
      await primary.kill();
      before.disconnect();
      replica.thaw();
      await promoted.replicaof('NO', 'ONE');
      client = clientOf(redisStore(promoted));
      const again = await client.orders.settle(order_id, { tenders: [CARD] }).catch((error: Error) => error);

      expect(service.ledger(order_id).charged).toBe(total.amount);
      if (again instanceof Error) expect(again).toBeInstanceOf(PaymentStateError);
      else expect(again.status).toBe('PAID');
    },
    SLOW,
  );
});
