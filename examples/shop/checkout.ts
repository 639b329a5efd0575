import type { PriceChange } from 'online-ordering-sdk';
import { bodyOf } from './asked.js';
import { openCart } from './cart.js';
import type { Shop, ShopApp } from './shop.js';
import type { Visit } from './visit.js';

/** How long a customer may think about a new price, in milliseconds. */
const THINKING_MS = 120_000;

/** Checkout, at the price that was shown. */
export function serveCheckout(app: ShopApp, shop: Shop): void {
  const { client, journal, pictureOf, showPages } = shop;
  app.post('/api/checkout', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(shop, visit);
    const result = await client.carts.checkoutWithPrice(id, {
      shown: visit.price,
      onPriceChange: (change) => askCustomer(visit, change),
      journal,
      deadline: THINKING_MS,
    });
    if (result.status === 'STOPPED') {
      visit.price = result.change.after;
      return c.json(await pictureOf(visit));
    }
    const order = await client.orders.retrieve(result.checkout.order_id);
    Object.assign(visit, { order, cart: undefined, price: undefined, tenders: [], refunded: new Set() });
    return c.json(await pictureOf(visit));
  });

  /** Shows the new price, and waits for the customer's answer. */
  async function askCustomer(visit: Visit, change: PriceChange): Promise<'accept' | 'stop'> {
    if (change.after.total.amount === visit.price?.total.amount) return 'accept'; // it is what the page shows by now
    const answer = new Promise<'accept' | 'stop'>((resolve) => {
      visit.question = { change, answer: resolve };
    });
    const giveUp = setTimeout(() => visit.question?.answer('stop'), THINKING_MS - 10_000);
    await showPages(visit);
    return answer.finally(() => {
      clearTimeout(giveUp);
      visit.question = undefined;
    });
  }

  app.post('/api/price-answer', async (c) => {
    const { answer } = await bodyOf<{ answer: string }>(c);
    c.get('visit').question?.answer(answer === 'accept' ? 'accept' : 'stop');
    return c.json({});
  });
}
