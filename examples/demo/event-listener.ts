import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookReceiver, type ReceivedEvent } from 'online-ordering-sdk/webhooks';
import type { EventCount } from './stage.js';

export interface EventListener {
  readonly url: string;
  readonly count: EventCount;
  close(): Promise<void>;
}

/** A small server that takes webhook deliveries, verifies them, and hands each event over once. */
export async function listenForEvents(secret: string, onEvent: (event: ReceivedEvent) => void): Promise<EventListener> {
  const count = { verified: 0, refused: 0 };
  const receiver = createWebhookReceiver({ secrets: secret });
  receiver.onAny((event) => {
    count.verified += 1;
    onEvent(event);
  });
  receiver.onError((error) => {
    count.refused += 1;
    console.error(`A delivery was not taken: ${error instanceof Error ? error.message : error}`);
  });

  const server = createServer(receiver.nodeHandler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
