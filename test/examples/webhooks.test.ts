import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';
import { startExpress } from '../../examples/webhooks/express.js';
import { startFastify } from '../../examples/webhooks/fastify.js';
import { startHono } from '../../examples/webhooks/hono.js';
import { startNode } from '../../examples/webhooks/node.js';

test.each([
  ['Express', startExpress],
  ['Fastify', startFastify],
  ['Hono', startHono],
  ['plain Node', startNode],
])('the %s example takes the service’s signed deliveries', async (_name, start) => {
  const service = createMockService({ seed: 7 });
  const { credentials, dispatcher, clock, samples } = service;
  const client = new OnlineOrdering({ ...credentials, dispatcher, clock });
  const { signing_secret: secret } = await clock.runUntil(
    client.webhookSubscriptions.create({
      url: 'https://hooks.example.com',
      event_types: ['order.created', 'stock.updated'],
    }),
  );
  const lines: string[] = [];
  const server = await start({ secret: secret!, port: 0, log: (line) => lines.push(line) });
  const { turkeySub } = samples.cartItems;
  const checkout = async () => {
    const cart = await client.carts.create({ location_id: samples.locations.downtown });
    await client.carts.items.add(cart.id, turkeySub);
    return client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  };
  const { order_id: orderId } = await clock.runUntil(checkout());
  service.stock.set(samples.locations.downtown, turkeySub.menu_item_id, 'OUT_OF_STOCK');

  const deliveries = await service.webhooks.deliverTo(server.url, { duplicates: 2 });
  await server.close();

  expect(deliveries.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(lines).toEqual([`order ${orderId} placed`, expect.stringMatching(/ is OUT_OF_STOCK$/)]);
});

test('an example started as a program waits at its address, and asks for the secret it lacks', async () => {
  const run = (env: Record<string, string>) =>
    spawn(process.execPath, ['--import', 'tsx', 'examples/webhooks/node.ts'], {
      env: { ...process.env, PORT: '0', ...env },
    });

  const started = run({ WEBHOOK_SECRET: 'whsec_test' });
  const [output] = await once(started.stdout, 'data');
  started.kill();
  expect(String(output)).toMatch(/^Waiting for webhooks at http:\/\/127\.0\.0\.1:\d+\/webhooks/);

  const refused = run({ WEBHOOK_SECRET: '' });
  let message = '';
  refused.stderr.on('data', (chunk) => {
    message += String(chunk);
  });
  await once(refused, 'close');
  expect(refused.exitCode).toBe(1);
  expect(message).toContain('Set WEBHOOK_SECRET to the signing_secret of your webhook subscription.');
});
