import { type Clock, monotonicNow } from '../../platform/clock.js';
import { onAbort } from '../../platform/on-abort.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { AttemptTimer } from './attempt-timer.js';

/**
 * Calls `end` when the attempt's time-out, the call's deadline or the caller's signal ends it, whichever is first.
 * Returns a function that stops watching.
 */
export function watchAttempt(
  call: Call,
  { clock, timer }: { clock: Clock; timer: AttemptTimer },
  end: (kind: 'timeout' | 'deadline' | 'aborted', reason: unknown) => void,
): () => void {
  const { signal, timeout, deadlineAt } = call.settings;
  const timeoutAt = monotonicNow(clock) + timeout;
  const unwatch = timer.watch(Math.min(timeoutAt, deadlineAt), () => {
    end(deadlineAt <= timeoutAt ? 'deadline' : 'timeout', undefined);
  });
  if (!signal) return unwatch;

  const ignore = onAbort(signal, () => end('aborted', signal.reason));
  return () => {
    unwatch();
    ignore();
  };
}

export function endedFailure(kind: 'timeout' | 'deadline' | 'aborted', written: boolean, reason: unknown): Failure {
  return new Failure({ kind, written }, reason);
}
