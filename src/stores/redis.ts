import { createHash } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration.js';
import { lifeMs } from './life.js';
import { type RedisClient, type RedisCommands, redisCommands } from './redis-commands.js';
import type { Store } from './store.js';
import { fromStoredText, toStoredText } from './stored-text.js';

export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisScriptOptions,
  NodeRedisSetOptions,
  RedisClient,
} from './redis-commands.js';
export type { Store, StoreWriteOptions } from './store.js';

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /**
   * Before every key, where several programs share one Redis. Keys begin with `online-ordering:` already.
   * @defaultValue ''
   */
  prefix?: string | undefined;
}

/** One key each, so that a cluster runs them; the life is Redis' own, counted by its clock. */
const COMPARE_AND_SET = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1`);

const COMPARE_AND_DELETE = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

/**
 * A store in Redis or Valkey, over a connected client of node-redis (5, 6) or ioredis (5, 6), a cluster included.
 *
 * Every operation touches one key and is one command, or one script where a comparison is needed. Values expire by the
 * server's clock. The client stays yours: nothing here connects or closes it.
 *
 * Redis confirms a write before a replica has it, so that a failover can lose the last ones, and a server that may evict
 * keys (`maxmemory-policy` other than `noeviction`) can lose any: keep journals of payments where neither happens.
 *
 * @throws {ConfigurationError} It is no such client, or one that reads from replicas.
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL! }).connect();
 * const client = new OnlineOrdering({ store: redisStore(redis) });
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  const { prefix = '' } = options;
  if (typeof prefix !== 'string') throw new ConfigurationError('The option "prefix" of redisStore must be a text.');
  const commands = redisCommands(client);
  const at = (key: string): string => toStoredText(prefix + key);
  return {
    async get(key) {
      const value = await commands.get(at(key));
      // A client may be configured to give bytes in place of texts.
      return value === null || value === undefined ? undefined : fromStoredText(String(value));
    },
    async set(key, value, write) {
      await commands.set(at(key), toStoredText(value), lifeMs(write), false);
    },
    async setIfAbsent(key, value, write) {
      return commands.set(at(key), toStoredText(value), lifeMs(write), true);
    },
    async compareAndSet(key, expected, value, write) {
      const args = [toStoredText(expected), toStoredText(value), String(lifeMs(write) ?? '')];
      return run(commands, COMPARE_AND_SET, at(key), args);
    },
    async compareAndDelete(key, expected) {
      return run(commands, COMPARE_AND_DELETE, at(key), [toStoredText(expected)]);
    },
  };
}

interface Script {
  readonly text: string;
  readonly sha1: string;
}

function script(lines: string): Script {
  const text = lines.trim();
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** By its digest, which the server knows after the first use, until it restarts or another one takes over. */
async function run(commands: RedisCommands, { text, sha1 }: Script, key: string, args: string[]): Promise<boolean> {
  try {
    return isOne(await commands.runCachedScript(sha1, key, args));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return isOne(await commands.runScript(text, key, args));
  }
}

function isOne(reply: unknown): boolean {
  return Number(reply) === 1;
}
