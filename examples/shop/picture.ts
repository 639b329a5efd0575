import type { Cart, CartItemRequest, Location } from 'online-ordering-sdk';
import { allowedTenders, checkCart, checkItem, choices, isOpen, priceOf } from 'online-ordering-sdk/menus';
import { chosenNames, hoursOfToday, preselected } from './menu-texts.js';
import type { Shelf, Shelves } from './shelves.js';
import type { Visit } from './visit.js';

/** Everything that the page shows of a visit, apart from the menu. */
export async function picture(visit: Visit, shelves: Shelves, now: number) {
  const { storeId, cart, price, order, question, tenders, refunded } = visit;
  if (storeId === undefined) return { store: null };
  const shelf = await shelves.of(storeId);
  const { store, menu, stock } = shelf;
  return {
    now,
    store: { id: store.id, name: store.name, timezone: store.timezone, modes: store.handoff_modes ?? [] },
    menuVersion: menu.menu.version_hash,
    soldOut: stock.items.filter((one) => !one.available).map(({ item }) => item.id),
    cart: cart && { ...cart, ...judged(cart, shelf) },
    price,
    question: question?.change,
    order,
    hasTenders: tenders.length > 0,
    refunded: [...refunded],
  };
}

/** The lines of a cart, each with what the service would refuse it for, and the tenders that can pay for all of them. */
function judged(cart: Cart, { menu, checks }: Shelf) {
  const problems = checkCart(menu, cart, checks);
  return {
    items: cart.items.map((item, place) => ({
      ...item,
      chosen: chosenNames(menu, item),
      problems: problems.filter(({ field }) => field.startsWith(`items[${place}]`)).map(({ message }) => message),
    })),
    wouldBeRefused: problems.some(({ enforced }) => enforced),
    tenders: allowedTenders(menu, cart).tenders,
  };
}

/** A store, as a customer chooses one. */
export const storeCard = (store: Location, now: number) => ({
  id: store.id,
  name: store.name,
  place: `${store.address.city}, ${store.address.state}`,
  takesOrders: store.online_ordering_enabled,
  isOpen: isOpen(store, now) ?? null,
  hours: hoursOfToday(store, now),
});

/** The categories of a menu; each item with what no choice of modifiers could change: sold out, outside its hours. */
export const menuCards = ({ menu, checks }: Shelf) =>
  menu.menu.categories.map(({ name, items }) => ({
    name,
    items: items.map((item) => {
      const draft = { menu_item_id: item.id, quantity: 1, modifier_selections: preselected(menu, item.id) };
      const problem = checkItem(menu, draft, checks).find(({ field }) => field === 'menu_item_id');
      return { ...item, modifier_groups: undefined, problem: problem?.message ?? null };
    }),
  }));

/** An item before its modifiers are chosen: those that the menu proposes are taken. */
export type ItemDraft = Omit<CartItemRequest, 'modifier_selections'> & Partial<CartItemRequest>;

/** A line of the cart that an item takes the place of, if any. */
export interface Place {
  readonly cart: Cart | undefined;
  readonly replacing: string | undefined;
}

/** An item as it is being put together: what may still be chosen, what it costs, why it would be refused. */
export function draftOf({ menu, checks }: Shelf, item: ItemDraft, { cart, replacing }: Place) {
  const selections = item.modifier_selections ?? preselected(menu, item.menu_item_id);
  const draft = { ...item, modifier_selections: selections };
  return {
    item: draft,
    groups: choices(menu, item.menu_item_id, selections) ?? [],
    price: priceOf(menu, draft)?.item_total ?? null,
    problems: checkItem(menu, draft, { ...checks, cart, replacing }),
  };
}

/** What the server sends to the page, by its name there. */
export type Picture = Awaited<ReturnType<typeof picture>>;
export type StoreCard = ReturnType<typeof storeCard>;
export type MenuCards = ReturnType<typeof menuCards>;
export type Draft = ReturnType<typeof draftOf>;
