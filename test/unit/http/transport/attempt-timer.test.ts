import { expect, test } from 'vitest';
import { AttemptTimer } from '../../../../src/http/transport/attempt-timer.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const create = () => {
  const clock = new VirtualClock(0);
  const ended: string[] = [];
  const timer = new AttemptTimer(clock);
  const watch = (name: string, dueAt: number) => {
    const entry = { dueAt, place: -1, expire: () => void ended.push(`${name} at ${clock.now()}`) };
    timer.watch(entry);
    return () => timer.forget(entry);
  };
  return { clock, timer, ended, watch };
};

test('each attempt ends at its own instant, over one timer in the background', async () => {
  const { clock, ended, watch } = create();
  watch('long', 300);
  watch('short', 100);
  watch('middle', 200);
  expect([clock.backgroundTimers, clock.foregroundTimers]).toEqual([1, 0]);

  await clock.advance(1000);

  expect(ended).toEqual(['short at 100', 'middle at 200', 'long at 300']);
  expect(clock.backgroundTimers).toBe(0);
});

test('an attempt that is no longer watched does not end, and the others still do', async () => {
  const { clock, ended, watch } = create();
  const unwatch = watch('done', 100);
  watch('open', 200);
  unwatch();
  unwatch();

  await clock.advance(1000);

  expect(ended).toEqual(['open at 200']);
});

test('an attempt that begins while another ends is watched', async () => {
  const { clock, timer, ended, watch } = create();
  timer.watch({ dueAt: 100, place: -1, expire: () => void watch('next', 150) });

  await clock.advance(1000);

  expect(ended).toEqual(['next at 150']);
});

test('an instant that has passed already ends the attempt at the next turn', async () => {
  const { clock, ended, watch } = create();
  await clock.advance(500);
  watch('late', 100);

  await clock.advance(0);

  expect(ended).toEqual(['late at 500']);
});

test('stop takes the timer away, but never from an attempt under way', async () => {
  const { clock, timer, ended, watch } = create();
  watch('open', 100);
  timer.stop();
  await clock.advance(100);
  expect(ended).toEqual(['open at 100']);

  watch('done', 300)();
  timer.stop();
  expect(clock.backgroundTimers).toBe(0);
  watch('again', 400);
  await clock.advance(1000);
  expect(ended).toEqual(['open at 100', 'again at 400']);
});

test('ten thousand attempts that end in time leave nothing behind', async () => {
  const { clock, ended, watch } = create();
  for (let attempt = 0; attempt < 10_000; attempt += 1) watch(String(attempt), 30_000 + attempt)();

  expect(clock.backgroundTimers).toBe(1);
  await clock.advance(60_000);
  expect([ended.length, clock.backgroundTimers]).toEqual([0, 0]);
});
