import { ConfigurationError } from '../errors/configuration.js';

/** The table's name in the parts that statements need. */
export interface TableName {
  /** Quoted, with its schema. */
  readonly quoted: string;
  /** Quoted name of the index on the expiry; an index stands in its table's schema. */
  readonly quotedIndex: string;
}

/** PostgreSQL cuts longer names off, silently. */
const LONGEST_NAME_BYTES = 63;

/** Around the block that creates the table; a name that held it would end the block. */
const BLOCK = '$online_ordering$';

/** @throws {ConfigurationError} It is no name, or too long to be one. */
export function tableName(text: string): TableName {
  const parts = typeof text === 'string' ? text.split('.') : [];
  const name = parts.at(-1) ?? '';
  const index = `${name}_expires_at`;
  const isName = (part: string): boolean =>
    part !== '' && !part.includes('\0') && !part.includes(BLOCK) && Buffer.byteLength(part) <= LONGEST_NAME_BYTES;
  if (parts.length > 2 || ![name, ...parts, index].every(isName)) {
    throw new ConfigurationError(
      `The option "table" of postgresStore is ${JSON.stringify(String(text).slice(0, 80))}; write a name of at most ${LONGEST_NAME_BYTES - '_expires_at'.length} bytes, with a schema before a dot if needed.`,
    );
  }
  return { quoted: parts.map(quoted).join('.'), quotedIndex: quoted(index) };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The statements of the store, for one table. Time is the server's, as the statement begins: where it had to wait for a
 * row, a life ends a little early, which is the safe side of a lease.
 */
export function postgresStatements({ quoted: table, quotedIndex: index }: TableName) {
  const expiry = (parameter: string): string => `now() + ${parameter}::float8 * interval '1 millisecond'`;
  const alive = '(s.expires_at is null or s.expires_at > now())';
  const put = `insert into ${table} as s (key, value, expires_at) values ($1::text, $2::text, ${expiry('$3')})
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;
  return {
    get: `select s.value from ${table} as s where s.key = $1::text and ${alive}`,
    set: `${put} returning 1`,
    setIfAbsent: `${put} where s.expires_at <= now() returning 1`,
    compareAndSet: `update ${table} as s set value = $3::text, expires_at = ${expiry('$4')}
      where s.key = $1::text and s.value = $2::text and ${alive} returning 1`,
    compareAndDelete: `delete from ${table} as s
      where s.key = $1::text and s.value = $2::text and ${alive} returning 1`,
    // Found by the index, and locked only for the moment of a hundred deletions; a row that came alive again is kept.
    removeExpired: `delete from ${table} where key in (
      select s.key from ${table} as s where s.expires_at <= now() order by s.expires_at limit $1::int for update skip locked
    ) returning 1`,
    // One statement, whatever the driver; the lock, since "if not exists" alone fails when two run it at once.
    migrate: `do ${BLOCK} begin
      perform pg_advisory_xact_lock(hashtextextended(${literal(`online-ordering-sdk ${table}`)}, 0));
      create table if not exists ${table} (
        key text collate "C" primary key,
        value text not null,
        expires_at timestamptz
      );
      create index if not exists ${index} on ${table} (expires_at) where expires_at is not null;
    end ${BLOCK}`,
  } as const;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
