import { describe, expect, test } from 'vitest';
import { isReplayable, replayableUntil } from '../../../../src/http/response/replay-window.js';

test('a key may be sent again for a day less a quarter of an hour', () => {
  expect(replayableUntil(0)).toBe(23.75 * 3_600_000);
});

describe('a key may be sent again', () => {
  const hour = 3_600_000;
  const first = { startedAtMs: 1_000_000, startedAtLocalMs: 2_000_000 };
  const later = (serverMs: number, localMs: number) => ({
    nowMs: first.startedAtMs + serverMs,
    nowLocalMs: first.startedAtLocalMs + localMs,
  });

  test('for 24 hours less a quarter', () => {
    expect(isReplayable(first, later(23.74 * hour, 23.74 * hour))).toBe(true);
    expect(isReplayable(first, later(23.76 * hour, 23.76 * hour))).toBe(false);
  });

  test('only while both clocks say so', () => {
    expect(isReplayable(first, later(24 * hour, 1 * hour))).toBe(false);
    expect(isReplayable(first, later(1 * hour, 24 * hour))).toBe(false);
  });
});
