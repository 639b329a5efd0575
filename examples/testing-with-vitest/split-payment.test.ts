import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';

test('card declined after the gift card took five dollars', async () => {
  const service = createMockService();
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  const { order_id: orderId } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  service.payments.declineNext('CREDIT_CARD');

  const settlement = await client.orders.settle(orderId, {
    tenders: [
      { payment_method: 'GIFT_CARD', gift_card_number: '6006491234567890', amount: 500 },
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_visa', amount: 'remaining' },
    ],
    onDeclined: () => 'stop',
  });

  expect(settlement).toMatchObject({ status: 'PARTIALLY_PAID', charged: { amount: 500 }, balanceDue: { amount: 321 } });
  expect(settlement.tenders.map(({ payment_method, status }) => [payment_method, status])).toEqual([
    ['GIFT_CARD', 'COMPLETED'],
    ['CREDIT_CARD', 'FAILED'],
  ]);
  // The gift card keeps its charge until the customer decides: another card, or a cancel that gives it back.
  const cancelled = await client.orders.cancel(orderId);
  expect(cancelled.payments.map(({ status }) => status)).toEqual(['REFUNDED', 'FAILED']);
  expect(service.ledger(orderId)).toMatchObject({ net: 0 });
});
