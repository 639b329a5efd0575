import type { Menu, MenuItem, Modifier, ModifierGroup, ModifierSelectionRequest } from '../../../src/contract/index.js';
import { usd } from './values.js';

/** A small store whose items have one rule each. */
export const ids = {
  sub: '11111111-0000-4000-8000-000000000001',
  beer: '11111111-0000-4000-8000-000000000002',
  burrito: '11111111-0000-4000-8000-000000000003',
  hotDog: '11111111-0000-4000-8000-000000000004',
  lottery: '11111111-0000-4000-8000-000000000005',
  milk: '11111111-0000-4000-8000-000000000006',
  slush: '11111111-0000-4000-8000-000000000007',
  bread: '22222222-0000-4000-8000-000000000001',
  toppings: '22222222-0000-4000-8000-000000000002',
  baconStyle: '22222222-0000-4000-8000-000000000003',
  seasoning: '22222222-0000-4000-8000-000000000004',
  grind: '22222222-0000-4000-8000-000000000005',
  white: '33333333-0000-4000-8000-000000000001',
  wheat: '33333333-0000-4000-8000-000000000002',
  cheese: '33333333-0000-4000-8000-000000000003',
  bacon: '33333333-0000-4000-8000-000000000004',
  crispy: '33333333-0000-4000-8000-000000000005',
  pepper: '33333333-0000-4000-8000-000000000006',
  coarse: '33333333-0000-4000-8000-000000000007',
  rye: '33333333-0000-4000-8000-000000000008',
} as const;

export const unknownId = '99999999-0000-4000-8000-000000000009';

const modifier = (id: string, name: string, cents: number, more: Partial<Modifier> = {}): Modifier => ({
  id,
  name,
  price: usd(cents),
  ...more,
});

const group = (
  id: string,
  name: string,
  [min_selections, max_selections, allows_duplicates]: [number, number, boolean],
  modifiers: Modifier[],
): ModifierGroup => ({ id, name, min_selections, max_selections, allows_duplicates, modifiers });

export const menuItem = (id: string, name: string, cents: number, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name,
  description: '',
  base_price: usd(cents),
  available: true,
  age_verification_required: false,
  minimum_age: null,
  max_allowed_quantity: null,
  tender_restriction_level: null,
  allowed_tenders: null,
  non_discountable: false,
  daily_sales_start_time: null,
  daily_sales_end_time: null,
  ...more,
});

/** A fresh copy each time, so that a test may change it before its first use. */
export function deliMenu(): Menu {
  const grind = group(ids.grind, 'Grind', [1, 1, false], [modifier(ids.coarse, 'Coarse', 0)]);
  const pepper = modifier(ids.pepper, 'Pepper', 5, { modifier_groups: [grind] });
  const seasoning = group(ids.seasoning, 'Seasoning', [0, 1, false], [pepper]);
  const crispy = modifier(ids.crispy, 'Crispy', 25, { modifier_groups: [seasoning] });
  const bacon = modifier(ids.bacon, 'Bacon', 150, {
    modifier_groups: [group(ids.baconStyle, 'Bacon style', [1, 1, false], [crispy])],
  });
  const bread = group(
    ids.bread,
    'Bread',
    [1, 1, false],
    [
      modifier(ids.white, 'White', 0, { is_default: true }),
      modifier(ids.wheat, 'Wheat', 50),
      modifier(ids.rye, 'Rye', 60, { available: false }),
    ],
  );
  const toppings = group(ids.toppings, 'Toppings', [0, 3, true], [modifier(ids.cheese, 'Cheese', 100), bacon]);
  return {
    location_id: '44444444-0000-4000-8000-000000000001',
    last_modified: '2026-01-15T14:30:00Z',
    version_hash: 'sha256:a1',
    categories: [
      {
        id: '55555555-0000-4000-8000-000000000001',
        name: 'Deli',
        sort_order: 1,
        items: [
          menuItem(ids.sub, 'Italian Sub', 899, { modifier_groups: [bread, toppings] }),
          menuItem(ids.burrito, 'Breakfast Burrito', 499, {
            daily_sales_start_time: '06:00',
            daily_sales_end_time: '11:00',
          }),
          menuItem(ids.hotDog, 'Night Hot Dog', 299, {
            daily_sales_start_time: '22:00',
            daily_sales_end_time: '02:00',
          }),
        ],
      },
      {
        id: '55555555-0000-4000-8000-000000000002',
        name: 'Drinks and more',
        sort_order: 2,
        items: [
          menuItem(ids.beer, 'Lager', 1099, {
            age_verification_required: true,
            minimum_age: 21,
            max_allowed_quantity: 2,
            tender_restriction_level: 'RESTRICTED',
            allowed_tenders: ['CREDIT_CARD', 'DEBIT_CARD', 'CASH'],
          }),
          menuItem(ids.lottery, 'Lottery Ticket', 200, {
            tender_restriction_level: 'RESTRICTED',
            allowed_tenders: ['CASH'],
          }),
          menuItem(ids.milk, 'Milk', 349, { tender_restriction_level: 'RESTRICTED', allowed_tenders: ['EBT'] }),
          menuItem(ids.slush, 'Slush', 199, { available: false }),
        ],
      },
    ],
  };
}

export const pick = (
  modifier_group_id: string,
  modifier_id: string,
  quantity = 1,
  nested_selections: ModifierSelectionRequest[] = [],
): ModifierSelectionRequest => ({ modifier_group_id, modifier_id, quantity, nested_selections });

export const line = (menu_item_id: string, quantity = 1, modifier_selections: ModifierSelectionRequest[] = []) => ({
  menu_item_id,
  quantity,
  modifier_selections,
});
