import { createMockService } from 'online-ordering-sdk/mock';
import { expect, onTestFinished, test } from 'vitest';
import { type DriftFacts, OnlineOrdering } from '../../src/index.js';

function setUp(headers: Record<string, string> = {}, validation: 'report' | 'strict' | 'off' = 'report') {
  const service = createMockService({ seed: 5 });
  const fetch: typeof globalThis.fetch = async (...sent) => {
    const response = await service.fetch(...sent);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
  const lines: string[] = [];
  const line = (text: string) => lines.push(text);
  const logger = { error: line, warn: line, info: line, debug: line };
  const client = new OnlineOrdering({ ...service.credentials, fetch, clock: service.clock, validation, logger });
  onTestFinished(() => client.close());
  const told: DriftFacts[] = [];
  client.on('drift', (facts) => told.push(facts));
  return { service, client, told, lines };
}

async function cartOf({ service, client }: ReturnType<typeof setUp>): Promise<string> {
  const { id } = await client.carts.create({
    location_id: service.samples.locations.downtown,
    customer_id: 'CUST-777',
  });
  await client.carts.items.add(id, service.samples.cartItems.turkeySub);
  return id;
}

test('money that does not add up, and a value of the future, are told once and counted', async () => {
  const shop = setUp();
  const { service, client, told, lines } = shop;
  const id = await cartOf(shop);
  const set = { 'total.amount': 1, status: 'FROZEN' };
  service.faults.next('GET /carts/{cart_id}', { set, times: 3 });

  for (let read = 0; read < 3; read += 1) await client.carts.retrieve(id);

  expect(told).toEqual([
    {
      method: 'GET',
      path: '/carts/{cart_id}',
      requestId: expect.any(String),
      issues: [
        { path: 'status', kind: 'new_value' },
        { path: 'total', kind: 'sum' },
      ],
    },
  ]);
  expect(client.drift()).toMatchObject([
    { operation: 'GET /carts/{cart_id}', path: 'status', kind: 'new_value', count: 3 },
    { operation: 'GET /carts/{cart_id}', path: 'total', kind: 'sum', count: 3 },
  ]);
  expect(lines.filter((line) => line.includes('differs'))).toHaveLength(1);
});

test('strict validation throws for none of it: the response can be used', async () => {
  const shop = setUp({ 'x-api-version': '2.0.0' }, 'strict');
  const id = await cartOf(shop);
  shop.service.faults.next('GET /carts/{cart_id}', { set: { 'total.amount': 1, status: 'FROZEN' } });

  expect(await shop.client.carts.retrieve(id)).toMatchObject({ status: 'FROZEN' });
});

test('the end of an endpoint and another version of the interface are told by their headers', async () => {
  const { client, told } = setUp({ sunset: 'Wed, 11 Nov 2026 11:11:11 GMT', 'x-api-version': '1.1.0' });

  await client.locations.list();
  await client.locations.list();

  expect(told.map(({ path, issues }) => [path, issues])).toEqual([
    [
      '/locations',
      [
        { path: 'header sunset', kind: 'deprecated' },
        { path: 'header x-api-version', kind: 'version' },
      ],
    ],
  ]);
});

test('a client and its views have one summary, and it holds no value of a customer', async () => {
  const shop = setUp();
  const id = await cartOf(shop);
  shop.service.faults.next('GET /carts/{cart_id}', { set: { customer_id: 7, 'total.amount': 1 } });

  await shop.client.withOptions({ maxRetries: 0 }).carts.retrieve(id);

  const summary = JSON.stringify(shop.client.drift());
  expect(shop.client.drift().map(({ path }) => path)).toEqual(['total', 'customer_id']);
  expect(summary).not.toContain('CUST-777');
  expect(summary).not.toContain(id);
});

test('without validation nothing is looked at', async () => {
  const shop = setUp({ 'x-api-version': '2.0.0' }, 'off');
  const id = await cartOf(shop);
  shop.service.faults.next('GET /carts/{cart_id}', { set: { 'total.amount': 1 } });
  await shop.client.carts.retrieve(id);

  expect(shop.client.drift()).toEqual([]);
});

test('a code and a change reason of the future in an error are told, and the error is thrown as ever', async () => {
  const service = createMockService({ seed: 5 });
  const error = { code: 'TEAPOT_ERROR', message: 'No', detail: '', change_reasons: ['FEE_CHANGED', 'MOON_PHASE'] };
  const fetch: typeof globalThis.fetch = (...sent) =>
    String(sent[0]).endsWith('/checkout')
      ? Promise.resolve(Response.json({ error }, { status: 409 }))
      : service.fetch(...sent);
  await using client = new OnlineOrdering({ ...service.credentials, fetch, clock: service.clock, logLevel: 'off' });
  const told: DriftFacts[] = [];
  client.on('drift', (facts) => told.push(facts));
  const { id } = await client.carts.create({ location_id: service.samples.locations.downtown });

  await expect(client.carts.checkout(id, { expected_total: 1 })).rejects.toMatchObject({ status: 409 });

  expect(told.map(({ path, issues }) => [path, issues])).toEqual([
    [
      '/carts/{cart_id}/checkout',
      [
        { path: 'error.code', kind: 'new_value' },
        { path: 'error.change_reasons[1]', kind: 'new_value' },
      ],
    ],
  ]);
});

test('an error as the contract has it is no drift', async () => {
  const shop = setUp();
  const id = await cartOf(shop);

  await expect(shop.client.carts.checkout(id, { expected_total: 1 })).rejects.toMatchObject({ status: 422 });

  expect(shop.told).toEqual([]);
});
