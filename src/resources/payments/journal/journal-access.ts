import { OnlineOrderingError } from '../../../errors/base.js';
import { ConfigurationError } from '../../../errors/local.js';
import { PaymentStateError } from '../../../errors/payment.js';
import type { Clock } from '../../../platform/clock.js';
import { unlessAborted } from '../../../platform/unless-aborted.js';
import type { PaymentJournal } from './journal.js';

/** How long one operation of a journal may take. */
export const DEFAULT_OPERATION_MS = 5000;
/** How long after an abort a write may still end, so that a payment whose response just came is noted. */
export const GRACE_MS = 8;

export interface JournalAccessOptions {
  readonly journal: PaymentJournal;
  readonly orderId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds for one operation of the journal. @defaultValue 5000 */
  readonly operationMs?: number | undefined;
}

/** What became of a write: refused with what stands in the journal instead. */
export type Written = { readonly done: true } | { readonly done: false; readonly present: string | undefined };

/** The journal of one order, foreign code: every operation has a time, and what comes later is ignored. */
export class JournalAccess {
  readonly #options: JournalAccessOptions;

  constructor(options: JournalAccessOptions) {
    this.#options = options;
  }

  /** The same journal, whose operations end with another signal; their time is limited all the same. */
  endedBy(signal: AbortSignal): JournalAccess {
    return new JournalAccess({ ...this.#options, signal });
  }

  /** @throws {PaymentStateError} `journal_unavailable`: it failed, or took too long. */
  async read({ graceMs = 0 }: { graceMs?: number } = {}): Promise<string | undefined> {
    const { journal, orderId } = this.#options;
    const text: unknown = await this.#within('read', graceMs, () => journal.read(orderId));
    // Many drivers give null for what is not there.
    if (text === undefined || text === null) return undefined;
    if (typeof text === 'string') return text;
    throw this.#unavailable('read', `gave ${typeof text} where it has to give the text or undefined`);
  }

  /**
   * Writes by comparison. A write that failed, hung, or was refused is looked up before that is believed: its result
   * may have been lost, or a driver may have repeated it. Every text is written once only.
   *
   * @throws {PaymentStateError} `journal_unavailable`: it is not known to be written. It may be yet.
   */
  async write(expected: string | undefined, next: string): Promise<Written> {
    const { journal, orderId, signal } = this.#options;
    let failure: unknown;
    try {
      if ((await this.#within('write', GRACE_MS, () => journal.write(orderId, expected, next))) === true) {
        return { done: true };
      }
    } catch (error) {
      // What a journal of this package refuses is not durable, even where it can be read.
      if (error instanceof ConfigurationError || signal.aborted) throw error;
      failure = error;
    }
    const present = await this.read({ graceMs: GRACE_MS }).catch((error: unknown) => {
      throw failure ?? error;
    });
    if (present === next) return { done: true };
    if (failure !== undefined) throw failure;
    return { done: false, present };
  }

  /** Takes the record away; false when it could not, or the journal forgets nothing. */
  async forget(expected: string): Promise<boolean> {
    const { journal, orderId } = this.#options;
    if (typeof journal.forget !== 'function') return false;
    return (await this.#within('forget', GRACE_MS, async () => journal.forget?.(orderId, expected))) === true;
  }

  #within<T>(operation: Operation, graceMs: number, work: () => Promise<T>): Promise<T> {
    const { clock, signal, operationMs = DEFAULT_OPERATION_MS } = this.#options;
    const limited = new Promise<T>((resolve, reject) => {
      const cancelLimit = clock.setTimer(
        () => reject(this.#unavailable(operation, `did not end within ${operationMs} ms`)),
        operationMs,
        BACKGROUND,
      );
      // A journal that is not asynchronous may throw here.
      new Promise<T>((done) => done(work()))
        .then(resolve, (error: unknown) => reject(this.#failed(operation, error)))
        .finally(cancelLimit);
    });
    return unlessAborted(limited, signal, { clock, graceMs });
  }

  #failed(operation: Operation, error: unknown): unknown {
    return error instanceof OnlineOrderingError ? error : this.#unavailable(operation, 'failed (see the cause)', error);
  }

  #unavailable(operation: Operation, what: string, cause?: unknown): PaymentStateError {
    const { orderId } = this.#options;
    return new PaymentStateError(
      `The payment journal is not available: its operation "${operation}" for order ${orderId} ${what}. ` +
        'Nothing that it had to note was sent. Call again when it works.',
      { orderId, reason: 'journal_unavailable' },
      cause === undefined ? {} : { cause },
    );
  }
}

type Operation = 'read' | 'write' | 'forget';
const BACKGROUND = { background: true } as const;
