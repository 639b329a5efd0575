import type { CartItem } from '../../contract/index.js';
import type { MockRequest } from '../kernel/message.js';
import type { Handler, Route } from '../kernel/route.js';
import { modifiableCart } from '../operations/carts/cart-access.js';
import { locationOf, modifyCart } from '../operations/carts/cart-pricing.js';
import { tenderEnforcement } from '../operations/partners.js';
import { notFound } from '../refusals/refusal.js';
import { checkCartItem, readCartItem } from '../rules/cart-item.js';
import { newCartItem } from '../rules/cart-lines.js';
import { findMenuItem } from '../rules/menu-items.js';
import { checkCommonTender } from '../rules/tenders.js';
import type { CartRecord, ServiceState } from '../state/state.js';

const add: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const line = checkedLine(request, state, record);
  return { status: 201, body: modifyCart(state, record, { items: [...record.cart.items, line] }) };
};

/** A full replacement: the line keeps its id and its place, and nothing else of what it was. */
const replace: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const replaced = lineOf(request, record);
  const line = checkedLine(request, state, record, replaced);
  const items = record.cart.items.map((item) => (item === replaced ? line : item));
  return { status: 200, body: modifyCart(state, record, { items }) };
};

const remove: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const removed = lineOf(request, record);
  const items = record.cart.items.filter((item) => item !== removed);
  return { status: 200, body: modifyCart(state, record, { items }) };
};

function lineOf(request: MockRequest, record: CartRecord): CartItem {
  const itemId = (request.params.item_id ?? '').toLowerCase();
  const line = record.cart.items.find(({ id }) => id === itemId);
  if (!line) throw notFound('Cart item');
  return line;
}

/** The line that the body asks for, held to cart rule 1. A replaced line lends it its id. */
function checkedLine(request: MockRequest, state: ServiceState, record: CartRecord, replaced?: CartItem): CartItem {
  const body = readCartItem(request.body, { strict: state.rules.strict });
  const { location, menu, stock } = locationOf(state, record.cart);
  const item = findMenuItem(menu, body.menu_item_id);
  if (!item) throw notFound('Menu item');
  checkCartItem({
    item,
    body,
    stock: stock.get(item.id)?.status,
    timezone: location.timezone,
    nowMs: state.clock.now(),
    cartItems: record.cart.items,
    readings: state.rules.readings,
    ...(replaced && { replacedCartItemId: replaced.id }),
  });
  if (tenderEnforcement(state, record.partnerId) === 'cart') {
    const others = record.cart.items.filter((line) => line !== replaced);
    const items = others.flatMap(({ menu_item_id }) => findMenuItem(menu, menu_item_id) ?? []);
    checkCommonTender([...items, item], 'menu_item_id');
  }
  return newCartItem(replaced?.id ?? state.nextId(), { item, body, readings: state.rules.readings });
}

export const routes: readonly Route[] = [
  { method: 'POST', path: '/carts/{cart_id}/items', handler: add, idempotency: 'required', scope: 'partner' },
  {
    method: 'PUT',
    path: '/carts/{cart_id}/items/{item_id}',
    handler: replace,
    idempotency: 'required',
    scope: 'partner',
  },
  {
    method: 'DELETE',
    path: '/carts/{cart_id}/items/{item_id}',
    handler: remove,
    idempotency: 'required',
    scope: 'partner',
  },
];
