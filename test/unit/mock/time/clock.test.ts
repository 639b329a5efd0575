import { describe, expect, test, vi } from 'vitest';
import { Activity } from '../../../../src/mock/time/activity.js';
import { MockClock } from '../../../../src/mock/time/clock.js';
import { milliseconds } from '../../../../src/mock/time/duration.js';
import { sleep } from '../../../../src/platform/clock.js';

const START = Date.parse('2026-03-10T17:00:00Z');
const virtualClock = () => new MockClock('virtual', new Activity());

describe('A virtual clock', () => {
  test('stands at noon of a Tuesday in Chicago until it is moved', async () => {
    const clock = virtualClock();

    expect(clock.now()).toBe(START);
    await clock.advance('25h');
    expect(clock.now()).toBe(START + 25 * 3_600_000);
  });

  test('runs what falls due in the order of time, and nothing that comes later', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    clock.setTimer(() => seen.push(`b at ${clock.now() - START}`), 2000);
    clock.setTimer(() => seen.push(`a at ${clock.now() - START}`), 1000);
    clock.setTimer(() => seen.push('c'), 3001);

    await clock.advance('3s');

    expect(seen).toEqual(['a at 1000', 'b at 2000']);
  });

  test('lets promises settle between two timers, so that a loop of waits advances as a whole', async () => {
    const clock = virtualClock();
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        await sleep(clock, 1000);
        await Promise.resolve();
        seen.push(clock.now() - START);
      }
    };

    void loop();
    await clock.advance(3000);

    expect(seen).toEqual([1000, 2000, 3000]);
  });

  test('does not run a timer that was cancelled', async () => {
    const clock = virtualClock();
    let ran = false;
    const cancel = clock.setTimer(() => {
      ran = true;
    }, 10);

    cancel();
    await clock.advance(20);

    expect(ran).toBe(false);
  });

  test('runUntil takes a promise to its end without waiting, however long it sleeps', async () => {
    const clock = virtualClock();
    const work = async () => {
      await sleep(clock, 30 * 60_000);
      await sleep(clock, 24 * 3_600_000);
      return 'done';
    };

    await expect(clock.runUntil(work())).resolves.toBe('done');
    expect(clock.now() - START).toBe(30 * 60_000 + 24 * 3_600_000);
  });

  test('runUntil hands on a rejection', async () => {
    const clock = virtualClock();
    const work = sleep(clock, 1000).then(() => Promise.reject(new Error('declined')));

    await expect(clock.runUntil(work)).rejects.toThrow('declined');
  });

  test('runUntil leaves a background timer behind that nobody waits for', async () => {
    const clock = virtualClock();
    let renewed = false;
    clock.setTimer(
      () => {
        renewed = true;
      },
      23 * 3_600_000,
      { background: true },
    );

    await clock.runUntil(sleep(clock, 5000));

    expect([renewed, clock.now() - START]).toEqual([false, 5000]);
  });

  test('runUntil runs a background timer when nothing else can settle the promise', async () => {
    const clock = virtualClock();
    const timeOut = new Promise<string>((resolve) => {
      clock.setTimer(() => resolve('timed out'), 30_000, { background: true });
    });

    await expect(clock.runUntil(timeOut)).resolves.toBe('timed out');
  });

  test('runUntil does not take time away from work on files', async () => {
    const { readFile } = await import('node:fs/promises');
    const clock = virtualClock();
    const seen: string[] = [];
    clock.setTimer(() => seen.push('timer'), 1000);
    const work = async () => {
      for (let round = 0; round < 5; round += 1) await readFile(new URL(import.meta.url));
      seen.push('files');
      await sleep(clock, 2000);
    };

    await clock.runUntil(work());

    expect(seen).toEqual(['files', 'timer']);
  });

  test('runUntil says what is missing when nothing can ever settle the promise', async () => {
    const clock = new MockClock('virtual', new Activity(), 50);

    await expect(clock.runUntil(new Promise(() => {}))).rejects.toThrow('clock: service.clock');
  });
});

describe('A real clock', () => {
  test('shows the time of the system, and can be moved ahead', async () => {
    const clock = new MockClock('real', new Activity());
    const before = Date.now();

    expect(clock.now() - before).toBeLessThan(1000);
    await clock.advance('25h');
    expect(clock.now() - before).toBeGreaterThanOrEqual(25 * 3_600_000);
  });

  test('runs a timer at its time, and earlier when it is moved', async () => {
    const clock = new MockClock('real', new Activity());
    const seen: string[] = [];
    await new Promise<void>((resolve) => clock.setTimer(resolve, 1));
    clock.setTimer(() => seen.push('later'), 3_600_000);

    await clock.advance('1h');

    expect(seen).toEqual(['later']);
  });
});

describe('Many timers', () => {
  const COUNT = 500;

  test.each(['virtual', 'real'] as const)(
    'of a %s clock run in the order of time, and of their setting',
    async (kind) => {
      const clock = new MockClock(kind, new Activity());
      const seen: number[] = [];
      const cancels = Array.from({ length: COUNT }, (_none, index) => {
        const dueAt = 60_000 + ((index * 7919) % 40) * 1000;
        return clock.setTimer(() => seen.push(dueAt * COUNT + index), dueAt, { background: index % 3 === 0 });
      });
      for (let index = 0; index < COUNT; index += 5) cancels[index]?.();
      cancels[0]?.();

      await clock.advance('2m');

      expect(seen).toHaveLength(COUNT * 0.8);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    },
  );

  test('of a real clock cost a few timers of the system each, also when it is moved past them', async () => {
    const clock = new MockClock('real', new Activity());
    let ran = 0;
    for (let index = 0; index < COUNT; index += 1) clock.setTimer(() => (ran += 1), 60_000 + index * 10);
    const armed = vi.spyOn(globalThis, 'setTimeout');

    await clock.advance('2m');

    expect(ran).toBe(COUNT);
    expect(armed.mock.calls.length).toBeLessThan(COUNT * 5);
    armed.mockRestore();
  });
});

describe('A duration', () => {
  test.each([
    ['25h', 90_000_000],
    ['5m', 300_000],
    ['90s', 90_000],
    ['250ms', 250],
    ['2d', 172_800_000],
    ['0.5s', 500],
    [1500, 1500],
  ])('%s is %d milliseconds', (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected);
  });

  test.each(['25', 'h', '', '-1s', '1 hour', -1, Number.NaN])('%j is refused with what to write', (duration) => {
    expect(() => milliseconds(duration)).toThrow("'25h'");
  });
});

describe('A clock that is started and stopped', () => {
  test('passes by itself from where it stood, and stands where it was stopped', async () => {
    const clock = virtualClock();
    await clock.advance('1h');
    const fired = new Promise<void>((resolve) => clock.setTimer(resolve, 5));

    clock.start();
    await fired;
    clock.stop();
    const stood = clock.now();
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(clock.isRunning).toBe(false);
    expect(clock.now()).toBe(stood);
    expect(stood - START - 3_600_000).toBeGreaterThanOrEqual(5);
    expect(stood - START - 3_600_000).toBeLessThan(10_000);
  });

  test('follows no step of the machine once it was started from a time of its own', () => {
    const clock = virtualClock();
    clock.start();
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);

    const stood = clock.now();
    now.mockRestore();
    clock.stop();

    expect(stood - START).toBeLessThan(10_000);
  });

  test('keeps wall time, monotonic time and timers of a real clock in step', async () => {
    const clock = new MockClock('real', new Activity());
    const [wall, flow] = [clock.now(), clock.monotonic()];
    const seen: string[] = [];
    clock.setTimer(() => seen.push('fired'), 60_000);

    clock.stop();
    await clock.advance('61s');
    clock.start();

    expect(seen).toEqual(['fired']);
    expect(clock.now() - wall).toBeGreaterThanOrEqual(61_000);
    expect(clock.now() - wall).toBeLessThan(70_000);
    expect(clock.monotonic() - flow).toBeGreaterThanOrEqual(61_000);
    expect(clock.monotonic() - flow).toBeLessThan(70_000);
  });
});
