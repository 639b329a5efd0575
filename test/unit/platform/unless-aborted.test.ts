import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unlessAborted } from '../../../src/platform/unless-aborted.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const never = new Promise<never>(() => {});

test('an abort ends the wait with the reason of the signal, before or during the work', async () => {
  const reason = new Error('enough');
  await expect(unlessAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);

  const stop = new AbortController();
  const waiting = unlessAborted(never, stop.signal);
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('the result of the work comes through, and no listener stays on the signal', async () => {
  const { signal } = new AbortController();

  expect(await unlessAborted(Promise.resolve(7), signal)).toBe(7);
  await expect(unlessAborted(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
  await Promise.resolve();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('work that fails after the abort is no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', listener);
  let fail = (_: Error): void => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  await expect(unlessAborted(work, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');

  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', listener);

  expect(unhandled).toEqual([]);
});

test('any number of waits share one listener of the signal', async () => {
  const { signal } = new AbortController();
  for (let wait = 0; wait < 100; wait += 1) void unlessAborted(never, signal);

  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test('with a grace, the wait goes on that long after the abort, and work that ends in it comes through', async () => {
  const clock = new VirtualClock();
  const reason = new Error('enough');
  const ended: unknown[] = [];
  let finish = (_: number): void => {};
  const work = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const stop = new AbortController();
  const inTime = unlessAborted(work, stop.signal, { clock, graceMs: 1000 });
  unlessAborted(never, stop.signal, { clock, graceMs: 1000 }).catch((error: unknown) => ended.push(error));

  stop.abort(reason);
  await clock.advance(999);
  expect(ended).toEqual([]);
  finish(7);
  expect(await inTime).toBe(7);
  await clock.advance(1);

  expect(ended).toEqual([reason]);
  await expect(unlessAborted(never, stop.signal, { clock, graceMs: 0 })).rejects.toBe(reason);
});
