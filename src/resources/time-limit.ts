import { APIUserAbortError, DeadlineExceededError } from '../errors/connection.js';
import type { Clock } from '../platform/clock.js';

export interface TimeLimitOptions {
  /** Ends the whole of it. */
  signal?: AbortSignal;
  /** Milliseconds for the whole of it, waits included. */
  deadline?: number;
}

/** The caller's signal and deadline, for a procedure of several calls and waits. */
export interface TimeLimit {
  /** Aborted by either; its reason is an error of this package. */
  readonly signal: AbortSignal;
  /** What a single call gets. */
  forCall(): TimeLimitOptions;
  /** Takes listener and timer away. */
  end(): void;
}

/** Where the time ended, for the error. */
export interface LimitedCall {
  readonly method: string;
  readonly path: string;
}

export function startTimeLimit(clock: Clock, { signal, deadline }: TimeLimitOptions, call: LimitedCall): TimeLimit {
  const controller = new AbortController();
  const facts = { ...call, attempts: 0 };
  const onAbort = (): void => {
    const error = new APIUserAbortError('The signal of the caller ended the call.', facts, { cause: signal?.reason });
    controller.abort(error);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  const endsAtMs = deadline === undefined ? undefined : clock.now() + deadline;
  const onDeadline = (): void => {
    controller.abort(new DeadlineExceededError(`The deadline of ${deadline} ms passed.`, facts));
  };
  const cancelTimer =
    deadline === undefined ? undefined : clock.setTimer(onDeadline, Math.max(0, deadline), { background: true });

  return {
    signal: controller.signal,
    forCall() {
      controller.signal.throwIfAborted();
      if (endsAtMs === undefined) return { signal };
      return { signal, deadline: Math.max(1, endsAtMs - clock.now()) };
    },
    end() {
      signal?.removeEventListener('abort', onAbort);
      cancelTimer?.();
    },
  };
}
