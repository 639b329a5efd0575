import { inTurn, KeyedMutex } from '../../concurrency/mutex.js';
import { ConfigurationError } from '../../errors/configuration.js';
import { sleep, systemClock } from '../../platform/clock.js';
import type { Store } from '../../stores/store.js';
import type { DeadLetter, Inbox, InboxEntry, InboxWorker } from './inbox.js';
import type { InboxClient, InboxPool, PgBossLike, WakeUp } from './pg-clients.js';
import { PgConnections } from './pg-connections.js';
import { inboxStatements } from './pg-statements.js';
import { retryDelayMs } from './retry-delay.js';

export type { InboxClient, InboxPool, PgBossLike, WakeUp } from './pg-clients.js';

/** Options of `pgBossInbox`. */
export interface PgBossInboxOptions<Client extends InboxClient> {
  /** A started pg-boss. */
  boss: PgBossLike;
  /**
   * A pool of the database in which handlers write with `context.tx`. A worker holds an advisory lock of its session while
   * it handles a subject: PgBouncer in transaction mode would lose it.
   */
  pool: InboxPool<Client>;
  /** Name of the table of entries, with its schema before a dot. @defaultValue 'online_ordering_inbox' */
  table?: string | undefined;
  /** Name of the queue in pg-boss. @defaultValue 'online-ordering-inbox' */
  queue?: string | undefined;
  /** How often an entry is tried before it is a dead letter. @defaultValue 10 */
  attempts?: number | undefined;
  /**
   * How many subjects are handled at a time in one process; fewer where the pool has no connection more than that.
   * @defaultValue 4
   */
  concurrency?: number | undefined;
  /** How long handled entries are remembered, in days. @defaultValue 7 */
  rememberDays?: number | undefined;
  /**
   * How often, in milliseconds, a process looks for entries that wait for longer than that: their wake-up was lost with a
   * process or with the connection to the database. @defaultValue 30,000
   */
  lookAgainMs?: number | undefined;
  /**
   * How long a statement of the inbox may take, in milliseconds; handlers have `longestHandlerMs` of the receiver. A
   * connection that went silent (a firewall that forgot it) is then closed, and another one taken. @defaultValue 30,000
   */
  statementTimeoutMs?: number | undefined;
  /**
   * The receiver's store over a transaction: `(tx) => postgresStore(tx)`. What is known of an order is then committed
   * together with the effect of the event. Give it when the receiver's store is a `postgresStore` of the same database.
   */
  store?: ((tx: InboxClient) => Store) | undefined;
}

/** An inbox in PostgreSQL. */
export interface PgBossInbox<Client extends InboxClient> extends Inbox<Client> {
  /** Creates the table and the queue where they are missing. Several processes may call it at once. */
  migrate(): Promise<void>;
}

/** How many wake-ups a process fetches, and how often; more rarely while the database is away. */
const WAKE_UPS_AT_ONCE = 50;
const FETCH_EVERY_MS = 500;
const LONGEST_FETCH_EVERY_MS = 5_000;
const LOOK_AGAIN_MS = 30_000;
const FEWEST_CONNECTIONS = 2;
const STATEMENT_TIMEOUT_MS = 30_000;
/** After a minute the wake-up of a process that died is given to another one. */
const WAKE_UP = { retryLimit: 1_000, retryDelay: 5, expireInSeconds: 60 };

interface Row {
  readonly id: string;
  readonly entry: string;
  readonly attempts: number;
  readonly wait_seconds: number;
}

/** An entry whose handling failed; other errors are the database's. */
class EntryFailure extends Error {
  constructor(
    readonly row: Row,
    readonly reason: unknown,
  ) {
    super('The entry could not be handled.');
  }
}

/**
 * An inbox in PostgreSQL: entries stand in a table, and pg-boss wakes a worker for each subject that has some, also after
 * a failure or the death of a process.
 *
 * An entry is handled in one transaction with the handlers' writes (`context.tx`) and its mark: its effect takes place
 * exactly once, wherever a process dies.
 *
 * @throws {ConfigurationError} An option cannot work.
 * @example
 * const inbox = pgBossInbox({ boss, pool, store: (tx) => postgresStore(tx) });
 * await inbox.migrate();
 * const receiver = createWebhookReceiver({ secrets, inbox, store: postgresStore(pool) });
 * receiver.on('order.created', ({ data }, { tx }) => tx.query('insert into orders (id) values ($1)', [data.order_id]));
 */
export function pgBossInbox<Client extends InboxClient>(options: PgBossInboxOptions<Client>): PgBossInbox<Client> {
  if (typeof options.boss?.send !== 'function') throw new ConfigurationError('The option boss is no pg-boss.');
  if (typeof options.pool?.connect !== 'function') throw new ConfigurationError('The option pool is no Pool of pg.');
  if ((options.pool.options?.max ?? FEWEST_CONNECTIONS) < FEWEST_CONNECTIONS) {
    throw new ConfigurationError(
      'The option pool has a single connection; give it two at least (max): one for the transaction of an event, one for what the store of the receiver reads meanwhile.',
    );
  }
  return new PostgresInbox(options);
}

class PostgresInbox<Client extends InboxClient> implements PgBossInbox<Client> {
  readonly #options: PgBossInboxOptions<Client>;
  readonly #queue: string;
  readonly #mostAttempts: number;
  readonly #sql: ReturnType<typeof inboxStatements>;
  readonly #connections: PgConnections<Client>;
  readonly #turns = new KeyedMutex();
  /** Ends when the workers are to take no further entries. */
  #stopping = new AbortController();
  /** Ends when the last of them is done. */
  #stopped = new AbortController();
  #working: Promise<void> = Promise.resolve();
  #lookingAgain: ReturnType<typeof setInterval> | undefined;

  constructor(options: PgBossInboxOptions<Client>) {
    this.#options = options;
    this.#queue = options.queue ?? 'online-ordering-inbox';
    this.#mostAttempts = options.attempts ?? 10;
    this.#sql = inboxStatements(options.table ?? 'online_ordering_inbox');
    this.#connections = new PgConnections(options.pool, options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS);
  }

  async migrate(): Promise<void> {
    // However long it takes to wait for others that create them, too.
    await this.#connections.with((client) => client.query(this.#sql.migrate));
    await this.#options.boss.createQueue(this.#queue);
  }

  /** The entry and its wake-up are written in one transaction. */
  async write(entry: InboxEntry): Promise<'written' | 'duplicate'> {
    return this.#connections.inTransaction(async (client) => {
      const values = [entry.id, entry.subject, JSON.stringify(entry)];
      const { rows } = await this.#ask(client, this.#sql.insert, values);
      if (rows.length === 0) return 'duplicate';
      await this.#wake(entry.subject, 0, client);
      return 'written';
    });
  }

  start(worker: InboxWorker<Client>): Promise<void> {
    return inTurn(this.#turns, 'workers', () => this.#start(worker));
  }

  stop(): Promise<void> {
    return inTurn(this.#turns, 'workers', () => this.#stop());
  }

  async #start(worker: InboxWorker<Client>): Promise<void> {
    await this.#stop();
    // A process that died may have taken the wake-ups of its subjects with it; and marks that are old enough go.
    await this.#connections.with(async (client) => {
      const { rows } = await this.#ask(client, this.#sql.waiting);
      for (const { subject } of rows as { subject: string }[]) await this.#wake(subject, 0);
      await this.#ask(client, this.#sql.removeDone, [this.#options.rememberDays ?? 7]);
    });
    // Only now: where the database is away, nothing was started, and the caller may start again.
    this.#stopping = new AbortController();
    this.#stopped = new AbortController();
    this.#working = this.#work(worker, this.#stopping.signal);
    const { lookAgainMs = LOOK_AGAIN_MS } = this.#options;
    // Failures are told by those that handle entries.
    this.#lookingAgain = setInterval(() => void this.#wakeForgotten(lookAgainMs).catch(() => {}), lookAgainMs);
    this.#lookingAgain.unref();
  }

  async #stop(): Promise<void> {
    clearInterval(this.#lookingAgain);
    this.#stopping.abort();
    await this.#working;
    this.#stopped.abort();
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#connections.with(async (client) => {
      const { rows } = await this.#ask(client, this.#sql.dead);
      return (rows as (Row & { error: string | null })[]).map(({ entry, attempts, error }) => ({
        entry: JSON.parse(entry) as InboxEntry,
        attempts,
        error: error ?? 'The process died while it was handled.',
      }));
    });
  }

  async retry(id: string): Promise<boolean> {
    return this.#connections.inTransaction(async (client) => {
      const { rows } = await this.#ask(client, this.#sql.revive, [id]);
      const [row] = rows as { subject: string }[];
      if (row) await this.#wake(row.subject, 0, client);
      return row !== undefined;
    });
  }

  /**
   * Fetches wake-ups and handles their subjects, until the workers are stopped. The loop of pg-boss itself (`work`) leaves a
   * rejection that nobody hears when the database goes away just as a wake-up is done, and that ends the process.
   */
  async #work(worker: InboxWorker<Client>, stopping: AbortSignal): Promise<void> {
    let failures = 0;
    while (!stopping.aborted) {
      let fetched = 0;
      try {
        const wakeUps = await this.#askBoss((boss) => boss.fetch(this.#queue, { batchSize: WAKE_UPS_AT_ONCE }));
        fetched = wakeUps.length;
        if (fetched > 0) await this.#handleWakeUps(wakeUps, worker);
        failures = 0;
      } catch (error) {
        failures += 1;
        worker.onError(error);
      }
      const waitMs = Math.min(LONGEST_FETCH_EVERY_MS, FETCH_EVERY_MS * 2 ** failures);
      // Stopping ends the wait.
      if (fetched < WAKE_UPS_AT_ONCE) await sleep(systemClock, waitMs, stopping).catch(() => {});
    }
  }

  async #handleWakeUps(wakeUps: readonly WakeUp[], worker: InboxWorker<Client>): Promise<void> {
    const { concurrency = 4, pool } = this.#options;
    // While each holds a connection, the receiver's store needs one of the same pool: with none left, all would wait.
    const most = Math.min(concurrency, (pool.options?.max ?? Number.POSITIVE_INFINITY) - 1);
    const subjectOf = ({ data }: WakeUp): string => (data as { subject: string }).subject;
    const subjects = [...new Set(wakeUps.map(subjectOf))];
    const unhandled = new Set<string>();
    const lanes = Array.from({ length: most }, async () => {
      for (let subject = subjects.shift(); subject !== undefined; subject = subjects.shift()) {
        try {
          await this.#handleSubject(subject, worker);
        } catch (error) {
          worker.onError(error);
          unhandled.add(subject);
        }
      }
    });
    await Promise.all(lanes);
    const idsOf = (isUnhandled: boolean): string[] =>
      wakeUps.filter((wakeUp) => unhandled.has(subjectOf(wakeUp)) === isUnhandled).map(({ id }) => id);
    const [again, done] = [idsOf(true), idsOf(false)];
    if (done.length > 0) await this.#askBoss((boss) => boss.complete(this.#queue, done));
    // pg-boss tries them again.
    if (again.length > 0) await this.#askBoss((boss) => boss.fail(this.#queue, again));
  }

  /** Handles the entries of a subject, oldest first, until none is left or one has to wait. */
  async #handleSubject(subject: string, worker: InboxWorker<Client>): Promise<void> {
    const client = await this.#connections.take();
    try {
      const { rows } = await this.#ask(client, this.#sql.tryLock, [subject]);
      if ((rows as { locked: boolean }[])[0]?.locked) {
        await this.#handleEntries(subject, worker, client);
        await this.#ask(client, this.#sql.unlock, [subject]);
        // Another worker has the subject. It may be about to end, so the entry must be tried once more.
      } else await this.#wakeLater(subject);
      this.#connections.giveBack(client);
    } catch (error) {
      // Closed, and with it transaction and lock: a handler that is still running must not write outside of them.
      this.#connections.giveBack(client, true);
      if (error instanceof EntryFailure) return this.#failed(subject, error);
      throw error;
    }
  }

  async #handleEntries(subject: string, worker: InboxWorker<Client>, client: Client): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const { rows } = await this.#ask(client, this.#sql.first, [subject]);
      const [row] = rows as Row[];
      if (!row) return;
      // Not before: what comes behind it meanwhile has to wait as well.
      if (row.wait_seconds > 0) return this.#wake(subject, row.wait_seconds);
      if (row.attempts >= this.#mostAttempts) {
        await this.#ask(client, this.#sql.bury, [row.id]);
        continue;
      }
      // Counted and committed before, so that an entry that kills its process comes to an end, too.
      await this.#ask(client, this.#sql.countAttempt, [row.id]);
      if ((await this.#handle({ ...row, attempts: row.attempts + 1 }, worker, client)) === 'busy') {
        // Somebody else works on the subject (the reconciler, a process that died a moment ago): that was no attempt.
        await this.#ask(client, 'rollback');
        await this.#ask(client, this.#sql.takeBackAttempt, [row.id]);
        return this.#wakeLater(subject);
      }
    }
    await this.#wake(subject, 0);
  }

  async #handle(row: Row, worker: InboxWorker<Client>, client: Client): Promise<'handled' | 'busy'> {
    await this.#ask(client, 'begin isolation level read committed');
    let isCommitted = false;
    try {
      return await worker.handle(JSON.parse(row.entry) as InboxEntry, {
        attempt: row.attempts,
        signal: this.#stopped.signal,
        tx: client,
        store: this.#options.store?.(client),
        commit: async () => {
          await this.#ask(client, this.#sql.done, [row.id]);
          await this.#ask(client, 'commit');
          isCommitted = true;
        },
      });
    } catch (error) {
      if (!isCommitted) throw new EntryFailure(row, error);
      return 'handled';
    }
  }

  async #failed(subject: string, { row, reason }: EntryFailure): Promise<void> {
    const isDead = row.attempts >= this.#mostAttempts;
    const delayMs = isDead ? 0 : retryDelayMs(row.attempts);
    const message = (reason instanceof Error ? reason.message : String(reason)).replaceAll('\0', '').slice(0, 2_000);
    await this.#connections.inTransaction(async (client) => {
      await this.#ask(client, this.#sql.failed, [row.id, message, delayMs, isDead ? 'dead' : 'waiting']);
      await this.#wake(subject, Math.ceil(delayMs / 1000), client);
    });
  }

  /** Has pg-boss call a worker for the subject; with a client, in its transaction. */
  async #wake(subject: string, startAfter: number, client?: InboxClient): Promise<void> {
    const db = client && { executeSql: (text: string, values?: unknown[]) => this.#ask(client, text, values) };
    await this.#askBoss((boss) => boss.send(this.#queue, { subject }, { ...WAKE_UP, startAfter, ...(db && { db }) }));
  }

  /** One wake-up of a subject for all processes that miss it. */
  async #wakeForgotten(sinceMs: number): Promise<void> {
    const { rows } = await this.#connections.with((client) => this.#ask(client, this.#sql.forgotten, [sinceMs]));
    for (const { subject } of rows as { subject: string }[]) {
      const once = { singletonKey: subject, singletonSeconds: Math.max(1, Math.round(sinceMs / 1000)) };
      await this.#askBoss((boss) => boss.send(this.#queue, { subject }, { ...WAKE_UP, ...once }));
    }
  }

  /** One wake-up for all that find the subject in other hands within two seconds. */
  async #wakeLater(subject: string): Promise<void> {
    const once = { singletonKey: subject, singletonSeconds: 2, singletonNextSlot: true };
    await this.#askBoss((boss) => boss.send(this.#queue, { subject }, { ...WAKE_UP, ...once, startAfter: 1 }));
  }

  #ask(client: InboxClient, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.#connections.query(client, text, values);
  }

  #askBoss<Result>(work: (boss: PgBossLike) => Promise<Result>): Promise<Result> {
    return this.#connections.bounded('pg-boss', () => work(this.#options.boss));
  }
}
