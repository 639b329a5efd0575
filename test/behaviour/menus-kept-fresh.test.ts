import { OnlineOrdering, type WebhookEventType } from 'online-ordering-sdk';
import { availability, createMenuCache, type MenuChange, watchMenus } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { beforeEach, expect, test } from 'vitest';

let service: ReturnType<typeof createMockService>;
let client: OnlineOrdering;
let downtown: string;
let turkeySub: string;

beforeEach(() => {
  service = createMockService({ seed: 7 });
  client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  downtown = service.samples.locations.downtown;
  turkeySub = service.samples.items.turkeySub;
});

/** The menu requests that reached the service. */
const menuRequests = (): string[] =>
  service
    .requests()
    .filter(({ path }) => path.includes('/menu'))
    .map(({ path }) => (path.endsWith('/metadata') ? 'metadata' : 'menu'));

function raisePrice(cents: number): void {
  service.menu.update(downtown, ({ categories }) => {
    for (const item of categories.flatMap(({ items }) => items))
      if (item.id === turkeySub) item.base_price.amount = cents;
  });
}

test('a shop with many visitors reads the menu of 150 KB once, and again only when it changed', async () => {
  const menus = createMenuCache(client, { clock: service.clock });

  await Promise.all(Array.from({ length: 20 }, () => menus.index(downtown)));
  await service.clock.advance('6m');
  await Promise.all(Array.from({ length: 20 }, () => menus.index(downtown)));
  await service.clock.advance('6m');
  raisePrice(949);
  await Promise.all(Array.from({ length: 20 }, () => menus.index(downtown)));
  await service.clock.advance('1s');

  expect(menuRequests()).toEqual(['menu', 'metadata', 'metadata', 'menu']);
  expect((await menus.index(downtown)).item(turkeySub)?.raw.base_price.amount).toBe(949);
});

test('a shop goes on selling from the menu it knows while the service is down', async () => {
  const errors: unknown[] = [];
  const once = client.withOptions({ maxRetries: 0 });
  const menus = createMenuCache(once, { clock: service.clock, onError: (error) => errors.push(error) });
  const before = await menus.menu(downtown);
  await service.clock.advance('6m');
  service.faults.next('GET /locations/{location_id}/menu/metadata', { status: 500 });

  const during = await menus.menu(downtown);
  await service.clock.advance('10s');

  expect(during).toBe(before);
  expect(errors).toMatchObject([{ status: 500 }]);
});

/** A receiver that gets the signed deliveries of a subscription. */
async function subscribed(eventTypes: WebhookEventType[]) {
  const url = 'https://hooks.example.com/menus';
  const { signing_secret } = await client.webhookSubscriptions.create({ url, event_types: eventTypes });
  const receiver = createWebhookReceiver({ secrets: [signing_secret!], clock: service.clock });
  service.webhooks.route(url, receiver.fetch);
  return receiver;
}

test('a watch that is fed by webhooks tells of a new price and of a sold-out item at once', async () => {
  const events = await subscribed(['menu.changed', 'stock.updated']);
  const ending = new AbortController();
  const changes: MenuChange[] = [];
  const loop = (async () => {
    const options = { clock: service.clock, events, signal: ending.signal };
    for await (const change of watchMenus(client, [downtown], options)) changes.push(change);
  })();
  await service.clock.advance('1s');

  raisePrice(949);
  await service.clock.advance('1s');
  service.stock.set(downtown, service.samples.items.latte, 'OUT_OF_STOCK');
  await service.clock.advance('1s');
  ending.abort();
  await loop;

  expect(changes.map(({ reason, diff }) => [reason, diff.changed[0]?.name])).toEqual([
    ['menu.changed', 'Turkey sub'],
    ['stock.updated', 'Latte'],
  ]);
  expect(changes[0]?.diff.changed[0]?.price?.after).toEqual({ amount: 949, currency: 'USD' });
  expect(changes[1]?.diff.changed[0]?.availability).toEqual({ before: true, after: false });
});

test('a watch whose webhooks are lost finds the change at its next poll', async () => {
  const changes: MenuChange[] = [];
  const watch = watchMenus(client, [downtown], { clock: service.clock, random: () => 0 });
  void watch.next().then(({ value }) => changes.push(value));
  await service.clock.advance('1s');
  raisePrice(949);

  await service.clock.advance('4m');
  expect(changes).toEqual([]);
  await service.clock.advance('1m');

  expect(changes.map(({ reason }) => reason)).toEqual(['poll']);
  await watch.return?.();
});

test('an item that the inventory does not return is not available, whatever the menu says', async () => {
  service.stock.set(downtown, turkeySub, 'OUT_OF_STOCK');
  service.stock.set(downtown, service.samples.items.latte, 'LOW_STOCK');

  const store = await availability(client, downtown);

  expect(store.item(turkeySub)).toMatchObject({ available: false, reason: 'out_of_stock' });
  expect(store.item(service.samples.items.latte)).toMatchObject({ available: true, status: 'LOW_STOCK' });
  const missing = store.items.filter(({ reason }) => reason === 'not_in_inventory');
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.every(({ available, item }) => !available && item.available)).toBe(true);
});
