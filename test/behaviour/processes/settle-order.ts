import { fileJournal, OnlineOrdering, type PaymentJournal } from 'online-ordering-sdk';

/**
 * A process that pays one order with a gift card and a card, and can be told (KILL_AT) to be killed by the system at
 * one of its steps. It prints what it came to.
 */
const { ORDER_ID: orderId = '', JOURNAL: directory = '', KILL_AT = '' } = process.env;
const killAt = KILL_AT === '' ? Number.POSITIVE_INFINITY : Number(KILL_AT);
let steps = 0;

/** No handler runs, and nothing is flushed: the process ends as by a power cut. */
function step(): void {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, 'SIGKILL');
}

const files = fileJournal(directory);
const journal: PaymentJournal = {
  read: (id) => files.read(id),
  async write(id, expected, next) {
    step();
    const written = await files.write(id, expected, next);
    step();
    return written;
  },
};

async function main(): Promise<void> {
  // This service serialises requests with one key, and reads what it wrote.
  const client = new OnlineOrdering({ logLevel: 'error', payments: { horizonMs: 0, lagMs: 0 } });
  client.on('request', ({ path }) => {
    if (path === '/auth/token') return;
    step();
    // A moment later the request is on its way, and the service has not answered yet.
    setTimeout(step, 4);
  });
  client.on('response', ({ path }) => {
    if (path !== '/auth/token') step();
  });
  const settlement = await client.orders.settle(orderId, {
    tenders: [
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
      { payment_method: 'GIFT_CARD', gift_card_number: '6006-4912-3456', amount: 500 },
    ],
    journal,
    polling: { initialDelayMs: 20, maxDelayMs: 40 },
  });
  console.log(settlement.status);
  await client.close();
}

void main();
