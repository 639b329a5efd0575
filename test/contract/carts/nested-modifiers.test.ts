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
} from '../support/catalogue.js';
import type { MenuItem, Modifier, Selection } from '../support/records.js';
import { expectRefusal, expectStatus, invalid, NO_SUCH_ID, unprocessable } from '../support/shapes.js';
import { addItem, found } from '../support/shop.js';
import { add, canOverflow, isRequired, open, REFUSED, tooMany } from './modifier-set-up.js';

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
