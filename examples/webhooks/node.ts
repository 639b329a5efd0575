/**
 * Receives webhooks with nothing but `node:http`.
 *
 *   WEBHOOK_SECRET=whsec_… npx tsx examples/webhooks/node.ts
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderReceiver, type RunningServer, runAsProgram, type ServerOptions } from './receiver.js';

export async function startNode(options: ServerOptions): Promise<RunningServer> {
  const receiver = orderReceiver(options);
  const server = createServer((request, response) => {
    if (request.url === '/webhooks') void receiver.nodeHandler(request, response);
    else response.writeHead(404).end();
  });

  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

await runAsProgram(import.meta.url, startNode);
