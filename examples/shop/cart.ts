import type { Cart, CartItemRequest, HandoffMode } from 'online-ordering-sdk';
import { bodyOf, storeOf } from './asked.js';
import type { Shop, ShopApp } from './shop.js';
import type { Visit } from './visit.js';

/** The cart: its items, a promo code, how the order is handed over. Each change asks for the new price. */
export function serveCart(app: ShopApp, shop: Shop): void {
  const { client, pictureOf } = shop;
  /** Keeps what the service says of the cart, and asks for the price to show with it. */
  async function keep(visit: Visit, cart: Cart) {
    visit.cart = cart;
    visit.price = cart.items.length === 0 ? undefined : await client.carts.calculate(cart.id);
    return pictureOf(visit);
  }

  app.post('/api/items', async (c) => {
    const visit = c.get('visit');
    const cart = await openCart(shop, visit);
    return c.json(await keep(visit, await client.carts.items.add(cart.id, await bodyOf<CartItemRequest>(c))));
  });

  app.put('/api/items/:id', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    const item = await bodyOf<CartItemRequest>(c);
    return c.json(await keep(visit, await client.carts.items.replace(id, c.req.param('id'), item)));
  });

  app.delete('/api/items/:id', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    return c.json(await keep(visit, await client.carts.items.remove(id, c.req.param('id'))));
  });

  app.post('/api/promo', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    const { code } = await bodyOf<{ code: string }>(c);
    // Asking first costs a request, and gives a reason to show in place of an error.
    const { valid, rejection_message: why } = await client.carts.promoCodes.validate(id, code);
    if (!valid) return c.json({ ...(await pictureOf(visit)), message: why ?? 'This code cannot be used here.' });
    return c.json(await keep(visit, await client.carts.promoCodes.apply(id, code)));
  });

  app.delete('/api/promo/:code', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    return c.json(await keep(visit, await client.carts.promoCodes.remove(id, c.req.param('code'))));
  });

  app.put('/api/handoff', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    return c.json(await keep(visit, await client.carts.setHandoff(id, await bodyOf<HandoffMode>(c))));
  });
}

/** The cart of the visit; a new one when there is none. */
export async function openCart({ client }: Shop, visit: Visit): Promise<Cart> {
  if (visit.cart) return visit.cart;
  // Two items at once go into one cart.
  visit.opening ??= Promise.resolve(client.carts.create({ location_id: storeOf(visit.storeId) }));
  visit.cart = await visit.opening.finally(() => {
    visit.opening = undefined;
  });
  return visit.cart;
}
