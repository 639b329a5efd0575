import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sleep, systemClock } from '../../../src/platform/clock.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describe('the clock of the system', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());

  test('tells the time, and fires a timer once', () => {
    let fired = 0;
    systemClock.setTimer(() => {
      fired += 1;
    }, 500);

    expect(systemClock.now()).toBe(1000);
    vi.advanceTimersByTime(499);
    expect(fired).toBe(0);
    vi.advanceTimersByTime(5000);
    expect(fired).toBe(1);
  });

  test('a cancelled timer never fires', () => {
    let fired = 0;
    const cancel = systemClock.setTimer(() => {
      fired += 1;
    }, 500);
    cancel();
    vi.advanceTimersByTime(5000);

    expect(fired).toBe(0);
  });

  test('a timer of sixty days does not fire at once', () => {
    const days = 24 * 3_600_000;
    let fired = 0;
    const cancelled = systemClock.setTimer(() => {
      fired += 10;
    }, 60 * days);
    systemClock.setTimer(() => {
      fired += 1;
    }, 60 * days);

    vi.advanceTimersByTime(30 * days);
    cancelled();
    vi.advanceTimersByTime(30 * days - 1);
    expect(fired).toBe(0);
    vi.advanceTimersByTime(1);
    expect(fired).toBe(1);
  });
});

test.each([
  ['in the background', true, false],
  ['that somebody awaits', false, true],
])('a timer %s holds the process: %s', (_name, background, holds) => {
  const spy = vi.spyOn(globalThis, 'setTimeout');
  const cancel = systemClock.setTimer(() => {}, 60_000, { background });
  const timer = spy.mock.results[0]?.value as NodeJS.Timeout;
  spy.mockRestore();

  expect(timer.hasRef()).toBe(holds);
  cancel();
});

describe('sleep', () => {
  test('ends after its time', async () => {
    const clock = new VirtualClock(0);
    let slept = false;
    void sleep(clock, 100).then(() => {
      slept = true;
    });

    await clock.advance(99);
    expect(slept).toBe(false);
    await clock.advance(1);
    expect(slept).toBe(true);
  });

  test('ends at once with the reason of its signal, and leaves no timer', async () => {
    const clock = new VirtualClock(0);
    const stop = new AbortController();
    const slept = sleep(clock, 100, stop.signal);
    stop.abort('enough');

    await expect(slept).rejects.toBe('enough');
    await expect(sleep(clock, 100, AbortSignal.abort('before'))).rejects.toBe('before');
    expect(clock.foregroundTimers).toBe(0);
  });
});
