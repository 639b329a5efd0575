import { pathToFileURL } from 'node:url';
import { createWebhookReceiver, type WebhookReceiver } from 'online-ordering-sdk/webhooks';

export interface ServerOptions {
  /** `signing_secret` of the subscription. */
  secret: string;
  /** 0 takes any free port. */
  port: number;
  /** What the handlers found out, line by line. */
  log: (line: string) => void;
}

/** A server that takes webhooks. */
export interface RunningServer {
  url: string;
  close(): Promise<void>;
}

/** The handlers, the same behind every server. Put a shared `store` here as soon as there are two processes. */
export function orderReceiver({ secret, log }: Pick<ServerOptions, 'secret' | 'log'>): WebhookReceiver {
  const receiver = createWebhookReceiver({ secrets: secret, ordering: 'latest' });
  receiver.on('order.created', ({ data }) => log(`order ${data.order_id} placed`));
  receiver.on('order.status_changed', ({ data }) =>
    log(`order ${data.order_id} is ${data.current_status}, ${data.current_fulfillment_status}`),
  );
  receiver.on('stock.updated', ({ data }) => {
    for (const item of data.items) log(`${item.name} is ${item.current_status}`);
  });
  receiver.onUnknown(({ event_type: type }) => log(`an event of a type to come: ${type}`));
  receiver.onError((error) => log(String(error)));
  return receiver;
}

/** Runs the server when its file is the program, with WEBHOOK_SECRET and PORT from the environment. */
export async function runAsProgram(
  file: string,
  start: (options: ServerOptions) => Promise<RunningServer>,
): Promise<void> {
  if (!process.argv[1] || file !== pathToFileURL(process.argv[1]).href) return;
  const secret = process.env.WEBHOOK_SECRET;
  if (!secret) throw new Error('Set WEBHOOK_SECRET to the signing_secret of your webhook subscription.');
  const { url } = await start({ secret, port: Number(process.env.PORT ?? 4011), log: console.log });
  console.log(`Waiting for webhooks at ${url}`);
}
