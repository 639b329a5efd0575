/**
 * Receives webhooks with Hono. The app runs as it is on Workers, Bun and Deno (`export default app`); on Node it is
 * served here over `node:http`, for which you would take `@hono/node-server`.
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx examples/webhooks/hono.ts
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { orderReceiver, type RunningServer, runAsProgram, type ServerOptions } from './receiver.js';

export function honoApp(options: Pick<ServerOptions, 'secret' | 'log'>): Hono {
  const receiver = orderReceiver(options);
  const app = new Hono();
  // The request as it came (`c.req.raw`), before any validator reads it.
  app.post('/webhooks', (c) => receiver.fetch(c.req.raw));
  return app;
}

export async function startHono(options: ServerOptions): Promise<RunningServer> {
  const app = honoApp(options);
  const server = createServer(async (incoming, outgoing) => {
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers as Record<string, string>,
      body: incoming.method === 'POST' ? (Readable.toWeb(incoming) as ReadableStream) : null,
      duplex: 'half',
    });
    const response = await app.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

await runAsProgram(import.meta.url, startHono);
