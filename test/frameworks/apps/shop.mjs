import { OnlineOrdering } from 'online-ordering-sdk';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

let made;

/** Made at the first use: Next loads route modules while it builds, where the ONLINE_ORDERING_ variables are not set. */
export function client() {
  made ??= new OnlineOrdering();
  return made;
}

export const receiver = createWebhookReceiver({ secrets: () => process.env.WEBHOOK_SECRET });

/** What was received: on the global object, since Next bundles each route by itself. */
globalThis.receivedEvents ??= [];
export const received = globalThis.receivedEvents;
receiver.onAny((event) => void received.push(event.event_type));

/** Places an order of one item, and pays it. */
export async function placeOrder() {
  const { locations: stores, menus, carts, orders } = client();
  const locations = await stores.list().toArray({ limit: 10 });
  const location = locations.find((candidate) => candidate.online_ordering_enabled);
  const menu = await menus.retrieve(location.id);
  const water = menu.categories.flatMap(({ items }) => items).find(({ name }) => name === 'Bottled water');
  const cart = await carts.create({ location_id: location.id });
  await carts.items.add(cart.id, { menu_item_id: water.id, quantity: 2, modifier_selections: [] });
  const { order_id } = await carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  const settlement = await orders.settle(order_id, {
    tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
  });
  return { orderId: order_id, status: settlement.status };
}
