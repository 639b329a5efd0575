/**
 * A server that receives webhook deliveries: `npx tsx examples/receive-events.ts`.
 *
 * WEBHOOK_SECRET is the `signing_secret` of the subscription, returned once by
 * `client.webhookSubscriptions.create({ url, event_types })`. PORT is 4011 unless it is set.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

const secret = process.env.WEBHOOK_SECRET;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the signing_secret of your subscription.');

const receiver = createWebhookReceiver({ secrets: secret });
receiver.on('order.created', ({ data }) => console.log(`order ${data.order_id} was placed`));
receiver.on('order.status_changed', ({ data }) => {
  console.log(`order ${data.order_id} is ${data.current_status}, ${data.current_fulfillment_status}`);
});
receiver.onError((error) => console.error(error instanceof Error ? error.message : error));

const server = createServer(receiver.nodeHandler);
server.listen(Number(process.env.PORT ?? 4011), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => server.close());
