import { describe, expect, test } from 'vitest';
import {
  findGroup,
  groupsOf,
  leastSelections,
  selectionOf,
  selectionsOf,
  selectionsWith,
} from '../support/catalogue.js';
import type { Cart, MenuItem, ModifierGroup, Selection } from '../support/records.js';
import { badRequest, expectRefusal, expectStatus, invalid, NO_SUCH_ID, unprocessable } from '../support/shapes.js';
import { found } from '../support/shop.js';
import {
  add,
  allowsDuplicates,
  canOverflow,
  isOptional,
  isRequired,
  open,
  REFUSED,
  tooMany,
} from './modifier-set-up.js';

describe('Limits of a group', () => {
  test('Resources, ModifierSelection: min_selections of each required group is enough', async () => {
    const { target, menu, cart } = await open();
    const { item } = found(findGroup(menu, isRequired), 'a required group');

    expectStatus(await add(target, cart, item, leastSelections(groupsOf(item))), 201);
  });

  test('Cart rules 1: a required group without a selection is refused', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isRequired), 'a required group');

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, [])), REFUSED);
  });

  test('Cart rules 1: no selections at all are refused for an item with a required group', async () => {
    const { target, menu, cart } = await open();
    const { item } = found(findGroup(menu, isRequired), 'a required group');

    expectRefusal(await add(target, cart, item, []), REFUSED);
  });

  test('Resources, ModifierSelection: an optional group may stay empty', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isOptional), 'an optional group');

    expectStatus(await add(target, cart, item, selectionsWith(item, group, [])), 201);
  });

  test('Resources, ModifierSelection: max_selections of a group are accepted', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, canOverflow), 'a group with more modifiers than may be chosen');

    expectStatus(
      await add(target, cart, item, selectionsWith(item, group, selectionsOf(group, group.max_selections))),
      201,
    );
  });

  test('Cart rules 1: one selection more than max_selections is refused', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, canOverflow), 'a group with more modifiers than may be chosen');

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, tooMany(group))), REFUSED);
  });

  test('Cart rules 1: a refused item leaves the cart empty', async () => {
    const { target, menu, cart } = await open();
    const { item } = found(findGroup(menu, isRequired), 'a required group');
    await add(target, cart, item, []);

    expect((await target.get<Cart>(`/carts/${cart.id}`)).body).toEqual(cart);
  });
});

describe('Duplicates', () => {
  test('Resources, ModifierSelection.quantity: a group that allows duplicates takes one modifier twice', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, allowsDuplicates), 'a group that allows duplicates');

    const answer = await add(
      target,
      cart,
      item,
      selectionsWith(item, group, [selectionOf(group, group.modifiers[0]!, 2)]),
    );

    expectStatus(answer, 201);
    expect(
      answer.body.items[0]!.modifier_selections.find(({ modifier_group_id }) => modifier_group_id === group.id)!
        .quantity,
    ).toBe(2);
  });

  test('Resources, ModifierSelection.quantity (gap MENU-6): quantities count against max_selections', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, allowsDuplicates), 'a group that allows duplicates');
    const chosen = [selectionOf(group, group.modifiers[0]!, group.max_selections + 1)];

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, chosen)), REFUSED);
  });

  test('Resources, ModifierSelection.quantity (gap MENU-6): quantities fill up to max_selections', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, allowsDuplicates), 'a group that allows duplicates');
    const chosen = [selectionOf(group, group.modifiers[0]!, group.max_selections)];

    expectStatus(await add(target, cart, item, selectionsWith(item, group, chosen)), 201);
  });

  test('Resources, ModifierSelection.quantity: the price counts each of them', async () => {
    const { target, menu, cart } = await open();
    const priced = (group: ModifierGroup): boolean => allowsDuplicates(group) && group.modifiers[0]!.price.amount > 0;
    const { item, group } = found(findGroup(menu, priced), 'a group that allows duplicates and costs something');
    const once = await add(
      target,
      cart,
      item,
      selectionsWith(item, group, [selectionOf(group, group.modifiers[0]!, 1)]),
    );

    const twice = await add(
      target,
      cart,
      item,
      selectionsWith(item, group, [selectionOf(group, group.modifiers[0]!, 2)]),
    );

    const difference = twice.body.items[1]!.modifier_total.amount - once.body.items[0]!.modifier_total.amount;
    expect(difference).toBe(group.modifiers[0]!.price.amount);
  });

  const single = (group: ModifierGroup): boolean =>
    !group.allows_duplicates && group.max_selections >= 2 && group.min_selections <= 2;

  test('Resources, ModifierSelection.quantity: a group without duplicates refuses a quantity of 2', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, single), 'a group without duplicates');
    const chosen = [selectionOf(group, group.modifiers[0]!, 2)];

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, chosen)), REFUSED);
  });

  test('Resources, ModifierSelection (gap MENU-6): a group without duplicates refuses a modifier listed twice', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, single), 'a group without duplicates');
    const one = selectionOf(group, group.modifiers[0]!);

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, [one, one])), REFUSED);
  });
});

describe('What a selection refers to', () => {
  const broken: readonly (readonly [string, (one: Selection) => Selection])[] = [
    ['a group that the item does not have', (one) => ({ ...one, modifier_group_id: NO_SUCH_ID })],
    ['a modifier that the group does not have', (one) => ({ ...one, modifier_id: NO_SUCH_ID })],
  ];

  test.each(broken)('Resources, ModifierSelection: %s is refused', async (_case, change) => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isRequired), 'a required group');
    const [first, ...rest] = selectionsOf(group, group.min_selections);

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, [change(first!), ...rest])), REFUSED);
  });

  test('Resources, ModifierSelection: a modifier of another group of the item is refused', async () => {
    const { target, menu, cart } = await open();
    const twoGroups = found(
      twoGroupsOf(menu.categories.flatMap((category) => category.items)),
      'an item with two groups',
    );
    const { item, group, other } = twoGroups;
    const misplaced = { ...selectionOf(other, other.modifiers[0]!), modifier_group_id: group.id };

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, [misplaced])), REFUSED);
  });

  test('Errors rules 1 (gap MENU-12): field points at the selection that is wrong', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isRequired), 'a required group');
    const [first, ...rest] = selectionsOf(group, group.min_selections);
    const selections = [
      { ...first!, modifier_id: NO_SUCH_ID },
      ...rest,
      ...leastSelections(groupsOf(item).filter(({ id }) => id !== group.id)),
    ];

    expectRefusal(await add(target, cart, item, selections), unprocessable(undefined, /^modifier_selections\[0\]/));
  });

  const malformed: readonly (readonly [string, (one: Selection) => unknown])[] = [
    ['no modifier_group_id', ({ modifier_group_id: _, ...rest }) => rest],
    ['no modifier_id', ({ modifier_id: _, ...rest }) => rest],
    ['a modifier_id that is no UUID', (one) => ({ ...one, modifier_id: 'cheese' })],
    ['a quantity in text', (one) => ({ ...one, quantity: '1' })],
    ['nested_selections that are no array', (one) => ({ ...one, nested_selections: {} })],
  ];

  test.each(malformed)('Errors 400: a selection with %s is refused', async (_case, change) => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isRequired), 'a required group');
    const [first] = selectionsOf(group, 1);

    const answer = await target.post(`/carts/${cart.id}/items`, {
      menu_item_id: item.id,
      quantity: 1,
      modifier_selections: [change(first!)],
    });

    expectRefusal(answer, badRequest(undefined, /^modifier_selections\[0\]/));
  });

  test('Resources, ModifierSelection.quantity: zero is refused', async () => {
    const { target, menu, cart } = await open();
    const { item, group } = found(findGroup(menu, isOptional), 'an optional group');
    const none = { ...selectionOf(group, group.modifiers[0]!), quantity: 0 };

    expectRefusal(await add(target, cart, item, selectionsWith(item, group, [none])), invalid(/^modifier_selections/));
  });
});

function twoGroupsOf(
  items: readonly MenuItem[],
): { item: MenuItem; group: ModifierGroup; other: ModifierGroup } | undefined {
  for (const item of items) {
    const [group, other] = groupsOf(item);
    if (item.available && !hasHours(item) && group && other && group.min_selections <= 1) return { item, group, other };
  }
  return undefined;
}

const hasHours = (item: MenuItem): boolean =>
  item.daily_sales_start_time !== null || item.daily_sales_end_time !== null;
