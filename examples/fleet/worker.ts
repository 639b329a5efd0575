import { OnlineOrdering } from 'online-ordering-sdk';
import { postgresStore } from 'online-ordering-sdk/stores/postgres';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { openShared } from './shared.js';

/**
 * One worker of the fleet. It places the order of each basket that it is given, and handles events of the inbox, until it
 * is killed. It keeps nothing: whatever it had reached, the next one goes on.
 */
const { DATABASE_URL = '', REDIS_URL, RUN = '', WEBHOOK_SECRET = '', LOCATION = '', ITEM = '{}' } = process.env;
const { pool, store, inbox } = await openShared(DATABASE_URL, REDIS_URL || undefined);

// The mock serialises requests with one key, and reads what it wrote. Leave both out for a service that is not known to.
const client = new OnlineOrdering({ store, logLevel: 'off', payments: { horizonMs: 0, lagMs: 0 } });

/** Every step has a name, so that the same basket in another process, or twice in this one, is one order. */
async function placeOrder(basket: string): Promise<string> {
  const cart = await client.carts.create({ location_id: LOCATION }, { operation: `cart:${basket}` });
  await client.carts.items.add(cart.id, JSON.parse(ITEM), { operation: `item:${basket}` });
  const { order_id: orderId } = await client.carts.checkout(
    cart.id,
    { handoff_mode: { mode: 'PICKUP' } },
    { operation: `checkout:${basket}` },
  );
  // The journal of the client's store: after a crash the same call goes on with the same keys.
  await client.orders.settle(orderId, {
    tenders: [
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 50 },
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
    ],
    polling: { initialDelayMs: 50, maxDelayMs: 500 },
  });
  return orderId;
}

const receiver = createWebhookReceiver({
  secrets: WEBHOOK_SECRET,
  inbox,
  store: postgresStore(pool),
  leaseMs: 2000,
  logger: { error() {} },
});
// The mark of the event and this write are one transaction: wherever the process dies, the event has its effect once.
receiver.onAny((event, { tx }) =>
  tx.query('insert into handled_events (run, event_id) values ($1, $2)', [RUN, event.event_id]),
);
await receiver.startWorkers();

process.on('message', async (basket: string) => {
  try {
    process.send?.({ basket, orderId: await placeOrder(basket) });
  } catch (error) {
    // The queue delivers it again.
    process.send?.({ basket, error: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
