import { type Order, type OrderLineItem, OutcomeUnknownError, paidForLine } from 'online-ordering-sdk';
import { orderOf } from './asked.js';
import type { Shop, ShopApp } from './shop.js';

/** What follows a payment: refund, cancel, begin again. */
export function serveAfterwards(app: ShopApp, { client, pictureOf }: Shop): void {
  app.post('/api/refund/:lineId', async (c) => {
    const visit = c.get('visit');
    const order = orderOf(visit);
    const line = order.items.find(({ id }) => id === c.req.param('lineId'));
    if (!line || visit.refunded.has(line.id)) return c.json({ message: 'This has been refunded already.' }, 409);
    visit.refunded.add(line.id); // before it leaves: a second click must not send a second refund
    try {
      await refund(order, line);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) visit.refunded.delete(line.id);
      throw error;
    }
    visit.order = await client.orders.retrieve(order.id);
    return c.json(await pictureOf(visit));
  });

  /** Gives back what was paid for a line: its price and tax, less its share of the promo code. */
  async function refund(order: Order, line: OrderLineItem): Promise<void> {
    const { amount } = paidForLine(order, line.id);
    const lines = [{ order_item_id: line.id, quantity: line.quantity, amount }];
    try {
      await client.orders.refunds.create(order.id, { amount, line_items: lines, reason: 'CUSTOMER_REQUEST' });
    } catch (error) {
      // No sure response: `resolve` finds out what became of it. A refund is never simply sent again.
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const { outcome } = await error.resolve();
      if (outcome !== 'applied') throw error;
    }
  }

  app.post('/api/cancel', async (c) => {
    const visit = c.get('visit');
    visit.order = await client.orders.cancel(orderOf(visit).id, { reason: 'CUSTOMER_REQUEST' });
    return c.json(await pictureOf(visit));
  });

  app.post('/api/new', async (c) => {
    const visit = c.get('visit');
    visit.order = undefined;
    return c.json(await pictureOf(visit));
  });
}
