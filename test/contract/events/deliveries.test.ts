import { describe, expect } from 'vitest';
import type { Page, Subscription } from '../support/records.js';
import { cents, expectStatus } from '../support/shapes.js';
import { openShop, paymentOf, placeOrder, secondPartner } from '../support/shop.js';
import { Target } from '../support/target.js';
import { aMoment, HOOK, type Listening, listening, needsEvents } from './listening.js';
import { isSignedWith } from './receiver.js';

describe('Deliveries', () => {
  needsEvents('Events rules 6 (gap SIG-3): an answer other than 2xx is delivered again', async () => {
    const service = await listening('order.created');
    service.receiver.answers.push(500);
    await placeOrder(service.target);
    await service.deliveries('order.created');
    await aMoment();
    await service.mock.clock.advance('2s');

    expect(await service.deliveries('order.created', 2)).toHaveLength(2);
  });

  needsEvents('Events rules 2: a repeated delivery has the same event_id, body and signature', async () => {
    const service = await listening('order.created');
    service.receiver.answers.push(503);
    await placeOrder(service.target);
    await service.deliveries('order.created');
    await aMoment();
    await service.mock.clock.advance('2s');

    const [first, second] = await service.deliveries('order.created', 2);

    expect(second!.event.event_id).toBe(first!.event.event_id);
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(isSignedWith(second!, service.subscription.signing_secret!)).toBe(true);
  });

  needsEvents.each([201, 202, 204])('Events rules 6 (gap SIG-3): an answer of %i is a success', async (status) => {
    const service = await listening('order.created');
    service.receiver.answers.push(status);
    await placeOrder(service.target);
    await service.deliveries('order.created');
    await aMoment();
    await service.advance('1h');
    await aMoment();

    expect(service.receiver.deliveries).toHaveLength(1);
  });

  needsEvents(
    'Events rules 6 (gap SIG-4): five repetitions after 1, 5, 30, 120 and 600 seconds, then no more',
    async () => {
      const service = await listening('order.created');
      service.receiver.answers.push(...Array<number>(20).fill(500));
      await placeOrder(service.target);
      await service.deliveries('order.created', 1);
      for (const [index, wait] of [1, 5, 30, 120, 600].entries()) {
        await aMoment();
        await service.advance((wait - 1) * 1000);
        await aMoment();
        expect(service.receiver.deliveries, `a second before the ${wait} s are over`).toHaveLength(index + 1);
        await service.advance('1s');
        await service.deliveries('order.created', index + 2);
      }
      await aMoment();
      await service.advance('1h');
      await aMoment();

      expect(service.receiver.deliveries).toHaveLength(6);
    },
  );

  needsEvents('Events rules 2: two events have two ids', async () => {
    const service = await listening('order.created');
    await placeOrder(service.target);
    await placeOrder(service.target);

    const ids = (await service.deliveries('order.created', 2)).map(({ event }) => event.event_id);

    expect(new Set(ids).size).toBe(2);
  });

  needsEvents('Endpoints, DELETE /webhooks: nothing new is sent to a subscription that was removed', async () => {
    const service = await listening('order.created');
    await service.target.delete(`/webhooks/${service.subscription.id}`);
    await placeOrder(service.target);
    await aMoment();

    expect(service.receiver.deliveries).toEqual([]);
  });

  needsEvents('Events: two subscriptions for one event get it both, each signed with its own secret', async () => {
    const service = await listening('order.created');
    const second = await service.target.post<Subscription>('/webhooks', {
      url: `${HOOK}/second`,
      event_types: ['order.created'],
    });
    await placeOrder(service.target);

    const deliveries = await service.deliveries('order.created', 2);

    const secretOf: Record<string, string> = {
      '/events': service.subscription.signing_secret!,
      '/events/second': second.body.signing_secret!,
    };
    expect(deliveries.map(({ path }) => path).sort()).toEqual(['/events', '/events/second']);
    for (const delivery of deliveries) expect(isSignedWith(delivery, secretOf[delivery.path]!)).toBe(true);
  });

  needsEvents('Events: the orders of one partner are not told to another', async () => {
    const service = await listening('order.created');
    await placeOrder(secondPartner(service, Target));
    await aMoment();

    expect(service.receiver.deliveries).toEqual([]);
  });

  needsEvents('Idempotency rules 2: a repeated payment sends no second event', async () => {
    const service = await listening('order.status_changed');
    const order = await placeOrder(service.target);
    const key = '8b7d1f0e-52c3-4a67-9f0d-6f1b2c3d4e5f';
    const body = paymentOf('CREDIT_CARD', cents(order.total));
    await service.target.post(`/orders/${order.id}/payments`, body, { key });
    await service.deliveries('order.status_changed', 1);
    const before = service.receiver.deliveries.length;
    await service.target.post(`/orders/${order.id}/payments`, body, { key });
    await aMoment();

    expect(service.receiver.deliveries).toHaveLength(before);
    expect(before).toBeGreaterThan(0);
  });

  needsEvents('Events: deliveries are not counted against the rate limits', async () => {
    const service = await listening({ rateLimits: { perKey: 12 } }, 'stock.updated');
    const { location, plain } = await openShop(service.target);
    await toggleStock(service, location.id, plain.id, 20);
    await service.deliveries('stock.updated', 20);

    expectStatus(await service.target.get('/orders'), 200);
  });

  needsEvents(
    'Events rules 6 (gap SIG-4): a subscription is disabled after twenty deliveries in a row that failed',
    async () => {
      const service = await listening('stock.updated');
      service.receiver.answers.push(...Array<number>(200).fill(500));
      const { location, plain } = await openShop(service.target);
      await toggleStock(service, location.id, plain.id, 20);
      await service.deliveries('stock.updated', 20);
      for (const wait of ['1s', '5s', '30s', '120s', '600s']) {
        await aMoment();
        await service.advance(wait);
      }
      await aMoment();

      const page = await service.target.get<Page<Subscription>>('/webhooks');

      expect(page.body.data.map(({ status }) => status)).toEqual(['DISABLED']);
    },
  );

  needsEvents.each(['FAILED', 'VOIDED'] as const)(
    'Events, order.status_changed: an order that the service ends as %s is told',
    async (status) => {
      const service = await listening('order.status_changed');
      const order = await placeOrder(service.target);
      service.mock.orders.advance(order.id, status);

      const [delivery] = await service.deliveries('order.status_changed');

      expect(delivery!.event.data).toMatchObject({ previous_status: 'PENDING', current_status: status });
    },
  );
});

/** Lets an item run out and come back, `count` changes in all. */
async function toggleStock({ mock }: Listening, locationId: string, itemId: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await mock.stock.set(locationId, itemId, done % 2 === 0 ? 'OUT_OF_STOCK' : 'IN_STOCK');
  }
}
