import { createHash } from 'node:crypto';
import { ConfigurationError } from '../errors/configuration.js';
import { lifeMs } from './life.js';
import { postgresStatements, tableName } from './postgres-statements.js';
import type { Store } from './store.js';
import { fromStoredText, toStoredText } from './stored-text.js';

export type { Store, StoreWriteOptions } from './store.js';

/** What runs a statement: a `Pool` of `pg`, PGlite, or any object with such a method. */
export interface PostgresQueryable {
  /** Runs one statement with its parameters `$1`, `$2`, …; rejects with the error of the database. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** One object per row; empty when the statement returns none. */
    rows: unknown[];
  }>;
}

/** Options of `postgresStore`. */
export interface PostgresStoreOptions {
  /**
   * Name of the table, with its schema before a dot where it is not on the search path. It is quoted: write it as it is.
   * @defaultValue 'online_ordering_state'
   */
  table?: string | undefined;
}

/** A store in PostgreSQL. */
export interface PostgresStore extends Store {
  /**
   * Creates the table and its index where they are missing. Several processes may call it at once; one that may not
   * create tables can leave it to a migration of yours: the statement is in `docs/stores.md`.
   */
  migrate(): Promise<void>;
  /**
   * Removes rows whose life is over, a hundred at a time, and returns how many. The store does so by itself between its
   * writes; rows that another process is removing, or using, are passed over.
   */
  removeExpired(): Promise<number>;
}

/** How many writes of this process pass between two removals of expired rows: more are removed than come in. */
const WRITES_PER_REMOVAL = 100;
const ROWS_PER_BATCH = 100;
/** So that the rest of a long neglected table is left to later writes. */
const BATCHES_PER_REMOVAL = 10;

/** An index entry has room for 2,704 bytes. */
const LONGEST_KEY_BYTES = 1024;

/** `serialization_failure`: databases may run every statement in the strictest isolation. The statement did nothing. */
const RETRYABLE = '40001';
const ATTEMPTS = 10;

/**
 * A store in a table of PostgreSQL, over a pool of `pg` or anything else with `query(text, values)`.
 *
 * Every operation is one statement of its own transaction, found by primary key. Lives count by the server's clock.
 *
 * @param database - A pool, not a connection on which you run transactions: what the store wrote would be undone with
 *   them, and its rows stay locked until they end.
 * @throws {ConfigurationError} It has no method `query`, or `table` is no name of a table.
 * @example
 * const store = postgresStore(new Pool({ connectionString: process.env.DATABASE_URL! }));
 * await store.migrate();
 * const client = new OnlineOrdering({ store });
 */
export function postgresStore(database: PostgresQueryable, options: PostgresStoreOptions = {}): PostgresStore {
  if (typeof database?.query !== 'function') {
    throw new ConfigurationError(
      'postgresStore got no database; give a Pool of pg, or an object with query(text, values).',
    );
  }
  const sql = postgresStatements(tableName(options.table ?? 'online_ordering_state'));
  let writes = 0;

  const query = async (text: string, values?: unknown[]): Promise<unknown[]> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await database.query(text, values)).rows;
      } catch (error) {
        if ((error as { code?: unknown }).code !== RETRYABLE || attempt >= ATTEMPTS) throw error;
      }
    }
  };

  const removeExpired = async (): Promise<number> => {
    let removed = 0;
    for (let batch = 0; batch < BATCHES_PER_REMOVAL; batch += 1) {
      const { length } = await query(sql.removeExpired, [ROWS_PER_BATCH]);
      removed += length;
      if (length < ROWS_PER_BATCH) break;
    }
    return removed;
  };

  /** Whether the statement wrote a row. */
  const write = async (text: string, key: string, ...values: unknown[]): Promise<boolean> => {
    const rows = await query(text, [storedKey(key), ...values]);
    writes += 1;
    // No caller waits for it, and a failure is no loss: the next one removes those rows too.
    if (writes % WRITES_PER_REMOVAL === 0) void removeExpired().catch(() => {});
    return rows.length > 0;
  };

  return {
    async migrate() {
      await query(sql.migrate);
    },
    removeExpired,
    async get(key) {
      const [row] = (await query(sql.get, [storedKey(key)])) as { value: string }[];
      return row && fromStoredText(row.value);
    },
    async set(key, value, options) {
      await write(sql.set, key, toStoredText(value), lifeMs(options) ?? null);
    },
    async setIfAbsent(key, value, options) {
      return write(sql.setIfAbsent, key, toStoredText(value), lifeMs(options) ?? null);
    },
    async compareAndSet(key, expected, value, options) {
      return write(sql.compareAndSet, key, toStoredText(expected), toStoredText(value), lifeMs(options) ?? null);
    },
    async compareAndDelete(key, expected) {
      return write(sql.compareAndDelete, key, toStoredText(expected));
    },
  };
}

/** A long key is stored as its digest, behind what makes it no other key's text. */
function storedKey(key: string): string {
  const text = toStoredText(key);
  const isShort = text.length * 3 <= LONGEST_KEY_BYTES || Buffer.byteLength(text) <= LONGEST_KEY_BYTES;
  return isShort ? text : `\u0001sha256:${createHash('sha256').update(text).digest('hex')}`;
}
