import { ConfigurationError } from '../../errors/configuration.js';
import { retryDelaySql } from './retry-delay.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,47}(\.[A-Za-z_][A-Za-z0-9_]{0,47})?$/;

/** The statements of an inbox, for one table. Time is the server's. */
export function inboxStatements(name: string) {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ConfigurationError(
      'The option table of pgBossInbox is no name of a table; write letters, digits and _, with a schema before a dot.',
    );
  }
  const table = name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
  const index = (column: string) => `"${name.split('.').at(-1)}_${column}"`;
  const lockOf = (text: string) => `hashtextextended('${name} ' || ${text}, 0)`;
  // How long an entry has to wait yet. One that is to wait for longer than it ever was has seen the server's clock set back.
  const wait = `case when due_at > now() + ${retryDelaySql('attempts')} then interval '0'
    else greatest(due_at - now(), interval '0') end`;
  return {
    // One statement; the lock, since "if not exists" alone fails when two run it at once.
    migrate: `do $inbox$ begin
      perform pg_advisory_xact_lock(${lockOf("'migrate'")});
      create table if not exists ${table} (
        id text collate "C" primary key,
        subject text collate "C" not null,
        position bigint generated always as identity,
        entry text not null,
        state text not null default 'waiting' check (state in ('waiting', 'done', 'dead')),
        attempts int not null default 0,
        error text,
        due_at timestamptz not null default now(),
        written_at timestamptz not null default now(),
        done_at timestamptz
      );
      create index if not exists ${index('waiting')} on ${table} (subject, position) where state = 'waiting';
      create index if not exists ${index('dead')} on ${table} (position) where state = 'dead';
      create index if not exists ${index('done')} on ${table} (done_at) where state = 'done';
    end $inbox$`,
    insert: `insert into ${table} (id, subject, entry) values ($1, $2, $3) on conflict (id) do nothing returning id`,
    tryLock: `select pg_try_advisory_lock(${lockOf('$1')}) as locked`,
    unlock: `select pg_advisory_unlock(${lockOf('$1')})`,
    first: `select id, entry, attempts, ceil(extract(epoch from ${wait}))::int as wait_seconds from ${table}
      where subject = $1 and state = 'waiting' order by position limit 1`,
    countAttempt: `update ${table} set attempts = attempts + 1 where id = $1`,
    takeBackAttempt: `update ${table} set attempts = greatest(0, attempts - 1) where id = $1`,
    done: `update ${table} set state = 'done', done_at = now(), error = null where id = $1`,
    failed: `update ${table} set error = $2, due_at = now() + $3::float8 * interval '1 millisecond', state = $4
      where id = $1 and state = 'waiting'`,
    bury: `update ${table} set state = 'dead' where id = $1`,
    dead: `select entry, attempts, error from ${table} where state = 'dead' order by position`,
    revive: `update ${table} set state = 'waiting', attempts = 0, due_at = now() where id = $1 and state = 'dead'
      returning subject`,
    waiting: `select distinct subject from ${table} where state = 'waiting' limit 1000`,
    forgotten: `select distinct subject from ${table}
      where state = 'waiting' and ${wait} = interval '0'
        and not due_at between now() - $1::float8 * interval '1 millisecond' and now() limit 1000`,
    removeDone: `delete from ${table} where id in (select id from ${table}
      where state = 'done' and done_at < now() - $1::float8 * interval '1 day' limit 10000)`,
  } as const;
}
