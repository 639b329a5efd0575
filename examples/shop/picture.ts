import type { Cart } from 'online-ordering-sdk';
import { allowedTenders, checkCart } from 'online-ordering-sdk/menus';
import { chosenNames } from './menu-texts.js';
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
