import { unlessAborted } from '../../../platform/unless-aborted.js';

/** The end of the line of each order, in this process. */
const tails = new Map<string, Promise<void>>();

/** Runs `work` after everything that began earlier for the same order; an abort ends the wait, not the others. */
export async function inTurn<T>(orderId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = tails.get(orderId) ?? Promise.resolve();
  let leave = (): void => {};
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const tail = before.then(() => mine);
  tails.set(orderId, tail);
  try {
    await unlessAborted(before, signal);
    return await work();
  } finally {
    leave();
    if (tails.get(orderId) === tail) tails.delete(orderId);
  }
}
