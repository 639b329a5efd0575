import { APIUserAbortError, ClientClosedError, DeadlineExceededError } from '../errors/connection.js';
import { ConfigurationError } from '../errors/local.js';
import type { Closing } from '../http/exchange/closing.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import { unlessAborted } from '../platform/unless-aborted.js';

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
  /** For waits: aborted by the same, and when the client closes. Calls under way end by themselves then. */
  readonly waits: AbortSignal;
  /** What a single call gets. */
  forCall(): TimeLimitOptions;
  /** Milliseconds that are left of the deadline; infinite without one. */
  leftMs(): number;
  /** Ends the procedure, and its calls under way, with the reason of `other` as well. */
  endWith(other: AbortSignal): void;
  /** Waits for foreign code; a result that comes after the end is ignored. */
  bound<T>(work: T | PromiseLike<T>): Promise<T>;
  /** Waits for a handler, which may ask a person; the end of the client ends that, too. */
  ask<T>(handler: () => T | PromiseLike<T>): Promise<T>;
  /** Takes listener and timer away. */
  end(): void;
}

/** Where the time ended, for the error. */
export interface LimitedCall {
  readonly method: string;
  readonly path: string;
  /** The end of the client; `undefined` where there is none. */
  readonly closing?: Closing | undefined;
}

/** @throws {ConfigurationError} `signal` is no signal, or `deadline` counts no milliseconds. */
export function startTimeLimit(clock: Clock, { signal, deadline }: TimeLimitOptions, call: LimitedCall): TimeLimit {
  checkLimits(signal, deadline);
  const { closing, ...place } = call;
  const controller = new AbortController();
  const waiting = new AbortController();
  controller.signal.addEventListener('abort', () => waiting.abort(controller.signal.reason), { once: true });
  const facts = { ...place, attempts: 0 };
  const onClose = (): void => {
    waiting.abort(new ClientClosedError('The client was closed while the call waited.', facts));
  };
  const ignoreClose = closing?.onClose(onClose);
  if (closing?.isClosed) onClose();
  const onAbort = (): void => {
    const error = new APIUserAbortError('The signal of the caller ended the call.', facts, { cause: signal?.reason });
    controller.abort(error);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  const endsAtMs = deadline === undefined ? undefined : monotonicNow(clock) + deadline;
  const onDeadline = (): void => {
    controller.abort(new DeadlineExceededError(`The deadline of ${deadline} ms passed.`, facts));
  };
  const cancelTimer =
    deadline === undefined ? undefined : clock.setTimer(onDeadline, Math.max(0, deadline), { background: true });

  let callSignal = signal;
  let removeOther = (): void => {};
  return {
    signal: controller.signal,
    waits: waiting.signal,
    forCall() {
      controller.signal.throwIfAborted();
      const given = callSignal ? { signal: callSignal } : {};
      return endsAtMs === undefined ? given : { ...given, deadline: Math.max(1, endsAtMs - monotonicNow(clock)) };
    },
    leftMs: () => (endsAtMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, endsAtMs - monotonicNow(clock))),
    endWith(other) {
      callSignal = controller.signal;
      const onOther = (): void => controller.abort(other.reason);
      if (other.aborted) return onOther();
      other.addEventListener('abort', onOther, { once: true });
      removeOther = () => other.removeEventListener('abort', onOther);
    },
    bound: (work) => unlessAborted(Promise.resolve(work), controller.signal),
    ask: (handler) => unlessAborted((async () => handler())(), waiting.signal),
    end() {
      ignoreClose?.();
      signal?.removeEventListener('abort', onAbort);
      removeOther();
      cancelTimer?.();
    },
  };
}

function checkLimits(signal: AbortSignal | undefined, deadline: number | undefined): void {
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new ConfigurationError('The option "signal" is not an AbortSignal; pass the "signal" of an AbortController.');
  }
  if (deadline === undefined || (typeof deadline === 'number' && Number.isFinite(deadline) && deadline > 0)) return;
  throw new ConfigurationError(
    `The option "deadline" is ${String(deadline)}; it counts milliseconds and must be above 0. Nothing was sent.`,
  );
}
