import { request } from 'node:http';
import { fileJournal, OnlineOrdering, type PaymentJournal } from 'online-ordering-sdk';
import { fastClock } from './fast-clock.js';

/**
 * A process that pays one order with a gift card and a card, over HTTP and with time that runs fast. It prints what it
 * came to.
 */
const {
  ORDER_ID: orderId = '',
  JOURNAL: where = '',
  SPEED: speed = '1',
  EPOCH: epoch = '0',
  HORIZON_MS: horizonMs = '0',
  LAG_MS: lagMs = '0',
} = process.env;

/** A journal behind HTTP: a store that several machines would share. */
function remoteJournal(url: string): PaymentJournal {
  const ask = (body: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST' }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve((JSON.parse(text) as { value?: unknown }).value));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  return {
    read: async (id) => ((await ask({ read: id })) as string | null) ?? undefined,
    write: async (id, expected, next) => (await ask({ write: id, expected, next })) === true,
  };
}

async function main(): Promise<void> {
  const client = new OnlineOrdering({
    logLevel: 'off',
    clock: fastClock(Number(speed), Number(epoch)),
    payments: { horizonMs: Number(horizonMs), lagMs: Number(lagMs) },
  });
  const journal = where.startsWith('http') ? remoteJournal(where) : fileJournal(where);
  try {
    const { status } = await client.orders.settle(orderId, {
      tenders: [
        { payment_method: 'CREDIT_CARD', payment_token: 'card-1', amount: 'remaining' },
        { payment_method: 'GIFT_CARD', gift_card_number: 'gift-1', amount: 500 },
      ],
      journal,
    });
    console.log(status);
  } catch (error) {
    const { name, reason, message, cause } = error as Error & { reason?: string };
    console.log(`${name} ${reason ?? ''} ${message} (${cause instanceof Error ? cause.message : ''})`);
  }
  await client.close();
}

void main();
