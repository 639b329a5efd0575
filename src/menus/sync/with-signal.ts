import { unlessAborted } from '../../platform/unless-aborted.js';

/**
 * Waits for work that others wait for too; an abort ends this wait alone, at once, with the reason of the signal. With a
 * signal that is aborted already nothing is begun.
 */
export async function withSignal<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return work();
  signal.throwIfAborted();
  return unlessAborted(work(), signal);
}
