import { availability, checkItem, indexMenu } from 'online-ordering-sdk/menus';
import { describe, expect, test } from 'vitest';
import { deliMenu, ids, line, pick, unknownId } from '../../../support/records/deli-menu.js';
import { StoredRecords } from '../../../support/service/stored-records.js';

const index = indexMenu(deliMenu());
/** Noon in Chicago, in winter. */
const noon = '2026-01-15T18:00:00Z';
const options = { at: noon, timezone: 'America/Chicago' };
const white = pick(ids.bread, ids.white);

const facts = (problems: ReturnType<typeof checkItem>) =>
  problems.map(({ rule, field, limit, actual }) => ({ rule, field, limit, actual }));

test('an item that the menu allows has no problems', () => {
  const crispyBacon = pick(ids.toppings, ids.bacon, 2, [
    pick(ids.baconStyle, ids.crispy, 1, [pick(ids.seasoning, ids.pepper)]),
  ]);

  expect(checkItem(index, line(ids.sub, 3, [white, crispyBacon]), options)).toEqual([]);
});

test('a menu is as good as its index', () => {
  expect(checkItem(deliMenu(), line(ids.sub, 1, [white]), options)).toEqual([]);
});

test('of an item that the menu does not have, the form of the request is judged all the same', () => {
  expect(facts(checkItem(index, line(unknownId, 1, [white]), options))).toEqual([
    { rule: 'unknown_item', field: 'menu_item_id', limit: null, actual: null },
  ]);
  expect(facts(checkItem(index, line(unknownId, 0, [pick(ids.bread, ids.white, 0)]), options))).toEqual([
    { rule: 'quantity_below_one', field: 'quantity', limit: 1, actual: 0 },
    { rule: 'selection_quantity', field: 'modifier_selections[0].quantity', limit: 1, actual: 0 },
    { rule: 'unknown_item', field: 'menu_item_id', limit: null, actual: null },
  ]);
});

test('an item that the menu disables is unavailable', () => {
  expect(facts(checkItem(index, line(ids.slush), options))).toEqual([
    { rule: 'unavailable', field: 'menu_item_id', limit: null, actual: null },
  ]);
});

test('an item that is out of stock is unavailable, where the stock is given', async () => {
  const service = new StoredRecords({ s1: deliMenu() });
  const stock = await availability(service.client, 's1');

  expect(facts(checkItem(index, line(ids.beer), { ...options, availability: stock }))).toEqual([
    { rule: 'unavailable', field: 'menu_item_id', limit: null, actual: null },
  ]);
});

test('outside its sale hours an item names the hours and the time at the store', () => {
  const [problem] = checkItem(index, line(ids.burrito), options);

  expect(problem).toEqual({
    rule: 'outside_sale_hours',
    field: 'menu_item_id',
    limit: '06:00-11:00',
    actual: '12:00',
    message: '"Breakfast Burrito" is sold from 06:00 to 11:00 local time; it is 12:00 there.',
    enforced: true,
  });
});

test('without a time zone the sale hours are not judged', () => {
  expect(checkItem(index, line(ids.burrito), { at: noon, timezone: undefined })).toEqual([]);
});

describe('quantity', () => {
  test.each([0, -1, 1.5, Number.NaN, '2' as unknown as number])('%s is refused', (quantity) => {
    expect(facts(checkItem(index, line(ids.beer, quantity), options))).toEqual([
      { rule: 'quantity_below_one', field: 'quantity', limit: 1, actual: quantity },
    ]);
  });

  test('the limit counts over all lines of the cart', () => {
    const cart = {
      items: [
        { ...line(ids.beer, 1), id: 'a' },
        { ...line(ids.sub, 9), id: 'b' },
      ],
    };

    expect(checkItem(index, line(ids.beer, 1), { ...options, cart })).toEqual([]);
    expect(facts(checkItem(index, line(ids.beer, 2), { ...options, cart }))).toEqual([
      { rule: 'quantity_limit', field: 'quantity', limit: 2, actual: 3 },
    ]);
  });

  test('the line that an item replaces does not count', () => {
    const cart = { items: [{ ...line(ids.beer, 2), id: 'a' }] };

    expect(checkItem(index, line(ids.beer, 2), { ...options, cart, replacing: 'a' })).toEqual([]);
  });

  test('lines without an id count, also when nothing is replaced', () => {
    const cart = { items: [line(ids.beer, 2)] };

    expect(facts(checkItem(index, line(ids.beer, 1), { ...options, cart }))[0]?.actual).toBe(3);
  });
});

describe('modifiers', () => {
  const check = (...selections: ReturnType<typeof pick>[]) =>
    facts(checkItem(index, line(ids.sub, 1, selections), options));

  test('a required group without a selection is reported at the array where it is missing', () => {
    expect(check()).toEqual([{ rule: 'too_few_selections', field: 'modifier_selections', limit: 1, actual: 0 }]);
  });

  test('a required nested group is reported at the array of the selection that opens it', () => {
    expect(check(white, pick(ids.toppings, ids.bacon))).toEqual([
      {
        rule: 'too_few_selections',
        field: 'modifier_selections[1].nested_selections',
        limit: 1,
        actual: 0,
      },
    ]);
  });

  test('too many selections are reported at the selection that passes the maximum', () => {
    expect(check(white, pick(ids.toppings, ids.cheese, 2), pick(ids.toppings, ids.cheese, 2))).toEqual([
      { rule: 'too_many_selections', field: 'modifier_selections[2]', limit: 3, actual: 4 },
    ]);
  });

  test('quantities count towards the limits of a group', () => {
    expect(check(white, pick(ids.toppings, ids.cheese, 3))).toEqual([]);
    expect(check(white, pick(ids.toppings, ids.cheese, 4))).toEqual([
      { rule: 'too_many_selections', field: 'modifier_selections[1]', limit: 3, actual: 4 },
    ]);
  });

  test('a selection without a quantity counts as one', () => {
    const { quantity, ...bare } = white;

    expect(facts(checkItem(index, line(ids.sub, 1, [bare]), options))).toEqual([]);
    expect(quantity).toBe(1);
  });

  test('one modifier twice is a duplicate where none is allowed', () => {
    expect(check(white, white)).toEqual([
      { rule: 'duplicate_selection', field: 'modifier_selections[1]', limit: 1, actual: 2 },
      { rule: 'too_many_selections', field: 'modifier_selections[1]', limit: 1, actual: 2 },
    ]);
  });

  test('a quantity above 1 is a duplicate too', () => {
    expect(check(pick(ids.bread, ids.white, 2))[0]).toEqual({
      rule: 'duplicate_selection',
      field: 'modifier_selections[0]',
      limit: 1,
      actual: 2,
    });
  });

  test('an unknown group, an unknown modifier and an unavailable one are reported at their selection', () => {
    expect(check(white, pick(unknownId, ids.cheese))).toEqual([
      { rule: 'unknown_group', field: 'modifier_selections[1]', limit: null, actual: null },
    ]);
    expect(check(white, pick(ids.toppings, ids.white))).toEqual([
      { rule: 'unknown_modifier', field: 'modifier_selections[1]', limit: null, actual: null },
    ]);
    expect(check(pick(ids.bread, ids.rye))).toEqual([
      { rule: 'modifier_unavailable', field: 'modifier_selections[0]', limit: null, actual: null },
    ]);
  });

  test('a group of another modifier is unknown where it is used', () => {
    expect(check(white, pick(ids.toppings, ids.cheese, 1, [pick(ids.baconStyle, ids.crispy)]))).toEqual([
      {
        rule: 'unknown_group',
        field: 'modifier_selections[1].nested_selections[0]',
        limit: null,
        actual: null,
      },
    ]);
  });

  test('a selection with quantity 0 is refused at its quantity', () => {
    expect(check(white, pick(ids.toppings, ids.cheese, 0))).toEqual([
      { rule: 'selection_quantity', field: 'modifier_selections[1].quantity', limit: 1, actual: 0 },
    ]);
  });

  test('a fourth level is refused, and its required groups are not asked for', () => {
    const pepper = pick(ids.seasoning, ids.pepper);
    const withPepper = pick(ids.toppings, ids.bacon, 1, [pick(ids.baconStyle, ids.crispy, 1, [pepper])]);
    const coarse = { ...pepper, nested_selections: [pick(ids.grind, ids.coarse)] };
    const tooDeep = pick(ids.toppings, ids.bacon, 1, [pick(ids.baconStyle, ids.crispy, 1, [coarse])]);

    expect(check(white, withPepper)).toEqual([]);
    expect(check(white, tooDeep)).toEqual([
      {
        rule: 'nested_too_deep',
        field: 'modifier_selections[1].nested_selections[0].nested_selections[0].nested_selections[0]',
        limit: 3,
        actual: 4,
      },
    ]);
  });
});

test('all problems come at once: hours, quantity, modifiers, tender', () => {
  const menu = deliMenu();
  const burrito = menu.categories[0]?.items[1];
  Object.assign(burrito ?? {}, {
    max_allowed_quantity: 1,
    modifier_groups: menu.categories[0]?.items[0]?.modifier_groups,
    tender_restriction_level: 'RESTRICTED',
    allowed_tenders: ['CASH'],
  });

  const problems = checkItem(menu, line(ids.burrito, 2), { ...options, handoff: 'DELIVERY' });

  expect(problems.map(({ rule }) => rule)).toEqual([
    'outside_sale_hours',
    'quantity_limit',
    'too_few_selections',
    'no_common_tender',
  ]);
});

test('an item that cannot be paid together with the cart is marked as not yet enforced', () => {
  const cart = {
    items: [
      { ...line(ids.beer), id: 'a' },
      { ...line(ids.sub, 1, [white]), id: 'b' },
    ],
  };

  expect(checkItem(index, line(ids.milk), { ...options, cart })).toEqual([
    {
      rule: 'no_common_tender',
      field: 'menu_item_id',
      limit: ['CREDIT_CARD', 'DEBIT_CARD', 'CASH'],
      actual: ['EBT'],
      message: 'No tender pays for "Lager", "Milk"; sell them in separate orders.',
      enforced: false,
    },
  ]);
  expect(checkItem(index, line(ids.lottery), { ...options, cart })).toEqual([]);
});

test('where the menu states no limit, or none that can be read, nothing is said', () => {
  const menu = deliMenu();
  const sub = menu.categories[0]!.items[0]!;
  Object.assign(sub, { max_allowed_quantity: 'many', available: undefined, daily_sales_start_time: 'dawn' });
  Object.assign(sub.modifier_groups![0]!, {
    min_selections: undefined,
    max_selections: null,
    allows_duplicates: undefined,
  });

  expect(checkItem(menu, line(ids.sub, 99, []), options)).toEqual([]);
  expect(checkItem(menu, line(ids.sub, 99, [white, white]), options)).toEqual([]);
});

test('a moment or a time zone that cannot be understood is refused with what to write', () => {
  expect(() => checkItem(index, line(ids.burrito), { ...options, at: 'noon' })).toThrow('2026-01-15T14:30:00Z');
  expect(() => checkItem(index, line(ids.burrito), { ...options, timezone: 'Chicago' })).toThrow('America/Chicago');
});
