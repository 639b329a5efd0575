import { type Clock, monotonicNow } from '../../platform/clock.js';
import { onAbort } from '../../platform/on-abort.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { AttemptTimer, Watched } from './attempt-timer.js';
import type { DispatchController } from './dispatcher.js';

/** What ends an attempt from outside. */
export type AttemptEnd = 'timeout' | 'deadline' | 'aborted';

/** What sends the attempt, and ends it when it must end. */
export interface Attempt {
  end(kind: AttemptEnd, reason: unknown): void;
}

/**
 * Ends an attempt at its time-out, at the call's deadline or by the caller's signal, whichever is first, until `stop` is
 * called.
 */
export class AttemptWatch implements Watched {
  readonly dueAt: number;
  place = -1;
  readonly #isDeadline: boolean;
  readonly #attempt: Attempt;
  readonly #timer: AttemptTimer;
  readonly #ignoreSignal: (() => void) | undefined;

  constructor(call: Call, { clock, timer }: { clock: Clock; timer: AttemptTimer }, attempt: Attempt) {
    const { signal, timeout, deadlineAt } = call.settings;
    const timeoutAt = monotonicNow(clock) + timeout;
    this.#isDeadline = deadlineAt <= timeoutAt;
    this.dueAt = this.#isDeadline ? deadlineAt : timeoutAt;
    this.#attempt = attempt;
    this.#timer = timer;
    this.#ignoreSignal = signal && onAbort(signal, () => attempt.end('aborted', signal.reason));
    timer.watch(this);
  }

  /** Called by the timer. */
  expire(): void {
    this.#attempt.end(this.#isDeadline ? 'deadline' : 'timeout', undefined);
  }

  stop(): void {
    this.#timer.forget(this);
    this.#ignoreSignal?.();
  }
}

export function endedFailure(kind: AttemptEnd, written: boolean, reason: unknown): Failure {
  return new Failure({ kind, written }, reason);
}

/** Ends a request over a dispatcher. The attempt is over already; what a dispatcher throws at that must reach nobody. */
export function abortQuietly(controller: DispatchController, reason: Error): void {
  try {
    controller.abort(reason);
  } catch {
    // Thrown into the timer of all attempts, it would end the process, or keep other attempts from ending.
  }
}
