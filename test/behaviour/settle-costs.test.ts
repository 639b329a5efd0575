import type { Tender } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { orderToPay } from './order-to-pay.js';

const tenders: Tender[] = [
  { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'LOYALTY-0300', amount: 300 },
  { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
  { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
];

test('kindness costs nothing: with a kind service three tenders take four reads, three payments, and no wait', async () => {
  const { service, client, orderId } = await orderToPay();
  const sent = service.requests().length;
  const startedAt = service.clock.now();

  const settlement = await client.orders.settle(orderId, { tenders });

  expect(settlement.status).toBe('PAID');
  const requests = service.requests().slice(sent);
  expect(requests.map(({ method }) => method).join(' ')).toBe('GET POST GET POST GET POST GET');
  expect(service.clock.now()).toBe(startedAt);
});
