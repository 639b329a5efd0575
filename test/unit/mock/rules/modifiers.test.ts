import { describe, expect, test } from 'vitest';
import type { Modifier, ModifierGroup } from '../../../../src/contract/index.js';
import { checkModifiers, modifierCents, type Selection } from '../../../../src/mock/rules/modifiers.js';
import { refusalOf } from './refusal.js';

const modifier = (id: string, cents = 0, groups: ModifierGroup[] = [], available = true): Modifier => ({
  id,
  name: id,
  price: { amount: cents, currency: 'USD' },
  available,
  modifier_groups: groups,
});

const group = (id: string, [min, max]: [number, number], modifiers: Modifier[], duplicates = false): ModifierGroup => ({
  id,
  name: id,
  min_selections: min,
  max_selections: max,
  allows_duplicates: duplicates,
  modifiers,
});

const select = (groupId: string, modifierId: string, nested: Selection[] = [], quantity = 1): Selection => ({
  modifier_group_id: groupId,
  modifier_id: modifierId,
  quantity,
  nested_selections: nested,
});

const toastLevel = group('toast-level', [1, 1], [modifier('light'), modifier('dark', 10)]);
const toasting = group('toasting', [0, 1], [modifier('toasted', 20, [toastLevel]), modifier('plain')]);
const drink = group('drink', [1, 1], [modifier('cola'), modifier('cold-brew', 125)]);

const sandwich = {
  modifier_groups: [
    group('bread', [1, 1], [modifier('white', 0, [toasting]), modifier('wheat', 50)]),
    group(
      'cheese',
      [0, 2],
      [modifier('swiss'), modifier('brie', 75), modifier('feta'), modifier('sold-out', 0, [], false)],
    ),
    group('sauces', [0, 3], [modifier('mayo'), modifier('chili', 30)], true),
    group('combo', [0, 1], [modifier('make-combo', 250, [drink])]),
  ],
};
const bread = select('bread', 'wheat');

const fieldOf = (selections: Selection[]): string | null | undefined => {
  const facts = refusalOf(() => checkModifiers(sandwich, selections));
  expect(facts).toMatchObject({
    status: 422,
    code: 'INVALID_REQUEST_ERROR',
    message: 'Modifier validation failed',
  });
  return facts.field;
};

describe('each group has its minimum', () => {
  test('a required group left out is refused at the array that lacks it', () => {
    expect(fieldOf([])).toBe('modifier_selections');
  });

  test('a required group of a chosen modifier is required too', () => {
    expect(fieldOf([bread, select('combo', 'make-combo')])).toBe('modifier_selections[1].nested_selections');
  });

  test('a required group on level 3 is required too', () => {
    const field = fieldOf([select('bread', 'white', [select('toasting', 'toasted')])]);

    expect(field).toBe('modifier_selections[0].nested_selections[0].nested_selections');
  });

  test('the required groups of a modifier that was not chosen are not required', () => {
    expect(() => checkModifiers(sandwich, [bread])).not.toThrow();
  });

  test('an item without groups takes no selections, and needs none', () => {
    expect(() => checkModifiers({ modifier_groups: [] }, [])).not.toThrow();
    expect(() => checkModifiers({}, [])).not.toThrow();
    expect(refusalOf(() => checkModifiers({}, [bread])).field).toBe('modifier_selections[0]');
  });
});

describe('each group has its maximum', () => {
  test('the selection that goes beyond it is named', () => {
    const cheese = ['swiss', 'brie', 'feta'].map((id) => select('cheese', id));

    expect(fieldOf([bread, ...cheese])).toBe('modifier_selections[3]');
  });

  test('as many as the maximum are taken', () => {
    const selections = [bread, select('cheese', 'swiss'), select('cheese', 'feta')];

    expect(() => checkModifiers(sandwich, selections)).not.toThrow();
  });

  test('quantities count: two and two are more than three (gap MENU-6)', () => {
    const selections = [bread, select('sauces', 'mayo', [], 2), select('sauces', 'chili', [], 2)];

    expect(fieldOf(selections)).toBe('modifier_selections[2]');
  });

  test('a nested group has its maximum as well', () => {
    const combo = select('combo', 'make-combo', [select('drink', 'cola'), select('drink', 'cold-brew')]);

    expect(fieldOf([bread, combo])).toBe('modifier_selections[1].nested_selections[1]');
  });
});

describe('allows_duplicates', () => {
  test('with it, a modifier may come with a quantity, or twice', () => {
    const twice = [bread, select('sauces', 'mayo'), select('sauces', 'mayo')];
    const quantity = [bread, select('sauces', 'mayo', [], 3)];

    expect(() => checkModifiers(sandwich, twice)).not.toThrow();
    expect(() => checkModifiers(sandwich, quantity)).not.toThrow();
  });

  test('without it, a modifier comes once', () => {
    expect(fieldOf([bread, select('cheese', 'swiss'), select('cheese', 'swiss')])).toBe('modifier_selections[2]');
  });

  test('without it, a quantity above 1 is refused', () => {
    expect(fieldOf([bread, select('cheese', 'swiss', [], 2)])).toBe('modifier_selections[1]');
  });
});

describe('selections mirror the menu', () => {
  test('an unknown group is refused', () => {
    expect(fieldOf([bread, select('wheels', 'round')])).toBe('modifier_selections[1]');
  });

  test('a modifier of another group is refused', () => {
    expect(fieldOf([select('bread', 'swiss')])).toBe('modifier_selections[0]');
  });

  test('a nested group at the top level is refused', () => {
    expect(fieldOf([bread, select('drink', 'cola')])).toBe('modifier_selections[1]');
  });

  test('a modifier that is not available is refused', () => {
    expect(fieldOf([bread, select('cheese', 'sold-out')])).toBe('modifier_selections[1]');
  });

  test('an unknown nested modifier is refused with its indexed path', () => {
    const combo = select('combo', 'make-combo', [select('drink', 'cola'), select('drink', 'wine')]);

    expect(fieldOf([bread, combo])).toBe('modifier_selections[1].nested_selections[1]');
  });

  test('three levels are taken, a fourth is refused (gap MENU-9)', () => {
    const level3 = (nested: Selection[]) => [
      select('bread', 'white', [select('toasting', 'toasted', [select('toast-level', 'light', nested)])]),
    ];

    expect(() => checkModifiers(sandwich, level3([]))).not.toThrow();
    expect(fieldOf(level3([select('toast-level', 'light')]))).toBe(
      'modifier_selections[0].nested_selections[0].nested_selections[0].nested_selections[0]',
    );
  });
});

describe('prices of modifiers', () => {
  test('each counts as often as it was chosen', () => {
    const selections = [bread, select('cheese', 'brie'), select('sauces', 'chili', [], 3)];

    expect(modifierCents(sandwich, selections)).toBe(50 + 75 + 90);
  });

  test('a nested one is added to its holder: 0 + 20 + 10, and 250 + 125', () => {
    const toasted = select('toasting', 'toasted', [select('toast-level', 'dark')]);
    const selections = [
      select('bread', 'white', [toasted]),
      select('combo', 'make-combo', [select('drink', 'cold-brew')]),
    ];

    expect(modifierCents(sandwich, selections)).toBe(405);
  });

  test('a nested one counts as often as its holder (gap MENU-7)', () => {
    const shots = group(
      'shots',
      [0, 3],
      [modifier('shot', 90, [group('size', [0, 1], [modifier('double', 40)])])],
      true,
    );

    expect(modifierCents({ modifier_groups: [shots] }, [select('shots', 'shot', [select('size', 'double')], 2)])).toBe(
      260,
    );
  });
});
