import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { createReconciler, createWebhookReceiver, type WebhookReceiverOptions } from 'online-ordering-sdk/webhooks';
import { expect, test } from 'vitest';

const HOOK = 'https://hooks.example.com/ordering';
const EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.cancelled',
  'stock.updated',
  'menu.changed',
  'location.hours_changed',
] as const;

const silent = { error() {}, warn() {}, info() {}, debug() {} };

async function subscribed(seed = 7) {
  const service = createMockService({ seed, rateLimits: false });
  const { credentials, dispatcher, clock } = service;
  const client = new OnlineOrdering({ ...credentials, dispatcher, clock, logger: silent });
  const subscription = await clock.runUntil(
    client.webhookSubscriptions.create({ url: HOOK, event_types: [...EVENT_TYPES] }),
  );
  changePrice(service); // Lists the sample item that the inventory left out so far.
  return { service, client, subscription, secret: subscription.signing_secret! };
}

/** A partner's database, written by handlers. */
function partner(service: MockService, secrets: string | string[], options: Partial<WebhookReceiverOptions> = {}) {
  const database = new Map<string, string>();
  const handled: string[] = [];
  const receiver = createWebhookReceiver({
    secrets,
    clock: service.clock,
    ordering: 'latest',
    logger: silent,
    ...options,
  });
  receiver.onAny((event, { source }) => handled.push(`${source} ${event.event_type}`));
  receiver.on('order.created', ({ data }) => {
    if (!database.has(data.order_id)) database.set(data.order_id, 'PENDING|PENDING|UNPAID');
  });
  receiver.on('order.status_changed', ({ data }) => {
    const { current_status, current_fulfillment_status, current_payment_status } = data;
    database.set(data.order_id, `${current_status}|${current_fulfillment_status}|${current_payment_status}`);
  });
  receiver.on('stock.updated', ({ data }) => {
    for (const item of data.items) database.set(item.item_id, item.current_status);
  });
  receiver.on('menu.changed', ({ data }) => {
    database.set('menu', data.version_hash);
  });
  return { receiver, database, handled };
}

/** A day at the store: one order is picked up, one cancelled, a drink runs out and comes back, a price changes. */
async function day(service: MockService, client: OnlineOrdering): Promise<void> {
  const { locations, cartItems } = service.samples;
  const order = async () => {
    const cart = await client.carts.create({ location_id: locations.downtown });
    await client.carts.items.add(cart.id, cartItems.turkeySub);
    const { order_id, total } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
    return { order_id, total };
  };
  await service.clock.runUntil(
    (async () => {
      const paid = await order();
      await client.orders.payments.create(paid.order_id, {
        payment_method: 'CREDIT_CARD',
        amount: paid.total.amount,
        payment_token: 'tok_test',
      });
      const regretted = await order();
      await client.orders.cancel(regretted.order_id, { reason: 'changed my mind' });
    })(),
  );
  const [first] = service.orders();
  await service.clock.advance('5m');
  service.orders.advance(first!.id, 'READY_FOR_PICKUP');
  const item = cartItems.turkeySub.menu_item_id;
  for (const status of ['OUT_OF_STOCK', 'IN_STOCK', 'OUT_OF_STOCK'] as const) {
    await service.clock.advance('1m');
    service.stock.set(locations.downtown, item, status);
  }
  changePrice(service);
  await service.clock.advance('1m');
  service.orders.advance(first!.id, 'FULFILLED');
}

function changePrice(service: MockService): void {
  service.menu.update(service.samples.locations.downtown, (menu) => {
    menu.categories[0]!.items[0]!.base_price.amount += 10;
  });
}

/** What the database must say in the end, read from the service itself. */
function truth(service: MockService, menuHash: string): Map<string, string> {
  const entries = service
    .orders()
    .map((order) => [order.id, `${order.status}|${order.fulfillment_status}|${order.payment_status}`] as const);
  const item = service.samples.cartItems.turkeySub.menu_item_id;
  return new Map([...entries, [item, 'OUT_OF_STOCK'], ['menu', menuHash]]);
}

async function menuHash(service: MockService, client: OnlineOrdering): Promise<string> {
  const { version_hash } = await service.clock.runUntil(
    client.menus.retrieveMetadata(service.samples.locations.downtown),
  );
  return version_hash;
}

test.each([1, 2, 3, 4, 5])(
  'every delivery made twice and in random order (seed %i) leaves the state of each once and in order',
  async (seed) => {
    const { service, client, secret } = await subscribed(seed);
    const { receiver, database, handled } = partner(service, secret);
    await day(service, client);

    const deliveries = await service.webhooks.deliverTo(receiver.fetch, { duplicates: 2, shuffle: true });

    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set([200]));
    expect(database).toEqual(truth(service, await menuHash(service, client)));
    expect(handled.length).toBeLessThanOrEqual(service.webhooks.events().length);
  },
);

test('each event is handled once when all are delivered three times', async () => {
  const { service, client, secret } = await subscribed();
  const { receiver, handled } = partner(service, secret, { ordering: 'as_delivered' });
  await day(service, client);

  await service.webhooks.deliverTo(receiver.fetch, { duplicates: 3 });

  expect(handled).toEqual(service.webhooks.events().map(({ event_type }) => `webhook ${event_type}`));
});

test('deliveries signed with a stranger’s secret are refused, every one', async () => {
  const { service, client, secret } = await subscribed();
  const { receiver, handled } = partner(service, secret);
  await day(service, client);

  const deliveries = await service.webhooks.deliverTo(receiver.fetch, { signWith: 'whsec_stranger' });

  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set([401]));
  expect(handled).toEqual([]);
});

test('a subscription replaced by a new one loses nothing and handles nothing twice', async () => {
  const { service, client, subscription, secret } = await subscribed();
  const next = await service.clock.runUntil(
    client.webhookSubscriptions.create({ url: `${HOOK}/2`, event_types: [...EVENT_TYPES] }),
  );
  const rotating = partner(service, [next.signing_secret!, secret], { ordering: 'as_delivered' });
  await day(service, client);

  await service.webhooks.deliverTo(rotating.receiver.fetch, { shuffle: true });
  expect(rotating.handled).toHaveLength(service.webhooks.events().length);

  await service.clock.runUntil(client.webhookSubscriptions.delete(subscription.id));
  const after = partner(service, next.signing_secret!, { retiredSecrets: secret });
  const late = await service.webhooks.deliverTo(after.receiver.fetch, { signWith: secret });
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([200]));
  expect(after.handled).toEqual([]);
});

test('a handler that fails gets the event again from the service’s own retries', async () => {
  const { service, client, secret } = await subscribed();
  const { receiver, handled } = partner(service, secret);
  let failures = 2;
  receiver.on('order.created', () => {
    failures -= 1;
    if (failures >= 0) throw new Error('database down');
  });
  service.webhooks.route('https://hooks.example.com', receiver.fetch);

  await day(service, client);
  await service.clock.advance('2h');

  const statuses = service.webhooks
    .deliveries()
    .filter(({ eventType }) => eventType === 'order.created')
    .map(({ status }) => status);
  expect(statuses.filter((status) => status === 500)).toHaveLength(2);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(handled.filter((line) => line === 'webhook order.created').length).toBe(4);
});

test('the reconciler finds by itself what no delivery told of, and late deliveries are recognised', async () => {
  const { service, client, secret } = await subscribed();
  const { receiver, database, handled } = partner(service, secret);
  const reconciler = createReconciler(client, receiver, { locations: [service.samples.locations.downtown] });
  await service.clock.runUntil(reconciler.runOnce());
  await service.clock.advance('5m');
  await day(service, client);

  const report = await service.clock.runUntil(reconciler.runOnce());

  expect(report.failures).toEqual([]);
  expect(database).toEqual(truth(service, await menuHash(service, client)));
  const told = handled.length;
  expect(handled.every((line) => line.startsWith('reconciler'))).toBe(true);

  await service.webhooks.deliverTo(receiver.fetch, { duplicates: 2, shuffle: true });
  expect(database).toEqual(truth(service, await menuHash(service, client)));
  expect(handled.slice(told)).toEqual([]);
  expect(await service.clock.runUntil(reconciler.runOnce())).toMatchObject({ handled: 0 });
});

test('the reconciler finds nothing to do while deliveries arrive', async () => {
  const { service, client, secret } = await subscribed();
  const { receiver, handled } = partner(service, secret);
  const reconciler = createReconciler(client, receiver);
  await service.clock.runUntil(reconciler.runOnce());
  await service.clock.advance('5m');
  service.webhooks.route('https://hooks.example.com', receiver.fetch);
  await day(service, client);
  await service.clock.advance('1m');

  expect(await service.clock.runUntil(reconciler.runOnce())).toMatchObject({ handled: 0, failures: [] });
  expect(handled.every((line) => line.startsWith('webhook'))).toBe(true);
});
