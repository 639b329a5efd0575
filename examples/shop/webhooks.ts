import { createReconciler, createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import type { Shop, ShopApp } from './shop.js';

/** Webhooks: verified, each event once, and the pages are told. @returns What ends with the shop. */
export function serveWebhooks(
  app: ShopApp,
  { client, visits, shelves, showAll }: Shop,
  webhookSecret: string,
): { stop(): Promise<void> } {
  const receiver = createWebhookReceiver({ secrets: webhookSecret, ordering: 'latest' });
  receiver.onError((error) => console.error(error instanceof Error ? error.message : error));
  app.post('/webhooks', (c) => receiver.fetch(c.req.raw));

  // An event says that something happened, and may come late. How things are is read.
  const readOrder = async (orderId: string): Promise<void> => {
    const concerned = visits.all().filter(({ order }) => order?.id === orderId);
    if (concerned.length === 0) return;
    const order = await client.orders.retrieve(orderId);
    for (const visit of concerned) visit.order = order;
    await showAll((visit) => visit.order?.id === orderId);
  };
  receiver.on('order.status_changed', ({ data }) => readOrder(data.order_id));
  receiver.on('order.cancelled', ({ data }) => readOrder(data.order_id));
  receiver.on('menu.changed', async ({ data }) => {
    await shelves.menuChanged(data.location_id);
    await showAll(({ storeId }) => storeId === data.location_id);
  });
  receiver.on('stock.updated', async ({ data }) => {
    shelves.stockChanged(data.location_id);
    await showAll(({ storeId }) => storeId === data.location_id);
  });
  receiver.on('location.hours_changed', ({ data }) => shelves.hoursChanged(data.location_id));
  // Finds changes of orders that no webhook told of, every 5 minutes.
  return createReconciler(client, receiver, { resources: ['orders'] }).start();
}
