import { KeyedMutex } from '../../../concurrency/mutex.js';
import { unlessAborted } from '../../../platform/unless-aborted.js';

const orders = new KeyedMutex();

/** Runs `work` after everything that began earlier for the same order; an abort ends the wait, not the others. */
export async function inTurn<T>(orderId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const place = orders.enter(orderId);
  try {
    await unlessAborted(place.earlier ?? Promise.resolve(), signal);
    return await work();
  } finally {
    place.leave();
  }
}
