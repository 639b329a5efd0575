import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { EventBody } from '../support/records.js';

export interface Delivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly event: EventBody;
}

export interface Receiver {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** Statuses of the next answers; 200 afterwards. */
  readonly answers: number[];
}

/** A partner's endpoint on the loopback interface, which keeps what it was sent. */
export async function openReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const answers: number[] = [];
  const server = createServer(async (request, response) => {
    const raw = await bodyOf(request);
    const { method = '', url = '', headers } = request;
    deliveries.push({ method, path: url, headers, raw, event: JSON.parse(raw.toString('utf8')) as EventBody });
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, deliveries, answers };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Events rule 1, and gap SIG-1: HMAC-SHA256 over the raw body, keyed with the secret as text, in hex. */
export function isSignedWith(delivery: Delivery, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(delivery.raw).digest('hex');
  const given = String(delivery.headers['x-service-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
