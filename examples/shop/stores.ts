import { bodyOf, storeOf } from './asked.js';
import { Unfit } from './explain.js';
import { draftOf, type ItemDraft, menuCards, storeCard } from './picture.js';
import type { Shop, ShopApp } from './shop.js';

/** Stores and menus: choose a store, browse its menu, put an item together. */
export function serveStores(app: ShopApp, { client, shelves, now, pictureOf }: Shop): void {
  app.get('/api/stores', async (c) => {
    const stores = await client.locations.list().toArray({ limit: 100 });
    return c.json(stores.map((store) => storeCard(store, now())));
  });

  app.post('/api/store', async (c) => {
    const visit = c.get('visit');
    const { storeId } = await bodyOf<{ storeId: string }>(c);
    await shelves.of(storeId); // a visit is never in a store that does not exist
    if (visit.cart && visit.storeId !== storeId) await client.carts.abandon(visit.cart.id);
    if (visit.storeId !== storeId) Object.assign(visit, { cart: undefined, price: undefined });
    visit.storeId = storeId;
    return c.json(await pictureOf(visit));
  });

  app.get('/api/menu/:storeId', async (c) => c.json(menuCards(await shelves.of(c.req.param('storeId')))));

  /** An item as it is being put together: what may still be chosen, what it costs, why it would be refused. */
  app.post('/api/draft', async (c) => {
    const { cart, storeId } = c.get('visit');
    const { item, replacing } = await bodyOf<{ item?: ItemDraft; replacing?: string }>(c);
    if (typeof item?.menu_item_id !== 'string') throw new Unfit('Choose an item first.');
    return c.json(draftOf(await shelves.of(storeOf(storeId)), item, { cart, replacing }));
  });
}
