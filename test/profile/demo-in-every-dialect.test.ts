import { beforeEach, describe, expect, test, vi } from 'vitest';
import { GAP_ROWS, GAPS, type GapRow } from '../../src/profile/gaps.js';
import { demoOrder } from './demo-order.js';

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

const TURNED = GAP_ROWS.flatMap((row) => GAPS[row].slice(1).map((reading): [GapRow, string] => [row, reading]));

describe('The demonstration runs against a service of every reading, by a client that has its profile', () => {
  test.each(TURNED)('%s: %s', async (row, reading) => {
    const order = await demoOrder({ format: 1, choices: { [row]: reading } });
    expect(order.charged).toBe(order.orderTotal);
    expect(order.refunded).toBeGreaterThan(0);
    expect(order.verified).toBeGreaterThan(3);
    expect(order.refused).toBe(0);
  });

  test('all readings turned at once', async () => {
    const choices = Object.fromEntries(GAP_ROWS.map((row) => [row, GAPS[row].at(-1)!]));
    const order = await demoOrder({ format: 1, choices });
    expect(order.charged).toBe(order.orderTotal);
    expect(order.verified).toBeGreaterThan(3);
  });
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
