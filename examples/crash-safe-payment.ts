/**
 * A payment that can be killed and started again, at any moment: `npx tsx examples/crash-safe-payment.ts`, with the same
 * three variables as place-an-order.ts. With `--crash` it kills itself (SIGKILL) at the response to its first payment,
 * before it could write down what it said; start it again without, and it finds that payment instead of making another.
 *
 * Two things make it safe: what must be the same after a crash is on the disk before it is used, and the journal does
 * that for payments.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileJournal, formatMoney, OnlineOrdering, type Tender } from 'online-ordering-sdk';
import { availability, checkItem } from 'online-ordering-sdk/menus';

/** Use a directory that outlives the process, and the container it runs in. */
const directory = process.env.PAYMENTS_DIRECTORY ?? './crash-safe-payment';
const tenders: Tender[] = [
  { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
  { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
];

interface Purchase {
  readonly cartId: string;
  /** The checkout repeated with the same key returns the same order. */
  readonly checkoutKey: string;
}

const client = new OnlineOrdering();
if (process.argv.includes('--crash')) {
  client.on('response', ({ path }) => {
    // The service has charged, and nobody is left who has read its response.
    if (path === '/orders/{order_id}/payments') process.kill(process.pid, 'SIGKILL');
  });
}

await mkdir(directory, { recursive: true });
const { cartId, checkoutKey } = (await purchaseUnderWay()) ?? (await beginPurchase());
const { order_id: orderId } = await client.carts.checkout(cartId, {}, { idempotencyKey: checkoutKey });
console.log(`order ${orderId}`);

const settlement = await client.orders.settle(orderId, { tenders, journal: fileJournal(join(directory, 'journal')) });
for (const { payment_method: method, amount, status } of settlement.tenders) {
  console.log(`${method} ${amount === 'remaining' ? amount : formatMoney(amount)} ${status}`);
}
console.log(`${settlement.status}, due: ${formatMoney(settlement.balanceDue)}`);
await rm(purchaseFile(), { force: true }); // the next start buys something new
await client.close();

function purchaseFile(): string {
  return join(directory, 'purchase.json');
}

async function purchaseUnderWay(): Promise<Purchase | undefined> {
  try {
    return JSON.parse(await readFile(purchaseFile(), 'utf8')) as Purchase;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function beginPurchase(): Promise<Purchase> {
  const purchase = { cartId: await filledCart(), checkoutKey: randomUUID() };
  const draft = `${purchaseFile()}.draft`;
  await writeFile(draft, JSON.stringify(purchase));
  await rename(draft, purchaseFile());
  return purchase;
}

/** Some cart, as your shop would fill it. */
async function filledCart(): Promise<string> {
  const locations = await client.locations.list().toArray({ limit: 100 });
  const location = locations.find((candidate) => candidate.online_ordering_enabled);
  if (!location) throw new Error('No location takes online orders.');
  const menu = await client.menus.retrieve(location.id);
  const stock = await availability(client, location.id, { menu });
  const checks = { at: new Date(), timezone: location.timezone, availability: stock };
  const item = menu.categories
    .flatMap((category) => category.items)
    .map(({ id }) => ({ menu_item_id: id, quantity: 12, modifier_selections: [] }))
    .find((request) => checkItem(menu, request, checks).length === 0);
  if (!item) throw new Error(`${location.name} has nothing now that can be ordered without choosing modifiers.`);
  const cart = await client.carts.create({ location_id: location.id });
  await client.carts.items.add(cart.id, item);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  return cart.id;
}
