import { checkCart, indexMenu } from 'online-ordering-sdk/menus';
import { expect, test } from 'vitest';
import { deliMenu, ids, line, pick, unknownId } from '../../../support/records/deli-menu.js';

const index = indexMenu(deliMenu());
const options = { at: '2026-01-15T18:00:00Z', timezone: 'America/Chicago' };
const white = pick(ids.bread, ids.white);

const places = (problems: ReturnType<typeof checkCart>) => problems.map(({ rule, field }) => [rule, field]);

test('a cart that the menu allows has no problems', () => {
  expect(checkCart(index, { items: [line(ids.sub, 2, [white]), line(ids.beer, 2)] }, options)).toEqual([]);
});

test('each line is judged, with its place before the path', () => {
  const items = [
    line(ids.burrito),
    line(ids.sub, 1, [white, pick(unknownId, ids.cheese)]),
    line(unknownId),
    line(ids.slush),
  ];

  expect(places(checkCart(index, { items }, options))).toEqual([
    ['outside_sale_hours', 'items[0].menu_item_id'],
    ['unknown_group', 'items[1].modifier_selections[1]'],
    ['unknown_item', 'items[2].menu_item_id'],
    ['unavailable', 'items[3].menu_item_id'],
  ]);
});

test('a quantity limit is reported once, at the line that passes it', () => {
  const items = [line(ids.beer), line(ids.beer, 2), line(ids.beer, 4)];

  expect(checkCart(index, { items }, options)).toMatchObject([
    { rule: 'quantity_limit', field: 'items[1].quantity', limit: 2, actual: 3 },
  ]);
});

test('items that no tender pays together are one problem of the whole cart', () => {
  const items = [line(ids.beer), line(ids.milk), line(ids.sub, 1, [white])];

  expect(checkCart(index, { items }, options)).toMatchObject([
    { rule: 'no_common_tender', field: 'items', limit: [], actual: [ids.beer, ids.milk], enforced: false },
  ]);
});

test('the handoff of the cart counts, and one given explicitly goes before it', () => {
  const cart = { items: [line(ids.lottery)], handoff_mode: { mode: 'DELIVERY' } };

  expect(places(checkCart(index, cart, options))).toEqual([['no_common_tender', 'items']]);
  expect(places(checkCart(index, cart, { ...options, handoff: 'PICKUP' }))).toEqual([]);
});
