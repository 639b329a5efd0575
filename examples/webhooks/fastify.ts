/**
 * Receives webhooks with Fastify 5.
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx examples/webhooks/fastify.ts
 */
import Fastify from 'fastify';
import { orderReceiver, type RunningServer, runAsProgram, type ServerOptions } from './receiver.js';

export async function startFastify(options: ServerOptions): Promise<RunningServer> {
  const app = Fastify();
  // A plugin: within it bodies stay raw, and all other routes keep Fastify's JSON parser.
  await app.register(orderReceiver(options).fastify, { url: '/webhooks' });

  const address = await app.listen({ port: options.port, host: '127.0.0.1' });
  return { url: `${address}/webhooks`, close: () => app.close() };
}

await runAsProgram(import.meta.url, startFastify);
