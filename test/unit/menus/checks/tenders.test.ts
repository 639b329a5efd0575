import { allowedTenders, indexMenu } from 'online-ordering-sdk/menus';
import { expect, test } from 'vitest';
import { deliMenu, ids, line } from '../../../support/records/deli-menu.js';

const all = ['CREDIT_CARD', 'DEBIT_CARD', 'CASH', 'GIFT_CARD', 'LOYALTY_POINTS', 'DIGITAL_WALLET', 'EBT'];
const index = indexMenu(deliMenu());
const cartOf = (...itemIds: string[]) => ({ items: itemIds.map((id) => line(id)) });

/** A menu whose milk has other tender fields. */
function milkWith(fields: { tender_restriction_level: string | null; allowed_tenders: string[] | null }) {
  const menu = deliMenu();
  Object.assign(menu.categories[1]!.items[2]!, fields);
  return menu;
}

test('a cart without restricted items takes every tender', () => {
  expect(allowedTenders(index, cartOf(ids.sub, ids.burrito))).toEqual({
    tenders: all,
    restricted: false,
    conflicts: [],
  });
});

test('restricted items leave what all of them accept', () => {
  expect(allowedTenders(index, cartOf(ids.beer, ids.sub)).tenders).toEqual(['CREDIT_CARD', 'DEBIT_CARD', 'CASH']);
  expect(allowedTenders(index, cartOf(ids.beer, ids.lottery)).tenders).toEqual(['CASH']);
});

test('cash is not a tender for delivery', () => {
  expect(allowedTenders(index, cartOf(ids.beer), { handoff: 'DELIVERY' }).tenders).toEqual([
    'CREDIT_CARD',
    'DEBIT_CARD',
  ]);
  expect(allowedTenders(index, cartOf(), { handoff: { mode: 'DELIVERY' } }).tenders).not.toContain('CASH');
  expect(allowedTenders(index, { ...cartOf(), handoff_mode: { mode: 'KIOSK' } }).tenders).toContain('CASH');
});

test('an empty set names the items that cause it, and no others', () => {
  const result = allowedTenders(index, cartOf(ids.sub, ids.beer, ids.lottery, ids.milk));

  expect(result.tenders).toEqual([]);
  expect(result.conflicts.map(({ name }) => name)).toEqual(['Lager', 'Lottery Ticket', 'Milk']);
});

test('an item that fits with all others is not blamed', () => {
  const menu = milkWith({ tender_restriction_level: 'RESTRICTED', allowed_tenders: ['EBT'] });
  Object.assign(menu.categories[1]!.items[0]!, { allowed_tenders: ['CASH', 'EBT'] });

  const result = allowedTenders(menu, cartOf(ids.beer, ids.lottery, ids.milk));

  expect(result.conflicts.map(({ name }) => name)).toEqual(['Lottery Ticket', 'Milk']);
});

test('an item for cash alone causes an empty set on delivery by itself', () => {
  const result = allowedTenders(index, cartOf(ids.lottery, ids.beer), { handoff: 'DELIVERY' });

  expect(result).toEqual({
    tenders: [],
    restricted: true,
    conflicts: [{ menuItemId: ids.lottery, name: 'Lottery Ticket', allowedTenders: ['CASH'] }],
  });
});

test.each([
  ['a level of null', { tender_restriction_level: null, allowed_tenders: ['EBT'] }],
  ['the level NONE', { tender_restriction_level: 'NONE', allowed_tenders: ['EBT'] }],
  ['a level to come', { tender_restriction_level: 'SOFT', allowed_tenders: ['EBT'] }],
  ['a list of null', { tender_restriction_level: 'RESTRICTED', allowed_tenders: null }],
  ['a tender to come', { tender_restriction_level: 'RESTRICTED', allowed_tenders: ['EBT', 'CRYPTO'] }],
])('%s does not restrict', (_, fields) => {
  expect(allowedTenders(milkWith(fields), cartOf(ids.milk))).toMatchObject({ tenders: all, restricted: false });
});

test('an item that is not on the menu does not restrict', () => {
  expect(allowedTenders(index, cartOf('nowhere')).restricted).toBe(false);
});
