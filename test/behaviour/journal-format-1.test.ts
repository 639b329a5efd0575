import { readFileSync } from 'node:fs';
import type { PaymentJournal, Tender } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { orderToPay, paymentRequests } from './order-to-pay.js';

const giftCard: Tender = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 };
const KEY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

/** A journal that holds a record as release 0.1.0 wrote it. */
function journalOf(name: string): PaymentJournal & { text: string | undefined } {
  const journal = {
    text: readFileSync(new URL(`../fixtures/journal-format-1/${name}.json`, import.meta.url), 'utf8').trim() as
      | string
      | undefined,
    read: async () => journal.text,
    write: async (_: string, expected: string | undefined, next: string) => {
      if (journal.text !== expected) return false;
      journal.text = next;
      return true;
    },
  };
  return journal;
}

test('a payment that release 0.1.0 has sent is looked for during a whole horizon, and repeated with its key', async () => {
  const { service, client, orderId } = await orderToPay();
  const journal = journalOf('sent');
  const startedAt = service.clock.now();

  const settlement = await service.clock.runUntil(client.orders.settle(orderId, { tenders: [giftCard], journal }));

  expect(settlement.tenders).toMatchObject([{ status: 'COMPLETED', idempotencyKey: KEY }]);
  expect(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).toEqual([KEY]);
  expect(service.clock.now() - startedAt).toBeGreaterThanOrEqual(90_000);
  expect(JSON.parse(journal.text ?? '')).toMatchObject({ format: 2, orderId, runs: [{ ended: true }] });
});

test('a tender that release 0.1.0 saw declined is asked about again, and one that it planned is sent', async () => {
  for (const name of ['declined', 'planned']) {
    const { service, client, orderId } = await orderToPay();
    const attempts: number[] = [];
    const onDeclined = ({ attempt }: { attempt: number }) => {
      attempts.push(attempt);
      return 'retry' as const;
    };

    const options = { tenders: [giftCard], journal: journalOf(name), onDeclined };
    const settlement = await service.clock.runUntil(client.orders.settle(orderId, options));

    expect(settlement.charged.amount).toBe(500);
    expect(attempts).toEqual(name === 'declined' ? [1] : []);
    expect(paymentRequests(service)).toHaveLength(1);
  }
});
