/**
 * Receives webhooks with Express 5 (or 4).
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx examples/webhooks/express.ts
 */
import type { AddressInfo } from 'node:net';
import express from 'express';
import { orderReceiver, type RunningServer, runAsProgram, type ServerOptions } from './receiver.js';

export async function startExpress(options: ServerOptions): Promise<RunningServer> {
  const app = express();
  // Before express.json(): the signature covers the bytes as they were sent.
  app.post('/webhooks', orderReceiver(options).express);
  app.use(express.json());

  const server = app.listen(options.port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

await runAsProgram(import.meta.url, startExpress);
