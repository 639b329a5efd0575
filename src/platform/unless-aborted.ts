import { onAbort } from './on-abort.js';

/** Waits for work that others may wait for, too; an abort ends this wait alone, at once, with the reason of the signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    const ignore = signal.aborted ? end() : onAbort(signal, end);
    // In any case, so that a rejection after the abort is handled.
    work.then(resolve, reject).finally(() => ignore?.());
  });
}
