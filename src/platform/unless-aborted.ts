import type { Clock } from './clock.js';
import { onAbort } from './on-abort.js';

/** How long work may go on after an abort before its wait ends. */
export interface Grace {
  readonly clock: Clock;
  readonly graceMs: number;
}

/**
 * Waits for work that others may wait for, too; an abort ends this wait alone, with the reason of the signal: at once, or
 * when the grace is over.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, grace?: Grace): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancelGrace = (): void => {};
    const end = (): void => {
      if (!grace || grace.graceMs === 0) return reject(signal.reason);
      cancelGrace = grace.clock.setTimer(() => reject(signal.reason), grace.graceMs, { background: true });
    };
    const ignore = signal.aborted ? end() : onAbort(signal, end);
    // In any case, so that a rejection after the abort is handled.
    work.then(resolve, reject).finally(() => {
      ignore?.();
      cancelGrace();
    });
  });
}
