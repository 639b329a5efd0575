/**
 * Watches the menus and the stock of all stores, and prints what changes.
 *
 *   npx tsx examples/watch-menus.ts
 *
 * Runs against the service that ONLINE_ORDERING_BASE_URL, _CLIENT_ID and _CLIENT_SECRET name, until Ctrl-C. Without them
 * it runs against the embedded mock service, which changes a price, sells an item out, and then ends the watch.
 */
import { formatMoney, OnlineOrdering } from 'online-ordering-sdk';
import { type MenuChange, watchMenus } from 'online-ordering-sdk/menus';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

const service = process.env.ONLINE_ORDERING_BASE_URL ? undefined : createMockService({ seed: 7 });
await using client = service
  ? new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock })
  : new OnlineOrdering();

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());

const locations = await client.locations.list().toArray({ limit: 1000 });
const names = new Map(locations.map(({ id, name }) => [id, name]));
console.log(`Watching ${names.size} locations.`);

// With events the watch wakes at once; without them it polls, every 5 minutes while a store is open.
const events = service && (await subscribe(service));
const changes = watchMenus(client, [...names.keys()], {
  signal: stopping.signal,
  ...(events && { events }),
  onError: (error, locationId) => console.error(`${names.get(locationId)}: ${String(error)}`),
  ...(service && { clock: service.clock }),
});
if (service) void changeThings(service).finally(() => stopping.abort());
for await (const change of changes) print(change);
console.log('The watch has ended.');

/** The receiver of a subscription. Against a real service its `fetch` or `nodeHandler` is a route of your server. */
async function subscribe({ webhooks }: MockService) {
  const url = 'https://hooks.example.com/menus';
  const subscription = await client.webhookSubscriptions.create({
    url,
    event_types: ['menu.changed', 'stock.updated'],
  });
  const receiver = createWebhookReceiver({ secrets: [subscription.signing_secret ?? ''] });
  webhooks.route(url, receiver.fetch);
  return receiver;
}

function print({ locationId, reason, diff }: MenuChange): void {
  console.log(`${names.get(locationId)} (${reason})`);
  for (const item of diff.added) console.log(`  new: ${item.name}, ${formatMoney(item.base_price)}`);
  for (const item of diff.removed) console.log(`  gone: ${item.name}`);
  for (const { name, price, availability, saleHours, modifiers = [], fields = {} } of diff.changed) {
    if (price?.after) console.log(`  ${name}: now ${formatMoney(price.after)}`);
    if (availability) console.log(`  ${name}: ${availability.after ? 'available again' : 'sold out'}`);
    if (saleHours)
      console.log(`  ${name}: sold from ${saleHours.after.start ?? '00:00'} to ${saleHours.after.end ?? '24:00'}`);
    for (const { change, kind, name: part } of modifiers) console.log(`  ${name}: ${kind} ${part} ${change}`);
    if (Object.keys(fields).length > 0) console.log(`  ${name}: ${Object.keys(fields).join(', ')} changed`);
  }
}

/** What stores do in the course of a day. */
async function changeThings({ samples, menu, stock, clock }: MockService): Promise<void> {
  const { downtown, harbor } = samples.locations;
  await clock.advance('1s');
  menu.update(downtown, ({ categories }) => {
    const sub = categories.flatMap(({ items }) => items).find(({ id }) => id === samples.items.turkeySub);
    if (sub) Object.assign(sub, { base_price: { amount: 949, currency: 'USD' }, max_allowed_quantity: 5 });
  });
  stock.set(harbor, samples.items.latte, 'OUT_OF_STOCK');
  await clock.advance('1s');
}
