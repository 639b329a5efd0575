/** What is used of a client of `pg`. */
export interface InboxClient {
  /** Runs one statement with its parameters. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** One object per row; empty when the statement returns none. */
    rows: unknown[];
  }>;
  /** With `true` the connection is closed instead of being used again. */
  release(destroy?: boolean): void;
  /** A connection that breaks while it is held says so here; nobody listening would end the process. */
  on?(event: 'error', listener: () => void): unknown;
  /** Takes the listener away before the connection goes back to the pool. */
  removeListener?(event: 'error', listener: () => void): unknown;
}

/** What is used of a `Pool` of `pg`. */
export interface InboxPool<Client extends InboxClient> {
  /** Takes a connection; it is given back with `release`. */
  connect(): Promise<Client>;
  /** How the pool was made. */
  readonly options?:
    | {
        /** How many connections it may have. */
        readonly max?: number | undefined;
      }
    | undefined;
}

/** What is used of a job of pg-boss: entries of a subject wait to be handled. */
export interface WakeUp {
  /** Id of the job, a UUID. */
  readonly id: string;
  /** What was sent with it: the subject whose entries wait. */
  readonly data: unknown;
}

/** What is used of pg-boss, version 10 or later. */
export interface PgBossLike {
  /** Makes the queue unless it is there. */
  createQueue(name: string, options?: object): Promise<unknown>;
  /** Adds a job; `null` when one of the same `singletonKey` waits already. */
  send(name: string, data: object, options: object): Promise<string | null>;
  /** Takes jobs that are due. */
  fetch(name: string, options: object): Promise<WakeUp[]>;
  /** Says that jobs are done. */
  complete(name: string, ids: string[]): Promise<unknown>;
  /** Gives jobs back, so that they come again. */
  fail(name: string, ids: string[]): Promise<unknown>;
}
