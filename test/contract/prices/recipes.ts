import { groupsOf, isAgeRestricted, isOnSaleAllDay, isPlain, isUnrestricted, itemsOf } from '../support/catalogue.js';
import { MEMBER, PROMO, STRANGER } from '../support/magic.js';
import type { Cart, CartItemRequest, MenuItem, PriceCalculation } from '../support/records.js';
import { cents, expectStatus } from '../support/shapes.js';
import {
  addItem,
  calculate,
  createCart,
  found,
  HANDOFFS,
  inStock,
  type Mode,
  menuOf,
  openLocation,
  readCart,
  requestFor,
} from '../support/shop.js';
import type { Target } from '../support/target.js';

/** What a cart of the table is made of. */
export interface Recipe {
  readonly items: (items: readonly MenuItem[]) => readonly CartItemRequest[];
  readonly mode?: Mode;
  readonly promo?: string;
  readonly customer?: string;
}

export const pick = (items: readonly MenuItem[], matches: (item: MenuItem) => boolean, what: string): MenuItem =>
  found(items.find(matches), what);
export const cheapest = (items: readonly MenuItem[]): MenuItem =>
  found([...items].filter(isPlain).sort(byPrice)[0], 'a plain item');
export const dearest = (items: readonly MenuItem[]): MenuItem =>
  found([...items].filter(isPlain).sort(byPrice).at(-1), 'a plain item');
export const byPrice = (a: MenuItem, b: MenuItem): number => a.base_price.amount - b.base_price.amount;
export const isNonDiscountable = (item: MenuItem): boolean => isOnSaleAllDay(item) && item.non_discountable;
export const withModifiers = (item: MenuItem): boolean =>
  isUnrestricted(item) && groupsOf(item).some(({ min_selections }) => min_selections > 0);

export const plain = (quantity: number) => (items: readonly MenuItem[]) => [
  requestFor(pick(items, isPlain, 'a plain item'), quantity),
];
export const basket = (items: readonly MenuItem[]): CartItemRequest[] =>
  items
    .filter(isPlain)
    .slice(0, 6)
    .map((item, index) => requestFor(item, index + 1));
/** One of everything: what a member pays less for is among it. */
export const assortment = (items: readonly MenuItem[]): CartItemRequest[] =>
  items.filter(isOnSaleAllDay).map((item) => requestFor(item));
export const mixed = (items: readonly MenuItem[]): CartItemRequest[] => [
  ...basket(items),
  requestFor(pick(items, withModifiers, 'an item with required modifiers'), 2),
  requestFor(pick(items, isAgeRestricted, 'an age-restricted item')),
  requestFor(pick(items, isNonDiscountable, 'an item that no discount touches')),
];

export const ANY_SERVICE: readonly (readonly [string, Recipe])[] = [
  ['one unit of one item', { items: plain(1) }],
  ['three units of one item', { items: plain(3) }],
  ['a hundred units of one item', { items: plain(100) }],
  ['the cheapest item', { items: (items) => [requestFor(cheapest(items))] }],
  ['seven of the dearest item', { items: (items) => [requestFor(dearest(items), 7)] }],
  ['six lines', { items: basket }],
  ['the same item on two lines', { items: (items) => [...plain(1)(items), ...plain(2)(items)] }],
  [
    'required modifiers',
    { items: (items) => [requestFor(pick(items, withModifiers, 'an item with required modifiers'), 3)] },
  ],
  [
    'an age-restricted item',
    { items: (items) => [requestFor(pick(items, isAgeRestricted, 'an age-restricted item'))] },
  ],
  [
    'an item that no discount touches',
    { items: (items) => [requestFor(pick(items, isNonDiscountable, 'an undiscounted item'), 2)] },
  ],
  ['everything together', { items: mixed }],
  ['a pick-up', { items: basket, mode: 'PICKUP' }],
  ['a curbside pick-up', { items: basket, mode: 'CURBSIDE' }],
  ['a delivery', { items: basket, mode: 'DELIVERY' }],
  ['a delivery of one cheap item', { items: (items) => [requestFor(cheapest(items))], mode: 'DELIVERY' }],
  ['a kiosk order', { items: basket, mode: 'KIOSK' }],
  ['a customer whom nobody knows', { items: basket, customer: STRANGER }],
];

export const MAGIC: readonly (readonly [string, Recipe])[] = [
  ['a percentage off', { items: basket, promo: PROMO.percentage }],
  ['a percentage off one unit', { items: (items) => [requestFor(dearest(items))], promo: PROMO.percentage }],
  [
    'a percentage off odd amounts',
    {
      items: (items) =>
        items
          .filter(isPlain)
          .slice(0, 9)
          .map((item) => requestFor(item, 3)),
      promo: PROMO.percentage,
    },
  ],
  ['an amount off', { items: basket, promo: PROMO.fixed }],
  ['an amount off everything together', { items: mixed, promo: PROMO.fixed }],
  ['a percentage off everything together', { items: mixed, promo: PROMO.percentage }],
  ['a percentage off a delivery', { items: basket, promo: PROMO.percentage, mode: 'DELIVERY' }],
  ['a percentage off that is capped', { items: assortment, promo: PROMO.capped }],
  ['an amount off one cheap item', { items: (items) => [requestFor(cheapest(items))], promo: PROMO.fixed }],
  ['a member', { items: assortment, customer: MEMBER }],
  [
    'a member with three of everything',
    { items: (items) => items.filter(isUnrestricted).map((item) => requestFor(item, 3)), customer: MEMBER },
  ],
  ['a member with a percentage off', { items: assortment, customer: MEMBER, promo: PROMO.percentage }],
  [
    'a member with an amount off a delivery',
    { items: assortment, customer: MEMBER, promo: PROMO.fixed, mode: 'DELIVERY' },
  ],
];

export async function cook(
  target: Target,
  recipe: Recipe,
): Promise<{ cart: Cart; price: PriceCalculation; items: MenuItem[] }> {
  const location = await openLocation(target, recipe.mode ?? 'PICKUP');
  const stock = await inStock(target, location.id);
  const items = itemsOf(await menuOf(target, location.id)).filter((item) => stock.has(item.id));
  const { id } = await createCart(target, location.id, recipe.customer);
  for (const request of recipe.items(items)) await addItem(target, id, request);
  if (recipe.mode) expectStatus(await target.put(`/carts/${id}/handoff`, HANDOFFS[recipe.mode]), 200);
  if (recipe.promo) expectStatus(await target.post(`/carts/${id}/promo-codes`, { code: recipe.promo }), 200);
  return { cart: await readCart(target, id), price: await calculate(target, id), items };
}

export function totalsOf(priced: Cart | PriceCalculation): number[] {
  return [priced.subtotal, priced.total_tax, priced.total_fees, priced.total_discount, priced.total].map(cents);
}
