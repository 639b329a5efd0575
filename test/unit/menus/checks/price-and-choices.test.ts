import { choices, indexMenu, priceOf } from 'online-ordering-sdk/menus';
import { describe, expect, test } from 'vitest';
import { deliMenu, ids, line, pick, unknownId } from '../../../support/records/deli-menu.js';

const index = indexMenu(deliMenu());
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('priceOf', () => {
  test('adds modifiers per unit, nested ones times the quantity of their holder', () => {
    const crispy = pick(ids.baconStyle, ids.crispy, 1, [pick(ids.seasoning, ids.pepper)]);
    const item = line(ids.sub, 2, [pick(ids.bread, ids.wheat), pick(ids.toppings, ids.bacon, 2, [crispy])]);

    // 899 + 50 + 2 * (150 + 25 + 5) = 1309 per unit
    expect(priceOf(index, item)).toEqual({ base_price: usd(899), modifier_total: usd(410), item_total: usd(2618) });
  });

  test('an item without modifiers costs its base price', () => {
    expect(priceOf(index, line(ids.beer, 2))).toEqual({
      base_price: usd(1099),
      modifier_total: usd(0),
      item_total: usd(2198),
    });
  });

  test.each([
    ['an unknown item', line(unknownId)],
    ['an unknown modifier', line(ids.sub, 1, [pick(ids.bread, unknownId)])],
    ['a quantity of 0', line(ids.beer, 0)],
    ['a modifier with quantity 0', line(ids.sub, 1, [pick(ids.bread, ids.wheat, 0)])],
  ])('%s has no price', (_, item) => {
    expect(priceOf(index, item)).toBeNull();
  });

  test('a menu without the price of a modifier gives no estimate rather than one that is too low', () => {
    const menu = deliMenu();
    Object.assign(menu.categories[0]!.items[0]!.modifier_groups![0]!.modifiers[0]!, { price: undefined });

    expect(priceOf(menu, line(ids.sub, 1, [pick(ids.bread, ids.white)]))).toBeNull();
    expect(priceOf(menu, line(ids.sub, 1, [pick(ids.bread, ids.wheat)]))?.item_total).toEqual(usd(949));
  });

  test('two currencies are never added', () => {
    const menu = deliMenu();
    menu.categories[0]!.items[0]!.modifier_groups![0]!.modifiers[0]!.price = { amount: 10, currency: 'CAD' };

    expect(priceOf(menu, line(ids.sub, 1, [pick(ids.bread, ids.white)]))).toBeNull();
  });
});

describe('choices', () => {
  test('at the start says what is required and what each group takes', () => {
    const groups = choices(index, ids.sub) ?? [];

    expect(
      groups.map(({ name, field, stillRequired, stillAllowed }) => ({ name, field, stillRequired, stillAllowed })),
    ).toEqual([
      { name: 'Bread', field: 'modifier_selections', stillRequired: 1, stillAllowed: 1 },
      { name: 'Toppings', field: 'modifier_selections', stillRequired: 0, stillAllowed: 3 },
    ]);
    expect(
      groups[0]?.modifiers.map(({ name, price, isDefault, stillAllowed }) => ({
        name,
        price,
        isDefault,
        stillAllowed,
      })),
    ).toEqual([
      { name: 'White', price: usd(0), isDefault: true, stillAllowed: 1 },
      { name: 'Wheat', price: usd(50), isDefault: false, stillAllowed: 1 },
      { name: 'Rye', price: usd(60), isDefault: false, stillAllowed: 0 },
    ]);
  });

  test('counts what is picked, quantities included', () => {
    const [bread, toppings] =
      choices(index, ids.sub, [pick(ids.bread, ids.white), pick(ids.toppings, ids.cheese, 2)]) ?? [];

    expect(bread).toMatchObject({ chosen: 1, stillRequired: 0, stillAllowed: 0 });
    expect(bread?.modifiers.map(({ stillAllowed }) => stillAllowed)).toEqual([0, 0, 0]);
    expect(toppings).toMatchObject({ chosen: 2, stillAllowed: 1 });
    expect(toppings?.modifiers[0]).toMatchObject({ name: 'Cheese', chosen: 2, stillAllowed: 1 });
  });

  test('opens the nested groups of each selection, and shows beforehand those that choosing would open', () => {
    const before = choices(index, ids.sub, [])?.[1]?.modifiers[1]?.nested;
    const after = choices(index, ids.sub, [pick(ids.bread, ids.white), pick(ids.toppings, ids.bacon)])?.[1]
      ?.modifiers[1]?.nested;

    expect(before).toMatchObject([{ selection: null, groups: [{ name: 'Bacon style', stillRequired: 1 }] }]);
    expect(after).toMatchObject([
      {
        selection: 'modifier_selections[1]',
        groups: [{ name: 'Bacon style', field: 'modifier_selections[1].nested_selections', stillRequired: 1 }],
      },
    ]);
  });

  test('goes three levels deep and no further', () => {
    const bacon = choices(index, ids.sub)?.[1]?.modifiers[1];
    const pepper = bacon?.nested[0]?.groups[0]?.modifiers[0]?.nested[0]?.groups[0]?.modifiers[0];

    expect(pepper).toMatchObject({ name: 'Pepper', nested: [] });
  });

  test('an item that the menu does not have has none', () => {
    expect(choices(index, unknownId)).toBeNull();
    expect(choices(index, ids.beer)).toEqual([]);
  });
});
