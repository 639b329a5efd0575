// What is bundled: every entry point, each of them used. `run` gives what was seen, for the tests to compare.
import { OnlineOrdering, sumMoney } from 'online-ordering-sdk';
import { locationSchema } from 'online-ordering-sdk/contract';
import { bullmqInbox } from 'online-ordering-sdk/inbox/bullmq';
import { memoryInbox } from 'online-ordering-sdk/inbox/memory';
import { pgBossInbox } from 'online-ordering-sdk/inbox/pg-boss';
import { indexMenu, priceOf } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { instrument } from 'online-ordering-sdk/otel';
import { memoryStore } from 'online-ordering-sdk/stores';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { redisStore } from 'online-ordering-sdk/stores/redis';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

export async function run() {
  const instrumentation = instrument();
  const service = createMockService({ clock: 'real' });
  const server = await service.listen({ port: 0, workbench: false });
  const { clientId, clientSecret } = service.credentials;
  const client = new OnlineOrdering({ baseUrl: server.url, clientId, clientSecret, store: memoryStore() });
  try {
    const { order, charged, menuPrice } = await placeOrder(client);
    return {
      order: order.status,
      paid: charged.amount === order.total.amount,
      priced: menuPrice.amount > 0,
      webhook: await receiveEvent(service),
      stores: [postgresStore({ query: async () => ({ rows: [] }) }), redisStore(redisOf(new Map()))].every(isStore),
      inboxes: [bullmqInbox, pgBossInbox].every((inbox) => typeof inbox === 'function'),
    };
  } finally {
    await client.close();
    await server.close();
    await service.close();
    instrumentation.disable();
  }
}

async function placeOrder(client) {
  const locations = await client.locations.list().toArray({ limit: 10 });
  const location = locationSchema().parse(locations.find((candidate) => candidate.online_ordering_enabled));
  const menu = indexMenu(await client.menus.retrieve(location.id));
  const water = menu.items.find(({ name }) => name === 'Bottled water');
  const item = { menu_item_id: water.id, quantity: 2, modifier_selections: [] };
  const cart = await client.carts.create({ location_id: location.id });
  await client.carts.items.add(cart.id, item);
  const { order_id } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  const { order, charged } = await client.orders.settle(order_id, {
    tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
  });
  return { order, charged, menuPrice: sumMoney([priceOf(menu, item).item_total]) };
}

async function receiveEvent(service) {
  const inbox = memoryInbox();
  const receiver = createWebhookReceiver({ secrets: ['whsec_bundled'], inbox });
  const received = new Promise((resolve) => receiver.on('order.created', (event) => resolve(event.event_type)));
  await receiver.startWorkers();
  await service.webhooks.deliverTo(receiver.fetch, { signWith: 'whsec_bundled' });
  const eventType = await received;
  await receiver.stopWorkers();
  return eventType;
}

const redisOf = (map) => ({
  get: async (key) => map.get(key) ?? null,
  set: async (key, value) => map.set(key, value),
  eval: async () => null,
  evalSha: async () => null,
});
const isStore = (store) => typeof store.get === 'function' && typeof store.set === 'function';
