import { inTurn, KeyedMutex } from '../../concurrency/mutex.js';
import { ConfigurationError } from '../../errors/configuration.js';
import type { BullJobLike, BullQueueLike, BullRedisLike, BullWorkerLike, BullWorkerOptions } from './bull-clients.js';
import { BullDelays } from './bull-delays.js';
import type { DeadLetter, Inbox, InboxEntry, InboxWorker } from './inbox.js';

export type {
  BullJobLike,
  BullQueueLike,
  BullRedisLike,
  BullWorkerLike,
  BullWorkerOptions,
} from './bull-clients.js';

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
  /**
   * How often, in milliseconds, a process looks for entries whose wait is over although its wall clock, which BullMQ goes
   * by, does not say so: it was set back, or the process that put them off is ahead. @defaultValue 5,000
   */
  lookAgainMs?: number | undefined;
}

/** How long an entry waits for an older one of its subject, or for other hands to let go of it, before it asks again. */
const BEHIND_MS = 250;
const LOOK_AGAIN_MS = 5_000;
/** How BullMQ begins to say that the process of a job died too often. */
const STALLED = 'job stalled';

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
  readonly #mostAttempts: number;
  readonly #turns = new KeyedMutex();
  #worker: BullWorkerLike | undefined;
  #lookingAgain: ReturnType<typeof setInterval> | undefined;
  #stopping = new AbortController();

  constructor(options: BullmqInboxOptions) {
    this.#options = options;
    this.#queue = options.queue;
    this.#mostAttempts = options.attempts ?? 10;
  }

  async write(entry: InboxEntry): Promise<'written' | 'duplicate'> {
    const { rememberDays = 7 } = this.#options;
    const jobId = jobIdOf(entry.id);
    if (await this.#queue.getJob(jobId)) return 'duplicate';
    const isFirst = await this.#takePlace(entry);
    // BullMQ adds nothing for an id that it has; the place may be that of a process which died before it came here.
    await this.#queue.add('event', entry, {
      jobId,
      attempts: this.#mostAttempts,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: { age: rememberDays * 86_400 },
      removeOnFail: false,
    });
    return isFirst ? 'written' : 'duplicate';
  }

  start(worker: InboxWorker): Promise<void> {
    return inTurn(this.#turns, 'workers', async () => {
      await this.#stop();
      this.#stopping = new AbortController();
      // An entry that kills its process comes to an end, too.
      const options = { maxStalledCount: Math.max(0, this.#mostAttempts - 1) };
      this.#worker = this.#options.createWorker(
        (job: BullJobLike, token) => this.#process(job, token, worker),
        options,
      );
      this.#worker.on('error', (error) => worker.onError(error));
      const delays = new BullDelays(this.#queue);
      // Failures are told by those that handle entries.
      const look = (): void => void delays.look().catch(() => {});
      this.#lookingAgain = setInterval(look, this.#options.lookAgainMs ?? LOOK_AGAIN_MS);
      this.#lookingAgain.unref();
    });
  }

  stop(): Promise<void> {
    return inTurn(this.#turns, 'workers', () => this.#stop());
  }

  async #stop(): Promise<void> {
    clearInterval(this.#lookingAgain);
    await this.#worker?.close();
    this.#worker = undefined;
    this.#stopping.abort();
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    const jobs = await this.#queue.getFailed(0, -1);
    return jobs.reverse().map(({ data, attemptsMade, stalledCounter = 0, failedReason = '' }) => {
      const entry = data as InboxEntry;
      if (!failedReason.startsWith(STALLED))
        return { entry, attempts: attemptsMade + stalledCounter, error: failedReason };
      // BullMQ counts the death of the process, and its verdict about that.
      return { entry, attempts: attemptsMade + stalledCounter - 1, error: 'The process died while it was handled.' };
    });
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
      if (attempt >= this.#mostAttempts) await this.#leavePlace(entry);
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
