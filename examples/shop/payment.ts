import type { Order, Tender } from 'online-ordering-sdk';
import { bodyOf, orderOf } from './asked.js';
import { settledText } from './narrate.js';
import type { Shop, ShopApp } from './shop.js';

interface PaymentForm {
  readonly giftCard: string;
  readonly giftCents: number;
  /** What the form of your payment provider gives: never a card number. */
  readonly cardToken: string;
}

const DECLINED = 'A payment was declined, and nothing was charged with it. Choose another card or gift card.';

/** Payment: the list of tenders is the whole plan, and the same call goes on with it. */
export function servePayment(app: ShopApp, { client, journal, pictureOf, tellAll }: Shop): void {
  app.post('/api/pay', async (c) => {
    const visit = c.get('visit');
    const order = orderOf(visit);
    const { giftCard, giftCents = 0, cardToken } = await bodyOf<Partial<PaymentForm>>(c);
    // Without a card the call before goes on: a payment of it was still undecided.
    if (cardToken !== undefined) {
      const gift: Tender = { payment_method: 'GIFT_CARD', gift_card_number: giftCard, amount: giftCents };
      const card: Tender = { payment_method: 'CREDIT_CARD', payment_token: cardToken, amount: 'remaining' };
      // What was charged stays in the plan: it is counted, and not charged again.
      const charged = visit.tenders.filter((tender) => isCharged(order, tender));
      visit.tenders = [...charged, ...(giftCard ? [gift] : []), card];
    }
    const settlement = await client.orders.settle(order.id, {
      tenders: visit.tenders,
      journal,
      onDeclined: () => 'stop', // the page asks for another card
      polling: { maxWaitMs: 60_000 },
    });
    visit.order = settlement.order;
    tellAll(settledText(settlement));
    const declined = settlement.tenders.find(({ status }) => status === 'FAILED');
    const message = declined && settlement.status !== 'PAID' ? DECLINED : undefined;
    return c.json({ ...(await pictureOf(visit)), message });
  });
}

const isCharged = ({ payments }: Order, tender: Tender): boolean =>
  payments.some(({ payment_method: method, status }) => method === tender.payment_method && status === 'COMPLETED');
