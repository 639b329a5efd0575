import { setTimeout as sleep } from 'node:timers/promises';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { listenForEvents } from './event-listener.js';
import type { Stage } from './stage.js';

const HOOK_URL = 'https://hooks.example.com';
const KITCHEN_STEP_MS = 350;

/** The mock service, served over HTTP on this machine, with two troubles on the way and a kitchen that cooks. */
export async function embeddedStage(): Promise<Stage> {
  const service = createMockService({ clock: 'real', seed: 7 });
  const server = await service.listen();
  const client = new OnlineOrdering({
    ...service.credentials,
    baseUrl: server.url,
    deadline: 8_000,
    validation: 'strict',
    logLevel: 'error',
  });
  const closing: (() => Promise<void>)[] = [() => client.close(), () => service.close()];

  service.faults.next('GET /locations/{location_id}/menu', { status: 429, retryAfterSeconds: 1 });
  service.faults.next('POST /carts', { status: 401 });

  return {
    client,
    description: `the embedded mock service at ${server.url}`,
    customerId: 'CUST-12345',
    promoCode: 'SUMMER25',
    tenders: [
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
      { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
      { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'LOYALTY-0300', amount: 300 },
    ],
    followMs: 6_000,
    async subscribe(onEvent) {
      const { id: _, signing_secret: secret } = await client.webhookSubscriptions.create({
        url: `${HOOK_URL}/orders`,
        event_types: ['order.created', 'order.status_changed', 'order.cancelled'],
      });
      const listener = await listenForEvents(secret, onEvent);
      closing.unshift(listener.close);
      service.webhooks.route(HOOK_URL, listener.url);
      return listener.count;
    },
    async kitchen(orderId) {
      for (const status of ['IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP', 'FULFILLED'] as const) {
        await sleep(KITCHEN_STEP_MS);
        service.orders.advance(orderId, status);
      }
    },
    async close() {
      for (const close of closing) await close();
    },
  };
}
