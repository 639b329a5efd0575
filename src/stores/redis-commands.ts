import { ConfigurationError } from '../errors/configuration.js';

/** A client of node-redis 5 or 6: one server, a pool, a sentinel or a cluster. */
export interface NodeRedisClient {
  /** Redis `GET`: the text under a key, or `null`. */
  get(key: string): Promise<unknown>;
  /** Redis `SET`: `null` when a condition kept it from being written. */
  set(key: string, value: string, options?: NodeRedisSetOptions): Promise<unknown>;
  /** Redis `EVAL`: runs a script by its text. */
  eval(script: string, options?: NodeRedisScriptOptions): Promise<unknown>;
  /** Redis `EVALSHA`: runs a script by its digest; rejects with `NOSCRIPT` where it is not known. */
  evalSha(sha1: string, options?: NodeRedisScriptOptions): Promise<unknown>;
}

/** The part of node-redis' options of SET that is used. */
export interface NodeRedisSetOptions {
  /** How long the key lives. */
  expiration?: {
    /** Milliseconds. */
    type: 'PX';
    /** How many, from 1 on. */
    value: number;
  };
  /** `NX`: only when the key is not there. */
  condition?: 'NX';
}

/** Keys and arguments of a script, as node-redis takes them. */
export interface NodeRedisScriptOptions {
  /** Keys that the script touches; a cluster finds its node by them. */
  keys?: string[];
  /** Further arguments of the script. */
  arguments?: string[];
}

/** A client of ioredis 5 or 6: one server, or a cluster. */
export interface IoredisClient {
  /** Sends any command with its arguments; resolves to its reply. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
}

/** A client that either library gives. */
export type RedisClient = NodeRedisClient | IoredisClient;

/** The same few commands over every client. */
export interface RedisCommands {
  get(key: string): Promise<unknown>;
  /** Whether it was written. */
  set(key: string, value: string, life: number | undefined, onlyIfAbsent: boolean): Promise<boolean>;
  runScript(script: string, key: string, args: string[]): Promise<unknown>;
  runCachedScript(sha1: string, key: string, args: string[]): Promise<unknown>;
}

export function redisCommands(client: RedisClient): RedisCommands {
  refuseReplicaReads(client);
  if (isNodeRedis(client)) return nodeRedisCommands(client);
  if (typeof (client as Partial<IoredisClient> | undefined)?.call === 'function') return ioredisCommands(client);
  throw new ConfigurationError(
    'redisStore got no Redis client; give one of node-redis (createClient, createCluster) or of ioredis (new Redis, new Cluster).',
  );
}

function nodeRedisCommands(client: NodeRedisClient): RedisCommands {
  return {
    get: (key) => client.get(key),
    async set(key, value, life, onlyIfAbsent) {
      const reply = await client.set(key, value, {
        ...(life === undefined ? {} : { expiration: { type: 'PX', value: life } }),
        ...(onlyIfAbsent ? { condition: 'NX' } : {}),
      });
      return reply !== null;
    },
    runScript: (script, key, args) => client.eval(script, { keys: [key], arguments: args }),
    runCachedScript: (sha1, key, args) => client.evalSha(sha1, { keys: [key], arguments: args }),
  };
}

function ioredisCommands(client: IoredisClient): RedisCommands {
  return {
    get: (key) => client.call('get', key),
    async set(key, value, life, onlyIfAbsent) {
      const expiry = life === undefined ? [] : ['PX', life];
      return (await client.call('set', key, value, ...expiry, ...(onlyIfAbsent ? ['NX'] : []))) !== null;
    },
    runScript: (script, key, args) => client.call('eval', script, 1, key, ...args),
    runCachedScript: (sha1, key, args) => client.call('evalsha', sha1, 1, key, ...args),
  };
}

function isNodeRedis(client: RedisClient): client is NodeRedisClient {
  return typeof (client as Partial<NodeRedisClient> | undefined)?.evalSha === 'function';
}

/** A replica lags behind: what was just written would seem absent, and a lease free. */
function refuseReplicaReads(client: RedisClient): void {
  const { options, _options } = (client ?? {}) as {
    options?: { scaleReads?: unknown };
    _options?: { useReplicas?: unknown };
  };
  const scaleReads = options?.scaleReads;
  if (_options?.useReplicas !== true && (scaleReads === undefined || scaleReads === 'master')) return;
  throw new ConfigurationError(
    'The Redis client of redisStore reads from replicas, which lag behind; give one without "useReplicas" or "scaleReads".',
  );
}
