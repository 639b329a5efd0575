import { describe, expect, test } from 'vitest';
import type { ModifierGroup } from '../../../../src/contract/index.js';
import { findMenuItem, menuItems } from '../../../../src/mock/rules/menu-items.js';
import { checkModifiers, type Selection } from '../../../../src/mock/rules/modifiers.js';
import { versionHash } from '../../../../src/mock/rules/version-hash.js';
import { createSamples, magic } from '../../../../src/mock/samples/index.js';

const START_MS = Date.parse('2026-03-10T17:00:00Z');
const samples = createSamples({ seed: 7, startMs: START_MS });
const [downtown, harbor, closed] = samples.locations;

describe('the sample locations', () => {
  test('one delivers, one does not, one takes no online orders', () => {
    expect(samples.locations.map(({ location }) => location.handoff_modes?.includes('DELIVERY'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(samples.locations.map(({ location }) => location.online_ordering_enabled)).toEqual([true, true, false]);
  });

  test('each has a zone of its own, that the runtime knows', () => {
    const zones = samples.locations.map(({ location }) => location.timezone);

    expect(new Set(zones).size).toBe(3);
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
  });

  test('their ids go by name', () => {
    expect(samples.ids.locations).toEqual({
      downtown: downtown?.location.id,
      harbor: harbor?.location.id,
      closed: closed?.location.id,
    });
  });
});

describe('the sample menu', () => {
  const menu = downtown!.menu;
  const items = menuItems(menu);

  test('is as large as the menus of real stores: about 150 KB', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(menu)).length;

    expect(bytes).toBeGreaterThan(140_000);
    expect(bytes).toBeLessThan(170_000);
  });

  test('has an id of its own for everything on it, each a UUID v4', () => {
    const ids = JSON.stringify(menu).match(/(?<="id":")[^"]+/g) ?? [];

    expect(ids.length).toBeGreaterThan(800);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('nests three levels deep, and no deeper', () => {
    const depth = (groups: readonly ModifierGroup[] = []): number =>
      groups.length === 0
        ? 0
        : 1 +
          Math.max(...groups.flatMap((group) => group.modifiers.map((modifier) => depth(modifier.modifier_groups))));

    expect(Math.max(...items.map((item) => depth(item.modifier_groups)))).toBe(3);
  });

  test('has required, optional and duplicate-allowed groups on a sandwich, and minimums that can be met', () => {
    const sub = findMenuItem(menu, samples.ids.items.turkeySub);

    expect(sub?.modifier_groups?.map((group) => [group.name, group.min_selections, group.allows_duplicates])).toEqual([
      ['Size', 1, false],
      ['Bread', 1, false],
      ['Cheese', 0, false],
      ['Vegetables', 0, false],
      ['Sauces', 0, true],
      ['Extras', 0, true],
      ['Combo', 0, false],
    ]);
  });

  test.each([
    ['lagerSixPack', { minimum_age: 21, age_verification_required: true }],
    ['baconEggBiscuit', { daily_sales_start_time: '05:00', daily_sales_end_time: '11:00' }],
    ['lateNightPizza', { daily_sales_start_time: '22:00', daily_sales_end_time: '02:00' }],
    ['propaneExchange', { max_allowed_quantity: 2 }],
    [
      'lotteryTicket',
      { tender_restriction_level: 'RESTRICTED', allowed_tenders: ['CASH', 'DEBIT_CARD'], non_discountable: true },
    ],
    ['seasonalPie', { available: false }],
  ] as const)('%s: %j', (name, fields) => {
    expect(findMenuItem(menu, samples.ids.items[name])).toMatchObject(fields);
  });

  test('the first choices of a required group are its defaults', () => {
    const [size, , cheese] = findMenuItem(menu, samples.ids.items.turkeySub)?.modifier_groups ?? [];

    expect(size?.modifiers.map(({ name, is_default }) => [name, is_default])).toEqual([
      ['6 inch', true],
      ['12 inch', false],
    ]);
    expect(cheese?.modifiers.some(({ is_default }) => is_default)).toBe(false);
  });

  test('one item is out of stock, and one is not in the inventory at all', () => {
    const { iceCreamPint, motorOil } = samples.ids.items;

    expect(downtown?.stock.get(iceCreamPint)?.status).toBe('OUT_OF_STOCK');
    expect(downtown?.stock.has(motorOil)).toBe(false);
    expect(downtown?.stock.size).toBe(items.length - 1);
  });

  test('its hash covers the content: a changed price gives another, the time of the change does not', () => {
    const other = structuredClone(menu);
    expect(menu.version_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(versionHash({ ...other, last_modified: 'later' } as typeof menu)).toBe(menu.version_hash);

    other.categories[0]!.items[0]!.base_price.amount += 1;

    expect(versionHash(other)).not.toBe(menu.version_hash);
  });
});

describe('ids by name', () => {
  test('every sample cart item satisfies its modifier groups', () => {
    for (const item of Object.values(samples.ids.cartItems)) {
      const onMenu = findMenuItem(downtown!.menu, item.menu_item_id);
      expect(() => checkModifiers(onMenu!, item.modifier_selections as Selection[])).not.toThrow();
    }
  });

  test('the combo selects on all three levels', () => {
    expect(JSON.stringify(samples.ids.cartItems.turkeySubCombo).match(/"nested_selections":\[\{/g)?.length).toBe(4);
  });

  test('groups and modifiers are found by their path', () => {
    const { group, modifier, select } = samples.ids;

    expect(select('latte.syrups.vanilla', { quantity: 2 })).toEqual({
      modifier_group_id: group('latte.syrups'),
      modifier_id: modifier('latte.syrups.vanilla'),
      quantity: 2,
      nested_selections: [],
    });
    const latte = findMenuItem(downtown!.menu, samples.ids.items.latte);
    expect(latte?.modifier_groups?.map(({ id }) => id)).toContain(group('latte.syrups'));
  });

  test('a path that is not on the menu says how paths are written', () => {
    expect(() => samples.ids.modifier('latte.syrup.vanilla')).toThrow('The sample menu has no "latte.syrup.vanilla"');
  });
});

describe('the seed', () => {
  test('the same one gives the same sample data', () => {
    const again = createSamples({ seed: 7, startMs: START_MS });

    expect(JSON.stringify(again.locations)).toBe(JSON.stringify(samples.locations));
    expect(again.ids.items).toEqual(samples.ids.items);
  });

  test('another one gives other ids', () => {
    expect(createSamples({ seed: 8, startMs: START_MS }).ids.items.latte).not.toBe(samples.ids.items.latte);
  });

  test('two services share nothing: what one changes, the other does not see', () => {
    const again = createSamples({ seed: 7, startMs: START_MS });
    again.locations[0]!.location.name = 'Changed';
    again.locations[0]!.menu.categories[0]!.items[0]!.modifier_groups![0]!.modifiers[0]!.price.amount = 1;

    const fresh = createSamples({ seed: 7, startMs: START_MS });
    expect(JSON.stringify(fresh.locations)).toBe(JSON.stringify(samples.locations));
    expect(JSON.stringify(again.locations[1])).toBe(JSON.stringify(harbor));
  });
});

test('the magic values are those of the service', () => {
  expect(samples.promoCodes.map(({ code }) => code)).toEqual(Object.keys(magic.promoCodes));
  expect(samples.members.map(({ customerId }) => customerId)).toEqual(Object.keys(magic.customers));
});
