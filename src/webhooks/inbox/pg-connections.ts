import { systemClock } from '../../platform/clock.js';
import { within } from '../../platform/within.js';
import type { InboxClient, InboxPool } from './pg-clients.js';

/** Connections of a pool on which no statement of the inbox waits for good: one that went silent is closed. */
export class PgConnections<Client extends InboxClient> {
  readonly #pool: InboxPool<Client>;
  readonly #limitMs: number;

  /** @param limitMs how long a statement may take */
  constructor(pool: InboxPool<Client>, limitMs: number) {
    this.#pool = pool;
    this.#limitMs = limitMs;
  }

  /** Waits for what the database, or a library over it, has to say; not for longer than a statement may take. */
  bounded<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    return within(systemClock, this.#limitMs, what, work);
  }

  query(client: InboxClient, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.bounded('The database of the inbox', () => client.query(text, values));
  }

  inTransaction<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.with(async (client) => {
      await this.query(client, 'begin isolation level read committed');
      const result = await work(client);
      await this.query(client, 'commit');
      return result;
    });
  }

  /** A connection for the work; after a failure it is closed. */
  async with<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await this.take();
    try {
      const result = await work(client);
      this.giveBack(client);
      return result;
    } catch (error) {
      this.giveBack(client, true);
      throw error;
    }
  }

  async take(): Promise<Client> {
    const connecting = this.#pool.connect();
    try {
      const client = await this.bounded('A connection of the inbox', () => connecting);
      client.on?.('error', ignore);
      return client;
    } catch (error) {
      // One that comes too late is for somebody else.
      connecting.then((client) => client.release(), ignore);
      throw error;
    }
  }

  giveBack(client: InboxClient, destroy?: boolean): void {
    // A connection that is being closed may still say why.
    if (!destroy) client.removeListener?.('error', ignore);
    client.release(destroy);
  }
}

/** What breaks a connection fails its next statement, too, which is where it is told. */
const ignore = (): void => {};
