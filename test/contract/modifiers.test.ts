import { describe, expect, test } from 'vitest';
import {
  type Found,
  type FoundNested,
  findGroup,
  findNested,
  findThreeLevels,
  groupsOf,
  leastSelections,
  selectionCents,
  selectionOf,
  selectionsOf,
  selectionsWith,
  threeLevelSelections,
} from './catalogue.js';
import type { Cart, MenuItem, Modifier, ModifierGroup, Selection } from './records.js';
import { badRequest, expectRefusal, expectStatus, invalid, NO_SUCH_ID, unprocessable } from './shapes.js';
import { addItem, createCart, found, menuOf, openLocation } from './shop.js';
import { type Answer, openTarget, type Target } from './target.js';

const REFUSED = unprocessable('Modifier validation failed', /^modifier_selections/);

async function open() {
  const target = openTarget();
  const location = await openLocation(target);
  const menu = await menuOf(target, location.id);
  const cart = await createCart(target, location.id);
  return { target, menu, cart };
}

function add(
  target: Target,
  cart: Cart,
  item: MenuItem,
  selections: readonly Selection[],
  quantity = 1,
): Promise<Answer<Cart>> {
  return target.post<Cart>(`/carts/${cart.id}/items`, {
    menu_item_id: item.id,
    quantity,
    modifier_selections: selections,
  });
}

const isRequired = (group: ModifierGroup): boolean => group.min_selections > 0;
const isOptional = (group: ModifierGroup): boolean => group.min_selections === 0 && group.max_selections > 0;
const allowsDuplicates = (group: ModifierGroup): boolean => group.allows_duplicates && group.max_selections >= 2;
/** Has more modifiers than may be chosen. */
const canOverflow = (group: ModifierGroup): boolean =>
  !group.allows_duplicates &&
  group.modifiers.filter((modifier) => modifier.available !== false).length > group.max_selections;

/** All selections of a group that its menu allows, and one more. */
function tooMany(group: ModifierGroup): Selection[] {
  return selectionsOf(group, group.max_selections + 1);
}

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

  test('Errors rules 1: field points at the selection that is wrong', async () => {
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

describe('Nested groups', () => {
  /** The item with `modifier` chosen, holding `nested` selections of one of its groups. */
  function selecting({ item, group, modifier, nested }: FoundNested, chosen: readonly Selection[]): Selection[] {
    const others = leastSelections((modifier.modifier_groups ?? []).filter(({ id }) => id !== nested.id));
    const holder: Selection = { ...selectionOf(group, modifier), nested_selections: [...others, ...chosen] };
    const more = group.modifiers
      .filter(({ id, available }) => id !== modifier.id && available !== false)
      .slice(0, Math.max(0, group.min_selections - 1))
      .map((other: Modifier) => selectionOf(group, other));
    return selectionsWith(item, group, [holder, ...more]);
  }

  test('Resources, ModifierSelection.nested_selections: a nested choice is accepted and mirrored in the cart', async () => {
    const { target, menu, cart } = await open();
    const path = found(
      findNested(menu, (nested) => nested.max_selections > 0),
      'a nested group',
    );
    const selections = selecting(path, selectionsOf(path.nested, Math.max(1, path.nested.min_selections)));

    const answer = await add(target, cart, path.item, selections);

    expectStatus(answer, 201);
    expect(answer.body.items[0]!.modifier_selections).toEqual(selections);
  });

  test('Cart rules 1: a nested required group without a selection is refused', async () => {
    const { target, menu, cart } = await open();
    const path = found(findNested(menu, isRequired), 'a nested required group');

    expectRefusal(
      await add(target, cart, path.item, selecting(path, [])),
      unprocessable('Modifier validation failed', /nested_selections|^modifier_selections\[/),
    );
  });

  test('Cart rules 1: more nested selections than max_selections are refused', async () => {
    const { target, menu, cart } = await open();
    const path = found(findNested(menu, canOverflow), 'a nested group with more modifiers than may be chosen');

    expectRefusal(await add(target, cart, path.item, selecting(path, tooMany(path.nested))), REFUSED);
  });

  test('Resources, ModifierSelection: nested selections of a group that the modifier does not have are refused', async () => {
    const { target, menu, cart } = await open();
    const path = found(
      findNested(menu, (nested) => nested.max_selections > 0),
      'a nested group',
    );
    const [first] = selectionsOf(path.nested, 1);

    expectRefusal(
      await add(target, cart, path.item, selecting(path, [{ ...first!, modifier_group_id: NO_SUCH_ID }])),
      REFUSED,
    );
  });

  test('Resources, ModifierSelection: a nested group chosen at the top level is refused', async () => {
    const { target, menu, cart } = await open();
    const path = found(
      findNested(menu, (nested) => nested.max_selections > 0),
      'a nested group',
    );
    const selections = [...leastSelections(groupsOf(path.item)), ...selectionsOf(path.nested, 1)];

    expectRefusal(await add(target, cart, path.item, selections), REFUSED);
  });

  test('Limits, modifier nesting: selections of three levels are accepted', async () => {
    const { target, menu, cart } = await open();
    const path = found(findThreeLevels(menu), 'an item with three levels of modifiers');

    expectStatus(await add(target, cart, path.item, threeLevelSelections(path)), 201);
  });

  test('Limits, modifier nesting: a fourth level is refused', async () => {
    const { target, menu, cart } = await open();
    const path = found(findThreeLevels(menu), 'an item with three levels of modifiers');
    const deepen = (selections: Selection[], level = 1): Selection[] =>
      selections.map((one, index) => {
        const isOnPath =
          one.modifier_id === [path.modifier, path.nestedModifier][level - 1]?.id || (level === 3 && index === 0);
        if (!isOnPath) return one;
        if (level < 3) return { ...one, nested_selections: deepen(one.nested_selections, level + 1) };
        return {
          ...one,
          nested_selections: [
            { modifier_group_id: NO_SUCH_ID, modifier_id: NO_SUCH_ID, quantity: 1, nested_selections: [] },
          ],
        };
      });
    const selections = deepen(threeLevelSelections(path));
    expect(JSON.stringify(selections)).toContain(NO_SUCH_ID);

    expectRefusal(await add(target, cart, path.item, selections), invalid(/^modifier_selections/));
  });
});

describe('Prices of modifiers', () => {
  const cases: readonly (readonly [
    string,
    (menu: Parameters<typeof findGroup>[0]) => { item: MenuItem; selections: Selection[] },
  ])[] = [
    [
      'the fewest selections',
      (menu) => {
        const { item } = found(findGroup(menu, isRequired), 'a required group');
        return { item, selections: leastSelections(groupsOf(item)) };
      },
    ],
    [
      'a full group',
      (menu) => {
        const { item, group }: Found = found(
          findGroup(menu, canOverflow),
          'a group with more modifiers than may be chosen',
        );
        return { item, selections: selectionsWith(item, group, selectionsOf(group, group.max_selections)) };
      },
    ],
    [
      'three levels of selections',
      (menu) => {
        const path = found(findThreeLevels(menu), 'an item with three levels of modifiers');
        return { item: path.item, selections: threeLevelSelections(path) };
      },
    ],
  ];

  test.each(cases)(
    'Resources, CartItem.modifier_total: is computed by the server per unit for %s',
    async (_case, choose) => {
      const { target, menu, cart } = await open();
      const { item, selections } = choose(menu);

      const answer = await add(target, cart, item, selections, 2);

      expectStatus(answer, 201);
      expect(answer.body.items[0]!.modifier_total.amount).toBe(selectionCents(groupsOf(item), selections));
    },
  );

  test.each(cases)(
    'Resources, CartItem.item_total: is (base_price + modifier_total) * quantity for %s',
    async (_case, choose) => {
      const { target, menu, cart } = await open();
      const { item, selections } = choose(menu);

      const answer = await add(target, cart, item, selections, 3);

      expectStatus(answer, 201);
      expect(answer.body.items[0]!.item_total.amount).toBe(
        (item.base_price.amount + selectionCents(groupsOf(item), selections)) * 3,
      );
    },
  );

  test('Resources, CartItem.modifier_total (gap MENU-7): the quantity of a holder multiplies what it holds', async () => {
    const { target, menu, cart } = await open();
    const path = findNested(menu, (nested) => nested.modifiers.some((modifier) => modifier.price.amount > 0));
    const { item } = found(path, 'a nested group that costs something');
    const selections = leastSelections(groupsOf(item));

    const filled = await addItem(target, cart.id, {
      menu_item_id: item.id,
      quantity: 1,
      modifier_selections: selections,
    });

    expect(filled.items[0]!.modifier_total.amount).toBe(selectionCents(groupsOf(item), selections));
  });
});
