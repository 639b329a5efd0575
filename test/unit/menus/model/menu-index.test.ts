import { indexMenu } from 'online-ordering-sdk/menus';
import { expect, test } from 'vitest';
import type { Menu } from '../../../../src/contract/index.js';
import { deliMenu, ids } from '../../../support/records/deli-menu.js';

test('items, groups and modifiers are found by id, each with its path', () => {
  const index = indexMenu(deliMenu());

  expect(index.item(ids.beer)?.name).toBe('Lager');
  expect(index.item(ids.beer)?.path).toBe('categories[1].items[0]');
  expect(index.item(ids.beer)?.category.name).toBe('Drinks and more');
  expect(index.group(ids.toppings)?.path).toBe('categories[0].items[0].modifier_groups[1]');
  expect(index.modifier(ids.crispy)?.path).toBe(
    'categories[0].items[0].modifier_groups[1].modifiers[1].modifier_groups[0].modifiers[0]',
  );
  expect(index.group(ids.seasoning)?.level).toBe(3);
  expect(index.item(ids.sub)?.group(ids.bread)?.modifier(ids.wheat)?.priceCents).toBe(50);
  expect(index.items).toHaveLength(7);
});

test('an id that the menu does not have is undefined, also one of another kind', () => {
  const index = indexMenu(deliMenu());

  expect(index.item(ids.bread)).toBeUndefined();
  expect(index.group(ids.sub)).toBeUndefined();
  expect(index.modifier('constructor')).toBeUndefined();
  expect(index.item(ids.sub)?.group('__proto__')).toBeUndefined();
});

test('an item in two categories is one item with two paths', () => {
  const menu = deliMenu();
  menu.categories[1]?.items.push(menu.categories[0]!.items[0]!);

  const index = indexMenu(menu);

  expect(index.items).toHaveLength(7);
  expect(index.paths(ids.sub)).toEqual(['categories[0].items[0]', 'categories[1].items[4]']);
});

test('of two modifiers with one id in a group, and of two such groups, the first counts', () => {
  const menu = deliMenu();
  const [bread] = menu.categories[0]!.items[0]!.modifier_groups!;
  bread!.modifiers.push({ ...bread!.modifiers[0]!, name: 'White again' });
  menu.categories[0]!.items[0]!.modifier_groups!.push({ ...bread!, name: 'Bread again', modifiers: [] });

  const group = indexMenu(menu).item(ids.sub)?.group(ids.bread);

  expect([group?.name, group?.modifier(ids.white)?.name]).toEqual(['Bread', 'White']);
});

test('the index of a menu object is built once', () => {
  const menu = deliMenu();

  expect(indexMenu(menu)).toBe(indexMenu(menu));
  expect(indexMenu(menu)).not.toBe(indexMenu(deliMenu()));
});

test('nested groups and prices are also found under the other names that the document leaves possible', () => {
  const menu = {
    version_hash: 'v',
    categories: [
      {
        items: [
          {
            id: 'i',
            modifier_groups: [
              {
                modifier_group_id: 'g',
                options: [
                  {
                    modifier_id: 'm',
                    price_adjustment: 75,
                    nested_modifier_groups: [
                      { id: 'n', modifiers: [{ id: 'x', price_adjustment: { amount: 5, currency: 'USD' } }] },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  } as unknown as Menu;

  const index = indexMenu(menu);

  expect(index.modifier('m')?.priceCents).toBe(75);
  expect(index.modifier('x')?.priceCents).toBe(5);
  expect(index.modifier('x')?.path).toBe(
    'categories[0].items[0].modifier_groups[0].options[0].nested_modifier_groups[0].modifiers[0]',
  );
});

test('names of fields given by the partner are used in place of the expected ones', () => {
  const menu = { categories: [{ items: [{ id: 'i', choice_sets: [{ id: 'g', modifiers: [] }] }] }] } as unknown as Menu;

  expect(indexMenu(menu).group('g')).toBeUndefined();
  expect(indexMenu(menu, { fields: { itemGroups: ['choice_sets'] } }).group('g')?.path).toBe(
    'categories[0].items[0].choice_sets[0]',
  );
});

test('entries that cannot be read are left out, and the rest of the menu is found', () => {
  const menu = {
    categories: [
      null,
      'text',
      { items: null },
      { items: [null, { name: 'no id' }, { id: 'i', modifier_groups: [7, {}] }] },
    ],
  } as unknown as Menu;

  const index = indexMenu(menu);

  expect(index.items.map(({ id, path }) => [id, path])).toEqual([['i', 'categories[3].items[2]']]);
  expect(index.item('i')?.groups).toEqual([]);
  expect(indexMenu({} as Menu).items).toEqual([]);
});

test('a menu object that contains itself is indexed without end', () => {
  const group: Record<string, unknown> = { id: 'g' };
  group.modifiers = [{ id: 'm', modifier_groups: [group] }];
  const menu = { categories: [{ items: [{ id: 'i', modifier_groups: [group] }] }] } as unknown as Menu;

  expect(indexMenu(menu).paths('g')).toHaveLength(8);
});

test('what is no menu is refused with the call that gives one', () => {
  expect(() => indexMenu(undefined as unknown as Menu)).toThrow('client.menus.retrieve()');
});
