import { describe, expect, test } from 'vitest';
import { pollDelayMs, resolvePolling } from '../../../src/resources/polling.js';

describe('polling', () => {
  test('waits 2 s, doubling to 30 s', () => {
    const polling = resolvePolling();

    expect([0, 1, 2, 3, 4, 5, 99].map((n) => pollDelayMs(polling, n))).toEqual([
      2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(polling.maxWaitMs).toBe(300_000);
  });

  test.each([{ initialDelayMs: 0 }, { maxDelayMs: -1 }, { maxWaitMs: Number.NaN }])('refuses %o', (options) => {
    expect(() => resolvePolling(options)).toThrow(/counts milliseconds/);
  });
});
