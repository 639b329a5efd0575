/**
 * CPU of a settlement of three tenders beside the same seven requests sent by hand: with the client, and with
 * `undici.request`. The mock serves from a process of its own; the three take turns in one process.
 *
 *   node bench/processes/settle.mjs '{"rounds":200}'
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { fileJournal, OnlineOrdering } from '../../dist/index.js';
import { createMockService } from '../../dist/mock.js';

const WARM_UP = 60;
const TENDERS = [
  { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-FULL-1', amount: 100 },
  { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-FULL-2', amount: 200 },
  { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
];

if (process.argv[2] === 'serve') await serve();
else console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '{"rounds":200}'))));

/** Serves orders that are to be paid; prints where, then one order's id and total for each line it reads. */
async function serve() {
  const service = createMockService({
    rateLimits: false,
    data: { giftCards: { 'GIFT-FULL-1': 1e8, 'GIFT-FULL-2': 1e8 } },
  });
  const { url } = await service.listen({ port: 0 });
  const { credentials, dispatcher, clock, samples } = service;
  const client = new OnlineOrdering({ ...credentials, dispatcher, clock });
  console.log(JSON.stringify({ url, credentials }));
  for await (const _ of createInterface({ input: process.stdin })) {
    const { id } = await client.carts.create({ location_id: samples.locations.downtown });
    await client.carts.items.add(id, { ...samples.cartItems.turkeySub, quantity: 2 });
    await client.carts.setHandoff(id, { mode: 'PICKUP' });
    const { order_id } = await client.carts.checkout(id);
    const { total } = await client.orders.retrieve(order_id);
    console.log(JSON.stringify({ id: order_id, total: total.amount }));
  }
}

async function measure({ rounds }) {
  const server = spawn(process.execPath, [fileURLToPath(import.meta.url), 'serve'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout });
  const nextLine = async () => JSON.parse((await once(lines, 'line'))[0]);
  const { url, credentials } = await nextLine();
  const newOrder = () => {
    const told = nextLine();
    server.stdin.write('\n');
    return told;
  };
  const directory = await mkdtemp(join(tmpdir(), 'settle-'));
  const options = { ...credentials, baseUrl: url };
  const client = new OnlineOrdering(options);
  const withFiles = new OnlineOrdering({ ...options, payments: { journal: fileJournal(directory) } });
  const token = await tokenOf(options);

  const ways = {
    'settle, journal in memory': ({ id }) => client.orders.settle(id, { tenders: TENDERS }),
    'settle, journal in files': ({ id }) => withFiles.orders.settle(id, { tenders: TENDERS }),
    'the same requests by the client': (order) => byClient(client, order),
    'the same requests by undici.request': (order) => byHand(options.baseUrl, token, order),
  };
  const figures = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [name, pay] of Object.entries(ways)) {
      const order = await newOrder();
      const before = process.cpuUsage();
      await pay(order);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) figures[name].push((user + system) / 1000);
    }
  }
  await client.close();
  await withFiles.close();
  server.kill();
  await rm(directory, { recursive: true });
  return figures;
}

function bodiesOf({ total }) {
  return TENDERS.map((tender) => (tender.amount === 'remaining' ? { ...tender, amount: total - 300 } : tender));
}

async function byClient(client, order) {
  await client.orders.retrieve(order.id);
  for (const body of bodiesOf(order)) {
    await client.orders.payments.create(order.id, body);
    await client.orders.retrieve(order.id);
  }
}

async function tokenOf({ baseUrl, clientId, clientSecret }) {
  const { body } = await request(`${baseUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }),
  });
  return (await body.json()).access_token;
}

async function byHand(baseUrl, token, order) {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const read = async () => JSON.parse(await (await request(`${baseUrl}/orders/${order.id}`, { headers })).body.text());
  await read();
  for (const body of bodiesOf(order)) {
    const { body: response } = await request(`${baseUrl}/orders/${order.id}/payments`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    JSON.parse(await response.text());
    await read();
  }
}
