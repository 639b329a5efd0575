import { availability, diffMenus, indexMenu } from 'online-ordering-sdk/menus';
import { describe, expect, test } from 'vitest';
import { deliMenu, ids, menuItem } from '../../../support/records/deli-menu.js';
import { StoredRecords } from '../../../support/service/stored-records.js';

/** The deli menu with one change. */
function changed(change: (menu: ReturnType<typeof deliMenu>) => void) {
  const menu = deliMenu();
  change(menu);
  return menu;
}

const sub = (menu: ReturnType<typeof deliMenu>) => menu.categories[0]!.items[0]!;

describe('diffMenus', () => {
  test('two equal menus differ in nothing, whatever the order of fields and items', () => {
    const reordered = changed((menu) => {
      menu.categories[0]!.items = menu.categories[0]!.items.map(
        (item) => Object.fromEntries(Object.entries(item).reverse()) as unknown as typeof item,
      );
      menu.categories[0]!.items.reverse();
      const { id, name, ...rest } = menu.categories[0]!;
      menu.categories[0] = { ...rest, name, id };
    });

    expect(diffMenus(deliMenu(), reordered)).toEqual({
      isEmpty: true,
      added: [],
      removed: [],
      changed: [],
      categoriesChanged: false,
    });
  });

  test('items are added and removed', () => {
    const diff = diffMenus(
      deliMenu(),
      changed((menu) => {
        menu.categories[1]!.items.pop();
        menu.categories[1]!.items.push(menuItem('new', 'Cookie', 149));
      }),
    );

    expect([diff.added.map(({ name }) => name), diff.removed.map(({ name }) => name)]).toEqual([['Cookie'], ['Slush']]);
    expect(diff.changed).toEqual([]);
  });

  test('price, availability, sale hours and other fields each have their place', () => {
    const diff = diffMenus(
      deliMenu(),
      changed((menu) => {
        Object.assign(menu.categories[0]!.items[1]!, {
          base_price: { amount: 529, currency: 'USD' },
          available: false,
          daily_sales_end_time: '10:30',
          max_allowed_quantity: 4,
          loyalty_points: 20,
          images: [{ url: 'https://example.com/burrito.png' }],
        });
      }),
    );

    expect(diff.changed).toEqual([
      {
        itemId: ids.burrito,
        name: 'Breakfast Burrito',
        price: { before: { amount: 499, currency: 'USD' }, after: { amount: 529, currency: 'USD' } },
        availability: { before: true, after: false },
        saleHours: { before: { start: '06:00', end: '11:00' }, after: { start: '06:00', end: '10:30' } },
        fields: {
          max_allowed_quantity: { before: null, after: 4 },
          loyalty_points: { before: undefined, after: 20 },
          images: { before: undefined, after: [{ url: 'https://example.com/burrito.png' }] },
        },
      },
    ]);
  });

  test('modifiers are compared at every level, and what is inside a new group is not listed again', () => {
    const diff = diffMenus(
      deliMenu(),
      changed((menu) => {
        const [bread, toppings] = sub(menu).modifier_groups!;
        bread!.modifiers.pop();
        bread!.max_selections = 2;
        const crispy = toppings!.modifiers[1]!.modifier_groups![0]!.modifiers[0]!;
        crispy.price.amount = 30;
        toppings!.modifiers[0]!.modifier_groups = [{ ...bread!, id: 'melt', name: 'Melt' }];
      }),
    );

    expect(diff.changed[0]?.modifiers).toEqual([
      {
        kind: 'group',
        id: ids.bread,
        name: 'Bread',
        path: 'categories[0].items[0].modifier_groups[0]',
        change: 'changed',
        fields: { max_selections: { before: 1, after: 2 } },
      },
      {
        kind: 'modifier',
        id: ids.rye,
        name: 'Rye',
        path: 'categories[0].items[0].modifier_groups[0].modifiers[2]',
        change: 'removed',
      },
      {
        kind: 'group',
        id: 'melt',
        name: 'Melt',
        path: 'categories[0].items[0].modifier_groups[1].modifiers[0].modifier_groups[0]',
        change: 'added',
      },
      {
        kind: 'modifier',
        id: ids.crispy,
        name: 'Crispy',
        path: 'categories[0].items[0].modifier_groups[1].modifiers[1].modifier_groups[0].modifiers[0]',
        change: 'changed',
        fields: { price: { before: { amount: 25, currency: 'USD' }, after: { amount: 30, currency: 'USD' } } },
      },
    ]);
  });

  test('groups under a name of the partner are told as modifiers and not as a field', () => {
    const withSets = (min_selections: number) =>
      indexMenu(
        { categories: [{ items: [{ id: 'i', sets: [{ id: 'g', min_selections, modifiers: [] }] }] }] } as never,
        {
          fields: { itemGroups: ['sets'] },
        },
      );

    const diff = diffMenus(withSets(0), withSets(1));

    expect(diff.changed).toMatchObject([{ itemId: 'i', modifiers: [{ id: 'g', change: 'changed' }] }]);
    expect(diff.changed[0]).not.toHaveProperty('fields');
  });

  test('an item that moves to another category, and a category that is renamed, are told', () => {
    const moved = diffMenus(
      deliMenu(),
      changed((menu) => menu.categories[1]!.items.push(menu.categories[0]!.items.pop()!)),
    );
    const renamed = diffMenus(
      deliMenu(),
      changed((menu) => {
        menu.categories[1]!.name = 'Coolers';
      }),
    );

    expect(moved.changed).toEqual([
      { itemId: ids.hotDog, name: 'Night Hot Dog', category: { before: 'Deli', after: 'Drinks and more' } },
    ]);
    expect(renamed).toMatchObject({ isEmpty: false, categoriesChanged: true });
    expect(moved.categoriesChanged).toBe(false);
  });
});

describe('availability', () => {
  test('joins menu and inventory: what the inventory does not return is not available', async () => {
    const service = new StoredRecords({ s1: deliMenu() });
    service.item(ids.sub, 'IN_STOCK');
    service.item(ids.burrito, 'LOW_STOCK');
    service.item(ids.beer, 'OUT_OF_STOCK');
    service.item(ids.lottery, 'BACKORDERED');
    service.item(ids.slush, 'IN_STOCK');

    const store = await availability(service.client, 's1');

    expect(store.items.map(({ item, available, reason }) => [item.name, available, reason])).toEqual([
      ['Italian Sub', true, null],
      ['Breakfast Burrito', true, null],
      ['Night Hot Dog', false, 'not_in_inventory'],
      ['Lager', false, 'out_of_stock'],
      ['Lottery Ticket', true, null],
      ['Milk', false, 'not_in_inventory'],
      ['Slush', false, 'disabled_on_menu'],
    ]);
    expect(store.item(ids.beer)?.status).toBe('OUT_OF_STOCK');
    expect(store.item('nowhere')).toBeUndefined();
  });

  test('fetches only the inventory when the menu is at hand', async () => {
    const service = new StoredRecords({ s1: deliMenu() });

    await availability(service.client, 's1', { menu: deliMenu() });

    expect(service.reads).toEqual(['inventory s1']);
  });
});
