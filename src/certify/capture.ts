import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotTry } from './result.js';
import type { CapturedDelivery, Scene } from './scene.js';

const LARGEST_BYTES = 1024 * 1024;

export interface CaptureOptions {
  /** The https address that leads to this machine: a tunnel, a forwarding. */
  readonly webhookUrl: string;
  /** Port of this machine at which deliveries arrive. */
  readonly port: number;
  /** Milliseconds to wait for a delivery. @defaultValue 30000 */
  readonly waitMs?: number;
}

/** Subscribes an address to new orders, places an order, and gives the delivery that arrives. */
export function captureDelivery(options: CaptureOptions): (scene: Scene) => Promise<CapturedDelivery> {
  return async (scene) => {
    const arrival = await listen(options);
    try {
      const body = { url: options.webhookUrl, event_types: ['order.created'] };
      const made = await scene.must<{ id: string; signing_secret?: string }>('POST /webhooks', { body });
      scene.note('webhooks', made.id);
      if (!made.signing_secret) throw new CannotTry('the subscription has no signing_secret');
      await scene.order();
      return { ...(await arrival.next), secret: made.signing_secret };
    } finally {
      arrival.close();
    }
  };
}

interface Arrival {
  readonly next: Promise<Omit<CapturedDelivery, 'secret'>>;
  readonly port: number;
  close(): void;
}

async function listen({ port, waitMs = 30_000 }: CaptureOptions): Promise<Arrival> {
  let arrived: (delivery: Omit<CapturedDelivery, 'secret'>) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  const next = new Promise<Omit<CapturedDelivery, 'secret'>>((resolve, reject) => {
    arrived = resolve;
    timer = setTimeout(() => reject(new CannotTry(`no delivery arrived within ${waitMs / 1000} s`)), waitMs);
  });
  next.catch(() => {});
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      response.writeHead(204).end();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      if (headers['x-service-signature']) arrived({ headers, body: Buffer.concat(chunks).toString('utf8') });
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const close = (): void => {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  };
  return { next, port: (server.address() as AddressInfo).port, close };
}
