import { type Clock, monotonicNow } from '../../platform/clock.js';
import { onAbort as listenToAbort } from '../../platform/on-abort.js';
import type { Call } from './call.js';
import { Failure } from './failure.js';
import type { Progress } from './progress.js';

/** As much of a call as its waits need. */
export type WaitingCall = Pick<Call, 'settings'>;

/** Waits until the instant `until`, and never less: a timer may fire a little early. Ends at once on the caller's abort. */
export async function waitUntil(clock: Clock, until: number, call: WaitingCall): Promise<void> {
  const { progress } = call.settings;
  progress?.waitsUntil(until);
  try {
    for (let now = monotonicNow(clock); now < until; now = monotonicNow(clock)) await pause(clock, until - now, call);
  } finally {
    progress?.goesOn();
  }
}

/** Waits once; the caller's abort and the end of the client end the wait at once. */
function pause(clock: Clock, delayMs: number, call: WaitingCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(() => finish(resolve), delayMs);
    const stopWatching = watchEnd(call, (failure) => finish(() => reject(failure)));
    const finish = (settle: () => void): void => {
      cancelTimer();
      stopWatching();
      settle();
    };
  });
}

/**
 * Calls `end`, never at once, when the caller aborts or the client closes, also when that has happened before. Returns a
 * function that stops watching.
 */
export function watchEnd({ settings }: WaitingCall, end: (failure: Failure) => void): () => void {
  const { signal, closing } = settings;
  const onAbort = (): void => end(new Failure({ kind: 'aborted', written: false }, signal?.reason));
  const onClose = (): void => end(new Failure({ kind: 'closed', written: false }));
  const stopClosing = closing?.onClose(onClose);
  const stopSignal = signal && listenToAbort(signal, onAbort);
  if (signal?.aborted) queueMicrotask(onAbort);
  else if (closing?.isClosed) queueMicrotask(onClose);
  return () => {
    stopClosing?.();
    stopSignal?.();
  };
}

/** Throws when the caller has aborted, or the deadline has passed, before anything more is sent. */
export function throwIfEnded(call: WaitingCall, clock: Clock): void {
  const { signal, deadlineAt, closing } = call.settings;
  if (closing?.isClosed) throw new Failure({ kind: 'closed', written: false });
  if (signal?.aborted) throw new Failure({ kind: 'aborted', written: false }, signal.reason);
  if (deadlineAt !== Number.POSITIVE_INFINITY && monotonicNow(clock) >= deadlineAt) {
    throw new Failure({ kind: 'deadline', written: false });
  }
}

/** Attempts that the call may still make. */
export function attemptsLeft({ settings, log }: Pick<Call, 'settings' | 'log'>): number {
  return settings.maxRetries + 1 - log.attempts;
}

/** True when a wait is longer than the call allows. */
export function isTooLong(waitMs: number, call: WaitingCall, clock: Clock): boolean {
  return waitMs > call.settings.maxWait || monotonicNow(clock) + waitMs >= call.settings.deadlineAt;
}

/**
 * Waits for a request that is shared with other callers, as long as this call would wait for one of its own: for as
 * many attempts, each for its `timeout`, and through no pause that its `maxWait` or its deadline does not allow. The end
 * of this call does not end the request.
 */
export function whileCallLasts<T>(work: Promise<T>, call: WaitingCall, clock: Clock, progress: Progress): Promise<T> {
  const { deadlineAt, timeout, maxRetries, closing } = call.settings;
  return new Promise<T>((resolve, reject) => {
    const fail = (failure: Failure): void => finish(() => reject(failure));
    const failuresBefore = progress.failures;
    let sendingMs = timeout * (maxRetries + 1);
    let runningSince: number | undefined;
    let cancelTimer = (): void => {};

    const onTime = (): void => {
      if (monotonicNow(clock) >= deadlineAt) return fail(new Failure({ kind: 'deadline', written: false }));
      fail(lateFailure());
    };
    /** The time in which the shared request stands still is not counted against the time of its attempts. */
    const follow = (): void => {
      cancelTimer();
      const now = monotonicNow(clock);
      if (runningSince !== undefined) sendingMs -= now - runningSince;
      runningSince = undefined;
      if (progress.failures - failuresBefore > maxRetries) return fail(progress.failure());
      const { pause } = progress;
      const pauseMs = pause ? pause.until - now : 0;
      if (pauseMs > 0) {
        if (closing?.isClosed) return fail(new Failure({ kind: 'closed', written: false }));
        if (isTooLong(pauseMs, call, clock)) fail(progress.failure(pauseMs));
        return;
      }
      runningSince = now;
      cancelTimer = clock.setTimer(onTime, Math.max(0, Math.min(sendingMs, deadlineAt - now)));
    };
    // An attempt that is on its way ends by itself when the client closes; a pause ends at once.
    const onEnd = (failure: Failure): void => (failure.facts.kind === 'closed' ? follow() : fail(failure));
    const stopWatching = watchEnd(call, onEnd);
    const stopFollowing = progress.onChange(follow);
    const finish = (settle: () => void): void => {
      cancelTimer();
      stopFollowing();
      stopWatching();
      settle();
    };
    // First of all, so that a rejection is handled whatever ends this wait.
    work.then(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    );
    follow();
  });
}

/** The token endpoint was given as much time as the call has. */
function lateFailure(): Failure {
  const cause = new Failure({ kind: 'timeout', written: false });
  return new Failure({ kind: 'token', written: false, response: undefined }, cause);
}
