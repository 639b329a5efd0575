import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onAbort } from '../../../src/platform/on-abort.js';
import { TestService } from '../../support/service/test-service.js';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('a thousand listeners are one to the signal, and none once they are removed', () => {
  const { signal } = new AbortController();
  const removals = Array.from({ length: 1000 }, () => onAbort(signal, () => {}));

  expect(listenersOf(signal)).toBe(1);
  for (const remove of removals) remove();
  expect(listenersOf(signal)).toBe(0);
});

test('an abort calls each listener once, and not those that were removed', () => {
  const stop = new AbortController();
  const called: string[] = [];
  const same = () => called.push('twice');
  onAbort(stop.signal, same);
  onAbort(stop.signal, same);
  onAbort(stop.signal, () => called.push('removed'))();

  stop.abort();

  expect(called).toEqual(['twice', 'twice']);
  expect(listenersOf(stop.signal)).toBe(0);
});

test('whatever is added and removed in whatever order, an abort calls those that are left', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (steps) => {
      const stop = new AbortController();
      const present = new Map<number, () => void>();
      const called: number[] = [];
      for (const number of steps) {
        const remove = present.get(number);
        if (remove) {
          remove();
          remove();
          present.delete(number);
        } else
          present.set(
            number,
            onAbort(stop.signal, () => called.push(number)),
          );
      }
      expect(listenersOf(stop.signal)).toBe(present.size > 0 ? 1 : 0);

      stop.abort();
      for (const remove of present.values()) remove();

      expect(called.sort()).toEqual([...present.keys()].sort());
    }),
  );
});

test('a hundred calls at once with one signal draw no warning, and leave no listener', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  const service = new TestService(() => ({ hold: true }));
  const client = service.client({ maxRetries: 0 });
  await client.auth.accessToken();
  const stop = new AbortController();

  const calls = Array.from({ length: 100 }, () =>
    client.locations.retrieve('l', { signal: stop.signal }).catch(({ name }: Error) => name),
  );
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();

  expect(new Set(await Promise.all(calls))).toEqual(new Set(['APIUserAbortError']));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect([warnings, listenersOf(stop.signal)]).toEqual([[], 0]);
});
