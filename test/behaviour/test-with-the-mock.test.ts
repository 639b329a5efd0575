import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test } from 'vitest';

const silent = { error() {}, warn() {}, info() {}, debug() {} };

const ways = {
  dispatcher: async (service: MockService) => ({ dispatcher: service.dispatcher }),
  fetch: async (service: MockService) => ({ fetch: service.fetch }),
  'HTTP server': async (service: MockService) => ({ baseUrl: (await service.listen()).url }),
};

async function connected(way: keyof typeof ways) {
  const service = createMockService({ seed: 7 });
  onTestFinished(() => service.close());
  const reach = await ways[way](service);
  const client = new OnlineOrdering({ ...service.credentials, ...reach, clock: service.clock, logger: silent });
  onTestFinished(() => client.close());
  return { service, client };
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('A client over the mock by %s', (way) => {
  test('orders and pays', async () => {
    const { service, client } = await connected(way);

    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySubCombo);
    const { order_id, total } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
    await client.orders.payments.create(order_id, { payment_method: 'CREDIT_CARD', amount: total.amount });

    expect(await client.orders.retrieve(order_id)).toMatchObject({ status: 'CONFIRMED', payment_status: 'PAID' });
    expect(service.ledger(order_id).net).toBe(total.amount);
  });

  test('waits out a 429 of 61 seconds without a second of real time', async () => {
    const { service, client } = await connected(way);
    service.faults.next('GET /orders', { status: 429, retryAfterSeconds: 61 });
    const before = service.clock.now();

    await service.clock.runUntil(client.orders.list());

    expect(service.clock.now() - before).toBeGreaterThanOrEqual(61_000);
    expect(service.clock.now() - before).toBeLessThanOrEqual(62_000);
  });

  test('gives up a stalled response at its time-out, on the clock of the service, and asks again', async () => {
    const { service, client } = await connected(way);
    service.faults.next('GET /orders', { fail: 'stall' });
    const before = service.clock.now();

    const page = await service.clock.runUntil(client.orders.list());

    expect(page.data).toEqual([]);
    expect(service.clock.now() - before).toBeGreaterThanOrEqual(30_000);
    expect(service.clock.now() - before).toBeLessThan(45_000);
  });

  test('gets a new token after 25 hours', async () => {
    const { service, client } = await connected(way);
    await client.orders.list();

    await service.clock.advance('25h');
    await client.orders.list();

    expect(service.requests().filter(({ route }) => route === '/auth/token').length).toBeGreaterThanOrEqual(2);
    expect(service.requests().at(-1)?.status).toBe(200);
  });
});
