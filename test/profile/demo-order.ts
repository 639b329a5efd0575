import { OnlineOrdering, type Profile } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { customerOrder } from '../../examples/demo/customer-order.js';

const HOOK_URL = 'https://hooks.example.com';

/** What came of the order of the demonstration. */
export interface DemoOrder {
  readonly verified: number;
  readonly refused: number;
  /** Cents. */
  readonly charged: number;
  readonly refunded: number;
  readonly orderTotal: number;
}

/** The order of `npm run demo`, at a mock service that speaks as `spoken` says, by a client that was told `known`. */
export async function demoOrder(
  spoken: Profile | undefined,
  known: Profile | null | undefined = spoken,
): Promise<DemoOrder> {
  await using service = createMockService({ seed: 7, profile: spoken });
  await using client = new OnlineOrdering({
    ...service.credentials,
    dispatcher: service.dispatcher,
    clock: service.clock,
    validation: 'strict',
    logLevel: 'off',
    maxRetries: 0,
    profile: known ?? undefined,
  });
  const count = { verified: 0, refused: 0 };
  const order = customerOrder({
    client,
    description: 'the mock service',
    customerId: 'CUST-12345',
    promoCode: 'SUMMER25',
    tenders: [
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
      { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
    ],
    followMs: 60_000,
    async subscribe(onEvent) {
      const { signing_secret } = await client.webhookSubscriptions.create({
        url: HOOK_URL,
        event_types: ['order.created', 'order.status_changed'],
      });
      const receiver = createWebhookReceiver({
        secrets: signing_secret,
        profile: known ?? undefined,
        clock: service.clock,
      });
      receiver.onAny((event) => {
        count.verified += 1;
        onEvent(event);
      });
      receiver.onError(() => {
        count.refused += 1;
      });
      service.webhooks.route(HOOK_URL, receiver.fetch);
      return count;
    },
    async kitchen(orderId) {
      service.orders.advance(orderId, 'FULFILLED');
    },
    close: async () => {},
  });
  await service.clock.runUntil(order);
  const [placed] = service.orders();
  const { charged, refunded } = service.ledger(placed!.id);
  return { ...count, charged, refunded, orderTotal: placed!.total.amount };
}
