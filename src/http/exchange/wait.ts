import { type Clock, monotonicNow, sleep } from '../../platform/clock.js';
import type { Call } from './call.js';
import { Failure } from './failure.js';

/** Waits until the instant `until`, and never less: a timer may fire a little early. Ends at once on the caller's abort. */
export async function waitUntil(clock: Clock, until: number, call: Call): Promise<void> {
  const startedAt = monotonicNow(clock);
  try {
    for (let now = startedAt; now < until; now = monotonicNow(clock))
      await sleep(clock, until - now, call.settings.signal);
  } catch (reason) {
    throw new Failure({ kind: 'aborted', written: false }, reason);
  } finally {
    call.waitedMs += monotonicNow(clock) - startedAt;
  }
}

/** Throws when the caller has aborted, or the deadline has passed, before anything more is sent. */
export function throwIfEnded(call: Call, clock: Clock): void {
  const { signal, deadlineAt } = call.settings;
  if (signal?.aborted) throw new Failure({ kind: 'aborted', written: false }, signal.reason);
  if (deadlineAt !== Number.POSITIVE_INFINITY && monotonicNow(clock) >= deadlineAt) {
    throw new Failure({ kind: 'deadline', written: false });
  }
}

/** True when a wait is longer than the call allows. */
export function isTooLong(waitMs: number, call: Call, clock: Clock): boolean {
  return waitMs > call.settings.maxWait || monotonicNow(clock) + waitMs >= call.settings.deadlineAt;
}

/**
 * Waits for work that is shared with other callers, for as long as this call lasts. The end of this call does not end
 * the work.
 */
export function whileCallLasts<T>(work: Promise<T>, call: Call, clock: Clock): Promise<T> {
  const { signal, deadlineAt } = call.settings;
  if (!signal && deadlineAt === Number.POSITIVE_INFINITY) return work;

  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => finish(() => reject(new Failure({ kind: 'aborted', written: false }, signal?.reason)));
    const cancelTimer =
      deadlineAt === Number.POSITIVE_INFINITY
        ? () => {}
        : clock.setTimer(
            () => finish(() => reject(new Failure({ kind: 'deadline', written: false }))),
            deadlineAt - monotonicNow(clock),
          );
    const finish = (settle: () => void): void => {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    // First of all, so that a rejection is handled whatever ends this wait.
    work.then(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
