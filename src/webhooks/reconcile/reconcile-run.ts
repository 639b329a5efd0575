import type { Clock } from '../../platform/clock.js';
import type { EventEngine } from '../receiver/event-engine.js';

/** What one run found out. */
export interface ReconcileReport {
  /** Events that handlers had missed, and have had now. */
  readonly handled: number;
  /** What could not be read or handled; the next run tries it again. */
  readonly failures: readonly ReconcileFailure[];
  /** Set when nothing was done: another process is at it, or the reconciler was stopped. */
  readonly skipped?: 'running_elsewhere' | 'stopped';
}

/** A part of a run that went wrong. */
export interface ReconcileFailure {
  /** `orders`, `order <order id>`, `stock of <location id>`, `menu of <location id>`, `locations`. */
  readonly resource: string;
  /** What the client, the store or a handler threw. */
  readonly error: unknown;
}

export interface ReconcileRunOptions {
  readonly engine: EventEngine;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly since: number | undefined;
  readonly orderWindowMs: number;
  readonly openOrderMs: number;
  readonly onFailure: (failure: ReconcileFailure) => void;
}

/** One pass over everything: counts what was handled, and keeps one resource's failure from the others. */
export class ReconcileRun {
  readonly options: ReconcileRunOptions;
  readonly #failures: ReconcileFailure[] = [];
  #handled = 0;

  constructor(options: ReconcileRunOptions) {
    this.options = options;
  }

  /** Does a part of the run, and counts the events it handled; true when it went well. A stopped run ends here. */
  async attempt(resource: string, part: () => Promise<unknown>): Promise<boolean> {
    const { signal, onFailure } = this.options;
    signal.throwIfAborted();
    try {
      const handled = await part();
      if (handled === 'busy') throw new Error('A delivery about it took too long.');
      if (typeof handled === 'number') this.#handled += handled;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const failure = { resource, error };
      this.#failures.push(failure);
      onFailure(failure);
      return false;
    }
  }

  report(skipped?: ReconcileReport['skipped']): ReconcileReport {
    return { handled: this.#handled, failures: this.#failures, skipped };
  }

  async readMark<Mark>(name: string): Promise<Mark | undefined> {
    const text = await this.options.engine.options.store.get(this.#markKey(name));
    return text === undefined ? undefined : (JSON.parse(text) as Mark);
  }

  async writeMark(name: string, mark: unknown): Promise<void> {
    await this.options.engine.options.store.set(this.#markKey(name), JSON.stringify(mark));
  }

  #markKey(name: string): string {
    return `${this.options.engine.options.prefix}reconciled:${name}`;
  }
}
