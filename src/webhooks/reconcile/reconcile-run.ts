import { isClientClosed } from '../../platform/client-closed.js';
import type { Clock } from '../../platform/clock.js';
import type { ReceiverAccess } from '../receiver/receiver.js';
import { reconcileSubject, type SubjectReading } from './missed-change.js';

/** What one run found out. */
export interface ReconcileReport {
  /** Events that handlers had missed, and have had now (with an inbox: that are in the inbox now). */
  readonly handled: number;
  /** What could not be read or handled; the next run tries it again. */
  readonly failures: readonly ReconcileFailure[];
  /** Set when nothing was done: another process is running, or the reconciler was stopped. */
  readonly skipped?: 'running_elsewhere' | 'stopped';
}

/** A part of a run that went wrong. */
export interface ReconcileFailure {
  /** `orders`, `order <order id>`, `stock of <location id>`, `menu of …`, `hours of …`, `locations`. */
  readonly resource: string;
  /** What the client, the store or a handler threw. */
  readonly error: unknown;
}

export interface ReconcileRunOptions {
  readonly receiver: ReceiverAccess;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly since: number | undefined;
  readonly orderWindowMs: number;
  readonly openOrderMs: number;
  readonly pastOrderMs: number;
  /** Only what is due by the polling limits; otherwise everything. */
  readonly onlyDue: boolean;
  readonly onFailure: (failure: ReconcileFailure) => void;
}

/** One pass over everything: counts what was handled, and keeps one resource's failure from the others. */
export class ReconcileRun {
  readonly options: ReconcileRunOptions;
  readonly #failures: ReconcileFailure[] = [];
  #handled = 0;
  #succeeded = 0;

  constructor(options: ReconcileRunOptions) {
    this.options = options;
  }

  /** Whether nothing of the run went well. */
  get hasFailed(): boolean {
    return this.#failures.length > 0 && this.#succeeded === 0;
  }

  /** Does a part of the run; true when it went well. A run that was stopped, or whose client was closed, ends here. */
  async attempt(resource: string, part: () => Promise<unknown>): Promise<boolean> {
    const { signal, onFailure } = this.options;
    signal.throwIfAborted();
    const failuresBefore = this.#failures.length;
    try {
      await part();
      if (this.#failures.length === failuresBefore) this.#succeeded += 1;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      // Nothing else of the run can go better.
      if (isClientClosed(error)) throw error;
      const failure = { resource, error };
      this.#failures.push(failure);
      onFailure(failure);
      return false;
    }
  }

  /** Compares a reading with what is known, and counts the events that it led to. */
  async reconcile(reading: SubjectReading): Promise<void> {
    const handled = await reconcileSubject(this.options.receiver, reading);
    if (handled === 'busy') throw new Error('A delivery about it took too long.');
    this.#handled += handled;
  }

  report(skipped?: ReconcileReport['skipped']): ReconcileReport {
    return { handled: this.#handled, failures: this.#failures, skipped };
  }

  async readMark<Mark>(name: string): Promise<Mark | undefined> {
    const text = await this.#store.get(this.#markKey(name));
    return text === undefined ? undefined : (JSON.parse(text) as Mark);
  }

  /** Without `ttlMs` the mark stays. */
  async writeMark(name: string, mark: unknown, ttlMs?: number): Promise<void> {
    await this.#store.set(this.#markKey(name), JSON.stringify(mark), { ttlMs });
  }

  get #store() {
    return this.options.receiver.engine.options.store;
  }

  #markKey(name: string): string {
    return `${this.options.receiver.engine.options.prefix}reconciled:${name}`;
  }
}
