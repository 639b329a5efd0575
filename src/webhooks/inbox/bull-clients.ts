/** What is used of a job of BullMQ. */
export interface BullJobLike {
  /** Absent only until it was added. */
  readonly id?: string | undefined;
  /** What was added to the queue: the entry. */
  readonly data: unknown;
  /** How often it was tried. */
  readonly attemptsMade: number;
  /** How often its process died over it, or lost its connection for so long that it seemed to have died. */
  readonly stalledCounter?: number;
  /** How long it was to wait, in milliseconds, when it was last put off. */
  readonly delay: number;
  /** Message of the last failure. */
  readonly failedReason?: string;
  /** Where it stands: `waiting`, `active`, `delayed`, `completed`, `failed`. */
  getState(): Promise<string>;
  /** Puts it off until an instant, in milliseconds since 1970. */
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>;
  /** Ends its delay. */
  promote(): Promise<unknown>;
  /** Puts a failed job into the queue once more. */
  retry(state?: 'failed', options?: { resetAttemptsMade?: boolean }): Promise<unknown>;
}

/** What is used of the Redis client inside of a queue. */
export interface BullRedisLike {
  /** Redis `INCR`: counts up, and gives the new number. */
  incr(key: string): Promise<number>;
  /** Redis `ZADD … NX`: adds a member unless it is there. */
  zadd(key: string, mode: 'NX', score: number, member: string): Promise<unknown>;
  /** Redis `ZRANGE`: members by rank, both ends included. */
  zrange(key: string, start: number, stop: number): Promise<string[]>;
  /** Redis `ZREM`: takes a member away. */
  zrem(key: string, member: string): Promise<unknown>;
}

/** What is used of a `Queue` of BullMQ 5. */
export interface BullQueueLike {
  /** Settles with the Redis client of the queue. */
  // biome-ignore lint/suspicious/noExplicitAny: the client of BullMQ has overloads that no narrower type takes
  readonly client: Promise<any>;
  /** The key in Redis of a part of the queue. */
  toKey(type: string): string;
  /** Adds a job; one with the same `jobId` is added once. */
  add(name: string, data: object, options: object): Promise<unknown>;
  /** The job with this id, finished ones too; `undefined` when there is none. */
  getJob(id: string): Promise<BullJobLike | undefined>;
  /** Delayed jobs, those due first at first, both ends included. */
  getDelayed(start?: number, end?: number): Promise<BullJobLike[]>;
  /** Failed jobs by rank, both ends included. */
  getFailed(start?: number, end?: number): Promise<BullJobLike[]>;
}

/** What is used of a `Worker` of BullMQ 5. */
export interface BullWorkerLike {
  /** Takes no more jobs, and waits for those under way. */
  close(): Promise<void>;
  /** Adds a listener; without one an error of the connection would end the process. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Options that the worker of an inbox needs. */
export interface BullWorkerOptions {
  /** How often a job may be found without its process before it is a dead letter. */
  readonly maxStalledCount: number;
}
