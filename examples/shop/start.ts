import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerType, serve } from '@hono/node-server';
import { fileJournal, OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { createShop } from './server.js';

/** The address under which the service delivers to the shop. Yours is public, and https. */
const PUBLIC_URL = 'https://shop.example';

export interface RunningShop {
  readonly shopUrl: string;
  readonly workbenchUrl: string;
  readonly service: MockService;
  close(): Promise<void>;
}

/** How long a service may go on with a request whose response was lost. The mock has ended it by then. */
const PAYMENTS = { horizonMs: 2000, lagMs: 1000 };

/**
 * The mock service with its workbench, and the shop beside it, each on a free port of this machine. The service's clock
 * begins at noon of a Tuesday, so that the stores are open, and runs.
 */
export async function startShop({ autoAdvance = '20s', payments = PAYMENTS } = {}): Promise<RunningShop> {
  const service = createMockService({ seed: 7, autoAdvance });
  service.clock.start();
  const { url, workbenchUrl } = await service.listen({ workbench: true });

  const client = new OnlineOrdering({
    ...service.credentials,
    baseUrl: url,
    logLevel: 'off',
    payments,
  });
  const subscription = await client.webhookSubscriptions.create({
    url: `${PUBLIC_URL}/webhooks`,
    event_types: ['order.status_changed', 'order.cancelled', 'menu.changed', 'stock.updated', 'location.hours_changed'],
  });
  const kept = await mkdtemp(join(tmpdir(), 'shop-payments-')); // yours outlives the process
  const shop = createShop({
    client,
    webhookSecret: subscription.signing_secret!,
    journal: fileJournal(kept),
    now: () => service.clock.now(),
  });

  const server = serve({ fetch: shop.app.fetch, hostname: '127.0.0.1', port: 0 });
  const shopUrl = await addressOf(server);
  service.webhooks.route(PUBLIC_URL, shopUrl);

  const close = async (): Promise<void> => {
    await shop.close();
    await new Promise((resolve) => {
      server.close(resolve);
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
    await client.close();
    await service.close();
    await rm(kept, { recursive: true, force: true });
  };
  return { shopUrl, workbenchUrl: workbenchUrl!, service, close };
}

async function addressOf(server: ServerType): Promise<string> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
