import Redis from 'ioredis';
import { NamedOperationError, OnlineOrdering, PaymentStateError, type Store } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { describe, expect, type TestContext, test } from 'vitest';
import { hasPostgres, hasRedis, startPostgres, startRedis } from '../support/engines/index.js';

const SLOW = 180_000;
const PICKUP = { handoff_mode: { mode: 'PICKUP' } } as const;
const CARD = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' } as const;

/** A service of a test's own, and the client whose store's server fails. What a test starts ends with it. */
class Scene {
  readonly service = createMockService({ clock: 'real', rateLimits: false });
  readonly #ends: (() => unknown)[] = [() => this.service.close()];
  #baseUrl = '';
  #client: OnlineOrdering | undefined;

  static async open({ onTestFinished }: TestContext): Promise<Scene> {
    const scene = new Scene();
    onTestFinished(async () => {
      for (const end of scene.#ends.reverse()) await end();
    });
    scene.#baseUrl = (await scene.service.listen()).url;
    return scene;
  }

  atEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  get client(): OnlineOrdering {
    if (!this.#client) throw new Error('Give the scene its store first.');
    return this.#client;
  }

  /** From now on, the client is a new one over this store. */
  use(store: Store): OnlineOrdering {
    const { service } = this;
    const made = new OnlineOrdering({ ...service.credentials, baseUrl: this.#baseUrl, store, logLevel: 'off' });
    this.atEnd(() => made.close());
    this.#client = made;
    return made;
  }

  async readyCart(): Promise<string> {
    const cart = await this.client.carts.create({ location_id: this.service.samples.locations.downtown });
    await this.client.carts.items.add(cart.id, this.service.samples.cartItems.turkeySub);
    return cart.id;
  }

  /** What the client tells of its store from now on. */
  outages(): readonly string[] {
    const told: string[] = [];
    this.client.on('store', ({ state }) => told.push(state));
    return told;
  }

  ioredis(url: string): Redis {
    const redis = new Redis(url);
    redis.on('error', () => {});
    this.atEnd(() => redis.disconnect());
    return redis;
  }

  async nodeRedis(url: string) {
    const redis = createClient({ url, socket: { reconnectStrategy: 100 } });
    redis.on('error', () => {});
    await redis.connect();
    this.atEnd(() => redis.destroy());
    return redis;
  }

  /** A server of PostgreSQL, and a store in it. */
  async postgres() {
    const engine = await startPostgres();
    this.atEnd(() => engine.stop());
    const pool = new Pool({ connectionString: engine.url });
    pool.on('error', () => {});
    this.atEnd(() => pool.end());
    const store = postgresStore(pool);
    await store.migrate();
    return { engine, store };
  }
}

/** Counts the beats of a timer, which come late where the machine is busy, as all that is waited for does. */
async function within<T>(ms: number, work: PromiseLike<T>): Promise<T | Error> {
  let lastedMs = 0;
  const beats = setInterval(() => {
    lastedMs += 20;
  }, 20);
  const result = await Promise.resolve(work).catch((error: Error) => error);
  clearInterval(beats);
  expect(lastedMs).toBeLessThan(ms);
  return result;
}

interface WhileAway {
  readonly cartId: string;
  readonly orderId: string;
  /** The states of the store that were told. */
  readonly told: readonly string[];
}

/** What holds while the server is away, whatever the reason. */
async function expectToGoOn(scene: Scene, { cartId, orderId, told }: WhileAway): Promise<void> {
  const { service, client } = scene;
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

/** Once the server is back, the end of the outage is told, once; on a slow machine during the first calls already. */
async function expectRecovery({ client, service }: Scene, told: readonly string[]): Promise<void> {
  const endsAt = Date.now() + 60_000;
  while (told.length === 1 && Date.now() < endsAt) {
    await client.carts.create(
      { location_id: service.samples.locations.downtown },
      { operation: `alive ${Date.now()}` },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(told).toEqual(['failed', 'recovered']);
}

// Side by side: what takes time is the wait for servers that are away.
describe.skipIf(!hasPostgres).concurrent('PostgreSQL', () => {
  test(
    'stops in the middle and comes back: reads go on, nothing that must be durable goes out, then all goes on',
    async (context) => {
      const scene = await Scene.open(context);
      const { engine, store } = await scene.postgres();
      const client = scene.use(store);
      const [cartId, other] = [await scene.readyCart(), await scene.readyCart()];
      const { order_id: orderId } = await client.carts.checkout(other, PICKUP, { operation: 'before' });

      const told = scene.outages();
      await engine.kill();
      await expectToGoOn(scene, { cartId, orderId, told });
      await engine.start();

      expect((await client.carts.checkout(other, PICKUP, { operation: 'before' })).order_id).toBe(orderId);
      expect((await client.carts.checkout(cartId, PICKUP, { operation: 'while away' })).cart_id).toBe(cartId);
      expect((await client.orders.settle(orderId, { tenders: [CARD] })).status).toBe('PAID');
      await expectRecovery(scene, told);
    },
    SLOW,
  );

  test(
    'stalls with its connections open: the same, within seconds',
    async (context) => {
      const scene = await Scene.open(context);
      const { engine, store } = await scene.postgres();
      const client = scene.use(store);
      const [cartId, other] = [await scene.readyCart(), await scene.readyCart()];
      const { order_id: orderId } = await client.carts.checkout(other, PICKUP);

      const told = scene.outages();
      engine.freeze();
      try {
        await expectToGoOn(scene, { cartId, orderId, told });
      } finally {
        engine.thaw();
      }

      expect((await client.carts.checkout(cartId, PICKUP, { operation: 'while away' })).cart_id).toBe(cartId);
    },
    SLOW,
  );
});

describe.skipIf(!hasRedis).concurrent('Redis', () => {
  test(
    'stops in the middle and comes back with what it had confirmed: all goes on',
    async (context) => {
      const scene = await Scene.open(context);
      const engine = await startRedis({ durable: true });
      scene.atEnd(() => engine.stop());
      const redis = await scene.nodeRedis(engine.url);
      const client = scene.use(redisStore(redis));
      const [cartId, other] = [await scene.readyCart(), await scene.readyCart()];
      const { order_id: orderId } = await client.carts.checkout(other, PICKUP, { operation: 'before' });

      const told = scene.outages();
      await engine.kill();
      await expectToGoOn(scene, { cartId, orderId, told });
      await engine.start();

      const isBack = async () => (await redis.ping().catch(() => '')) === 'PONG';
      while (!(await isBack())) await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await client.carts.checkout(other, PICKUP, { operation: 'before' })).order_id).toBe(orderId);
      const later = await within(30_000, client.carts.checkout(cartId, PICKUP, { operation: 'while away' }));
      expect(later).toMatchObject({ cart_id: cartId });
      expect((await client.orders.settle(orderId, { tenders: [CARD] })).status).toBe('PAID');
      await expectRecovery(scene, told);
    },
    SLOW,
  );

  test.for(['node-redis', 'ioredis'])(
    'stalls with its connections open, over %s: the same, within seconds',
    { timeout: SLOW },
    async (kind, context) => {
      const scene = await Scene.open(context);
      const engine = await startRedis();
      scene.atEnd(() => engine.stop());
      const redis = kind === 'ioredis' ? scene.ioredis(engine.url) : await scene.nodeRedis(engine.url);
      const client = scene.use(redisStore(redis));
      const [cartId, other] = [await scene.readyCart(), await scene.readyCart()];
      const { order_id: orderId } = await client.carts.checkout(other, PICKUP);

      const told = scene.outages();
      engine.freeze();
      try {
        await expectToGoOn(scene, { cartId, orderId, told });
      } finally {
        engine.thaw();
      }

      // What was written too late may hold the name's lease for as long as it lives.
      const later = await within(30_000, client.carts.checkout(cartId, PICKUP, { operation: 'while away' }));
      expect(later).toMatchObject({ cart_id: cartId });
    },
  );

  test(
    'fails over to a replica that has lost the last writes: an order that was paid is not charged again',
    async (context) => {
      const scene = await Scene.open(context);
      const primary = await startRedis();
      const replica = await startRedis({ replicaOf: primary.port });
      scene.atEnd(() => replica.stop());
      const before = scene.ioredis(primary.url);
      const promoted = scene.ioredis(replica.url);
      const isInStep = async () => String(await promoted.info('replication')).includes('master_link_status:up');
      while (!(await isInStep())) await new Promise((resolve) => setTimeout(resolve, 50));
      const first = scene.use(redisStore(before));
      const { order_id, total } = await first.carts.checkout(await scene.readyCart(), PICKUP);

      replica.freeze();
      expect((await first.orders.settle(order_id, { tenders: [CARD] })).status).toBe('PAID');
      await primary.kill();
      before.disconnect();
      replica.thaw();
      await promoted.replicaof('NO', 'ONE');
      const second = scene.use(redisStore(promoted));
      const again = await second.orders.settle(order_id, { tenders: [CARD] }).catch((error: Error) => error);

      expect(scene.service.ledger(order_id).charged).toBe(total.amount);
      if (again instanceof Error) expect(again).toBeInstanceOf(PaymentStateError);
      else expect(again.status).toBe('PAID');
    },
    SLOW,
  );
});
