/**
 * A split payment, a decline and its recovery: loyalty points, a gift card and a card for one order, with a second
 * card when the first is declined:
 * `npx tsx examples/split-payment.ts`, with the same three variables as place-an-order.ts.
 *
 * The journal makes it safe to run this again after a crash: with the same order, nobody is charged twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeclineHandler, fileJournal, formatMoney, OnlineOrdering, type Tender } from 'online-ordering-sdk';
import { availability, checkItem } from 'online-ordering-sdk/menus';

const tenders: Tender[] = [
  { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'LOYALTY-0300', amount: 300 },
  { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
  { payment_method: 'CREDIT_CARD', payment_token: 'tok_insufficient_funds', amount: 'remaining' },
];
const otherCard: Tender = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' };

const askForAnotherCard: DeclineHandler = ({ tender, amount, attempt }) => {
  console.log(`${tender.payment_method} did not pay ${formatMoney(amount)}`);
  return tender.payment_method === 'CREDIT_CARD' && attempt === 1 ? otherCard : 'stop';
};

// A directory of your own that survives the process; here it is thrown away at the end.
const directory = await mkdtemp(join(tmpdir(), 'payments-'));
const client = new OnlineOrdering();
try {
  const settlement = await client.orders.settle(await orderOf(12), {
    tenders,
    journal: fileJournal(directory),
    onDeclined: askForAnotherCard,
  });
  for (const { payment_method: method, amount, status } of settlement.order.payments) {
    console.log(`${method} ${formatMoney(amount)} ${status}`);
  }
  console.log(`${settlement.status}, due: ${formatMoney(settlement.balanceDue)}`);
} finally {
  await client.close();
  await rm(directory, { recursive: true });
}

/** Some order of several units, as your checkout would give it. */
async function orderOf(quantity: number): Promise<string> {
  const locations = await client.locations.list().toArray({ limit: 100 });
  const location = locations.find((candidate) => candidate.online_ordering_enabled);
  if (!location) throw new Error('No location takes online orders.');
  const menu = await client.menus.retrieve(location.id);
  const stock = await availability(client, location.id, { menu });
  const checks = { at: new Date(), timezone: location.timezone, availability: stock };
  const item = menu.categories
    .flatMap((category) => category.items)
    .map(({ id }) => ({ menu_item_id: id, quantity, modifier_selections: [] }))
    .find((request) => checkItem(menu, request, checks).length === 0);
  if (!item) throw new Error(`${location.name} has nothing now that can be ordered without choosing modifiers.`);
  const cart = await client.carts.create({ location_id: location.id });
  await client.carts.items.add(cart.id, item);
  const { order_id: orderId } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  return orderId;
}
