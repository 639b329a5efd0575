import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GapRow } from '../../src/profile/gaps.js';
import { demoOrder } from './demo-order.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

describe('Without the profile the demonstration fails where the readings differ for a client', () => {
  test.each<[GapRow, string]>([
    ['PAY-1', 'money'],
    ['PROMO-1', 'promo_code'],
    ['HOOK-1', 'events'],
    ['LOC-1', 'location_id'],
    ['MENU-3', 'modifierGroups'],
  ])('%s: %s', async (row, reading) => {
    await expect(demoOrder({ format: 1, choices: { [row]: reading } }, null)).rejects.toThrow();
  });
});
