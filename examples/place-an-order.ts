/**
 * One order, paid with one card: `npx tsx examples/place-an-order.ts`.
 *
 * Address and credentials come from ONLINE_ORDERING_BASE_URL, ONLINE_ORDERING_CLIENT_ID and
 * ONLINE_ORDERING_CLIENT_SECRET; `npx online-ordering-sdk mock` prints a set of them.
 */
import { ExpectedTotalMismatchError, formatMoney, OnlineOrdering } from 'online-ordering-sdk';
import { availability, checkItem } from 'online-ordering-sdk/menus';

const client = new OnlineOrdering();

const locations = await client.locations.list().toArray({ limit: 100 });
const location = locations.find((candidate) => candidate.online_ordering_enabled);
if (!location) throw new Error('No location takes online orders.');

const menu = await client.menus.retrieve(location.id);
const stock = await availability(client, location.id, { menu });
const checks = { at: new Date(), timezone: location.timezone, availability: stock };
const item = menu.categories
  .flatMap((category) => category.items)
  .map(({ id, name }) => ({ name, request: { menu_item_id: id, quantity: 1, modifier_selections: [] } }))
  .find(({ request }) => checkItem(menu, request, checks).length === 0);
if (!item) throw new Error(`${location.name} has nothing now that can be ordered without choosing modifiers.`);

const cart = await client.carts.create({ location_id: location.id });
await client.carts.items.add(cart.id, item.request);
await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });

const price = await client.carts.calculate(cart.id);
console.log(`${item.name} at ${location.name}: ${formatMoney(price.total)}`);

try {
  const { order_id: orderId } = await client.carts.checkout(cart.id, { expected_total: price.total.amount });
  const settlement = await client.orders.settle(orderId, {
    tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
  });
  console.log(`order ${orderId} is ${settlement.status}`);
} catch (error) {
  if (!(error instanceof ExpectedTotalMismatchError)) throw error;
  console.log(`The price has changed (${error.changeReasons.join(', ')}): show the new one, and check out again.`);
}

await client.close();
