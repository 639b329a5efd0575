import { createHash } from 'node:crypto';
import Redis, { type Cluster } from 'ioredis';
import Redis5 from 'ioredis5';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { createClient, createClientPool, createCluster } from 'redis';
import { createClient as createClient5 } from 'redis5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, type RedisServer, sharedRedis, startRedis } from '../../support/engines/index.js';
import { testStore } from './store-rules.js';

const ROUNDS = 1000;

describe.skipIf(!hasRedis)('a real Redis', () => {
  testStore(
    'over node-redis 6',
    async () => {
      const url = await sharedRedis();
      const [one, two] = await Promise.all([createClient({ url }).connect(), createClient({ url }).connect()]);
      return {
        store: redisStore(one),
        other: redisStore(two),
        stop: async () => {
          one.destroy();
          two.destroy();
        },
      };
    },
    ROUNDS,
  );

  testStore('over node-redis 5', async () => {
    const url = await sharedRedis();
    const [one, two] = await Promise.all([createClient5({ url }).connect(), createClient5({ url, RESP: 3 }).connect()]);
    return {
      store: redisStore(one),
      other: redisStore(two),
      stop: async () => {
        one.destroy();
        two.destroy();
      },
    };
  });

  testStore('over a pool of node-redis', async () => {
    const pool = createClientPool({ url: await sharedRedis() });
    await pool.connect();
    return { store: redisStore(pool), stop: async () => pool.destroy() };
  });

  testStore(
    'over ioredis 6',
    async () => {
      const url = await sharedRedis();
      const [one, two] = [new Redis(url), new Redis(url)];
      return {
        store: redisStore(one),
        other: redisStore(two),
        stop: async () => {
          one.disconnect();
          two.disconnect();
        },
      };
    },
    ROUNDS,
  );

  testStore('over ioredis 5, with a prefix of its own', async () => {
    const url = await sharedRedis();
    const [one, two] = [new Redis5(url, { keyPrefix: 'shop:' }), new Redis5(url)];
    return {
      store: redisStore(one),
      other: redisStore(two, { prefix: 'shop:' }),
      stop: async () => {
        one.disconnect();
        two.disconnect();
      },
    };
  });

  test('a prefix keeps two stores apart in one Redis', async () => {
    const client = new Redis(await sharedRedis());
    const [a, b] = [redisStore(client, { prefix: 'a:' }), redisStore(client, { prefix: 'b:' })];

    await a.set('key', '1');

    expect(await b.get('key')).toBeUndefined();
    expect(await client.get('a:key')).toBe('1');
    client.disconnect();
  });

  test('texts that no engine takes as they are come back as they were', async () => {
    const client = new Redis(await sharedRedis());
    const store = redisStore(client, { prefix: 'odd:' });
    for (const text of ['\0', 'a\0b', '\ud800', '\u0001', '\u0001"x"']) {
      await store.set(`key ${text}`, text);

      expect(await store.get(`key ${text}`)).toBe(text);
      expect(await store.compareAndSet(`key ${text}`, text, 'next')).toBe(true);
    }
    client.disconnect();
  });

  test('a server that has forgotten the scripts is given them again', async () => {
    const client = new Redis(await sharedRedis());
    const store = redisStore(client, { prefix: 'scripts:' });
    await store.set('a', '1');
    await store.compareAndSet('a', '1', '2');

    await client.script('FLUSH');

    expect(await store.compareAndSet('a', '2', '3')).toBe(true);
    await client.script('FLUSH');
    expect(await store.compareAndDelete('a', '3')).toBe(true);
    client.disconnect();
  });

  test('each operation is one command on one key', async () => {
    const url = await sharedRedis();
    const [client, watcher] = [new Redis(url), new Redis(url)];
    const store = redisStore(client, { prefix: 'watched:' });
    await store.compareAndSet('a', '', '');
    await store.compareAndDelete('a', '');
    const monitor = await watcher.monitor();
    const seen: string[] = [];
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      if (source !== 'lua' && args.some((arg) => arg.startsWith('watched:'))) seen.push(args[0]!.toLowerCase());
    });

    await store.set('a', '1', { ttlMs: 5000.2 });
    await store.setIfAbsent('a', '2');
    await store.get('a');
    await store.compareAndSet('a', '1', '2', { ttlMs: 5000 });
    await store.compareAndDelete('a', '2');
    await expect.poll(() => seen).toEqual(['set', 'set', 'get', 'evalsha', 'evalsha']);

    for (const one of [client, watcher, monitor]) one.disconnect();
  });

  test('a client that gives bytes in place of texts is read all the same', async () => {
    const client = await createClient({ url: await sharedRedis() })
      .withTypeMapping({ 36: Buffer })
      .connect();
    const store = redisStore(client, { prefix: 'bytes:' });

    await store.set('a', 'text with ü');

    expect(await store.get('a')).toBe('text with ü');
    client.destroy();
  });
});

describe.skipIf(!hasRedis)('a Redis Cluster', () => {
  const servers: RedisServer[] = [];
  let forNodeRedis: ReturnType<typeof createCluster>;
  let forIoredis: Cluster;

  beforeAll(async () => {
    servers.push(await startRedis({ cluster: true }), await startRedis({ cluster: true }));
    const [one, two] = servers.map(({ port }) => new Redis(port));
    await one!.call('CLUSTER', 'ADDSLOTSRANGE', 0, 8191);
    await two!.call('CLUSTER', 'ADDSLOTSRANGE', 8192, 16383);
    await two!.call('CLUSTER', 'SET-CONFIG-EPOCH', 2);
    await one!.call('CLUSTER', 'MEET', '127.0.0.1', servers[1]!.port);
    const isWhole = async (node: Redis) =>
      String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok') &&
      String(await node.call('CLUSTER', 'INFO')).includes('cluster_slots_ok:16384');
    while (!((await isWhole(one!)) && (await isWhole(two!)))) await new Promise((resolve) => setTimeout(resolve, 50));
    one!.disconnect();
    two!.disconnect();
    forNodeRedis = createCluster({ rootNodes: servers.map(({ url }) => ({ url })) });
    await forNodeRedis.connect();
    forIoredis = new Redis.Cluster(servers.map(({ port }) => ({ host: '127.0.0.1', port })));
  });

  afterAll(async () => {
    forNodeRedis?.destroy();
    forIoredis?.disconnect();
    await Promise.all(servers.map((server) => server.stop()));
  });

  testStore('over node-redis and ioredis at once', async () => ({
    store: redisStore(forNodeRedis),
    other: redisStore(forIoredis),
  }));
});

test('what is no Redis client is refused', () => {
  expect(() => redisStore({} as never)).toThrow('node-redis');
  expect(() => redisStore(undefined as never)).toThrow('node-redis');
});

test('a client that reads from replicas is refused, since a lease would seem free', () => {
  const replicas = createCluster({ rootNodes: [], useReplicas: true });

  expect(() => redisStore(replicas)).toThrow('replicas');
  expect(() => redisStore({ call: async () => null, options: { scaleReads: 'slave' } } as never)).toThrow('replicas');
});

test('a script goes by its digest alone once the server knows it', async () => {
  const calls: unknown[][] = [];
  const store = redisStore({
    async call(...args) {
      calls.push(args);
      return 1;
    },
  });

  await store.compareAndDelete('k', 'v');

  const [[command, sha1]] = calls as [[string, string]];
  expect(command).toBe('evalsha');
  expect(sha1).toBe(
    createHash('sha1')
      .update("if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\nreturn redis.call('DEL', KEYS[1])")
      .digest('hex'),
  );
});
