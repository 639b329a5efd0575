import { ConfigurationError } from '../../errors/configuration.js';
import type { DeadLetter, Inbox, InboxEntry, InboxWorker } from './inbox.js';

/** What is used of a job of BullMQ. */
export interface BullJobLike {
  /** What was added to the queue: the entry. */
  readonly data: unknown;
  /** How often it was tried. */
  readonly attemptsMade: number;
  /** Message of the last failure. */
  readonly failedReason?: string;
  /** Where it stands: `waiting`, `active`, `delayed`, `completed`, `failed`. */
  getState(): Promise<string>;
  /** Puts it off until an instant, in milliseconds since 1970. */
  moveToDelayed(timestamp: number, token?: string): Promise<unknown>;
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
  /** A job may be found without its process more than once: that alone makes no dead letter. */
  readonly maxStalledCount: number;
}

/** Options of `bullmqInbox`. */
export interface BullmqInboxOptions {
  /** The queue, for this inbox alone. */
  queue: BullQueueLike;
  /** Makes a worker: `(process, options) => new Worker(queue.name, process, { ...options, connection, concurrency: 4 })`. */
  createWorker: (
    // biome-ignore lint/suspicious/noExplicitAny: jobs of BullMQ have types of their own
    process: (job: any, token?: string) => Promise<void>,
    options: BullWorkerOptions,
  ) => BullWorkerLike;
  /** How often an entry is tried before it is a dead letter. @defaultValue 10 */
  attempts?: number | undefined;
  /** How long handled entries are remembered, in days. @defaultValue 7 */
  rememberDays?: number | undefined;
}

/** How long an entry waits for an older one of its subject, or for other hands to let go of it, before it asks again. */
const BEHIND_MS = 250;

/**
 * An inbox in Redis, over BullMQ. An entry survives as much as Redis does: turn on its append-only file.
 *
 * The receiver marks handled events in its store, so that a process that dies after a handler wrote and before the mark
 * has the event handled once more: let handlers be safe to repeat, or use `pgBossInbox`.
 *
 * @throws {ConfigurationError} An option is missing.
 * @example
 * const queue = new Queue('webhooks', { connection });
 * const inbox = bullmqInbox({
 *   queue,
 *   createWorker: (process, options) => new Worker(queue.name, process, { ...options, connection }),
 * });
 */
export function bullmqInbox(options: BullmqInboxOptions): Inbox {
  if (typeof options.queue?.add !== 'function') throw new ConfigurationError('The option queue is no Queue of BullMQ.');
  if (typeof options.createWorker !== 'function') {
    throw new ConfigurationError('The option createWorker is missing; write (process, options) => new Worker(…).');
  }
  return new BullmqInbox(options);
}

class BullmqInbox implements Inbox {
  readonly #options: BullmqInboxOptions;
  readonly #queue: BullQueueLike;
  #worker: BullWorkerLike | undefined;
  #stopping = new AbortController();

  constructor(options: BullmqInboxOptions) {
    this.#options = options;
    this.#queue = options.queue;
  }

  async write(entry: InboxEntry): Promise<'written' | 'duplicate'> {
    const { attempts = 10, rememberDays = 7 } = this.#options;
    const jobId = jobIdOf(entry.id);
    if (await this.#queue.getJob(jobId)) return 'duplicate';
    const isFirst = await this.#takePlace(entry);
    // BullMQ adds nothing for an id that it has; the place may be that of a process which died before it came here.
    await this.#queue.add('event', entry, {
      jobId,
      attempts,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: { age: rememberDays * 86_400 },
      removeOnFail: false,
    });
    return isFirst ? 'written' : 'duplicate';
  }

  async start(worker: InboxWorker): Promise<void> {
    this.#stopping = new AbortController();
    this.#worker = this.#options.createWorker((job: BullJobLike, token) => this.#process(job, token, worker), {
      maxStalledCount: 1_000,
    });
    this.#worker.on('error', (error) => worker.onError(error));
  }

  async stop(): Promise<void> {
    await this.#worker?.close();
    this.#worker = undefined;
    this.#stopping.abort();
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    const jobs = await this.#queue.getFailed(0, -1);
    return jobs.reverse().map(({ data, attemptsMade, failedReason }) => ({
      entry: data as InboxEntry,
      attempts: attemptsMade,
      error: failedReason ?? '',
    }));
  }

  async retry(id: string): Promise<boolean> {
    const job = await this.#queue.getJob(jobIdOf(id));
    if (!job || (await job.getState()) !== 'failed') return false;
    await this.#takePlace(job.data as InboxEntry);
    try {
      await job.retry('failed', { resetAttemptsMade: true });
    } catch (error) {
      // Another one has it run again since the look.
      if ((await job.getState()) !== 'failed') return false;
      throw error;
    }
    return true;
  }

  async #process(job: BullJobLike, token: string | undefined, worker: InboxWorker): Promise<void> {
    const entry = job.data as InboxEntry;
    await this.#takePlace(entry);
    if (!(await this.#isFirst(entry))) return putOff(job, token);
    const attempt = job.attemptsMade + 1;
    let outcome: 'handled' | 'busy';
    try {
      outcome = await worker.handle(entry, { attempt, signal: this.#stopping.signal, tx: undefined });
    } catch (error) {
      // The last attempt: entries behind it need not wait any longer.
      if (attempt >= (this.#options.attempts ?? 10)) await this.#leavePlace(entry);
      throw error;
    }
    if (outcome === 'busy') return putOff(job, token);
    await this.#leavePlace(entry);
  }

  /** Whether no older entry of the subject is still to be handled. */
  async #isFirst(entry: InboxEntry): Promise<boolean> {
    const redis = await this.#redis();
    for (;;) {
      const [first] = await redis.zrange(this.#placesOf(entry.subject), 0, 0);
      if (first === undefined || first === entry.id) return true;
      const job = await this.#queue.getJob(jobIdOf(first));
      const state = job ? await job.getState() : 'unknown';
      if (job && state !== 'completed' && state !== 'failed') return false;
      // Its process died after it was handled, or before it was written: no delivery waits for it.
      await redis.zrem(this.#placesOf(entry.subject), first);
    }
  }

  /** A place in the sequence of the subject's entries; an entry that has one keeps it. Returns whether it had none. */
  async #takePlace(entry: InboxEntry): Promise<boolean> {
    const redis = await this.#redis();
    const place = await redis.incr(this.#queue.toKey('places'));
    return Number(await redis.zadd(this.#placesOf(entry.subject), 'NX', place, entry.id)) === 1;
  }

  async #leavePlace(entry: InboxEntry): Promise<void> {
    await (await this.#redis()).zrem(this.#placesOf(entry.subject), entry.id);
  }

  #placesOf(subject: string): string {
    return this.#queue.toKey(`places:${subject}`);
  }

  async #redis(): Promise<BullRedisLike> {
    return (await this.#queue.client) as BullRedisLike;
  }
}

/** The job comes again in a moment; that was no attempt. */
async function putOff(job: BullJobLike, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + BEHIND_MS, token);
  throw new NotItsTurn();
}

/** BullMQ recognises a job that has put itself off by this name. */
class NotItsTurn extends Error {
  override readonly name = 'DelayedError';
}

/** Ids of jobs have no colon and are no number. */
function jobIdOf(id: string): string {
  return `event-${id.replaceAll('%', '%25').replaceAll(':', '%3A')}`;
}
