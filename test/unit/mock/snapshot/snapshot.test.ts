import {
  createMockService,
  type MockService,
  type MockServiceOptions,
  type ResetOptions,
} from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Json, openService } from '../open-service.js';

const KEY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
const HOOKS = 'https://hooks.example/orders';

/** A service that goes on where `before` stood, and a way to ask it with the token of before. */
function goOn(before: MockService, token: string, options: MockServiceOptions = {}) {
  const service = createMockService({ ...options, snapshot: before.snapshot() });
  onTestFinished(() => service.close());
  const call = async (route: string, body?: unknown, key: string = crypto.randomUUID()): Promise<Json> => {
    const [method = '', path = ''] = route.split(' ');
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await service.fetch(service.credentials.baseUrl + path, init);
    return { status: response.status, body: await response.json() };
  };
  return { service, call };
}

describe('A service made of a snapshot', () => {
  test('has the carts, orders, tokens, balances and keys of the service before, and draws new ids', async () => {
    const { service, call, token, placeOrder } = await openService();
    const order = await placeOrder();
    const gift = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 400 };
    const paid = await call(`POST /orders/${order.id}/payments`, { body: gift, key: KEY });

    const later = goOn(service, token);
    const repeated = await later.call(`POST /orders/${order.id}/payments`, gift, KEY);
    const beyond = await later.call(`POST /orders/${order.id}/payments`, gift);
    const cart = await later.call('POST /carts', { location_id: service.samples.locations.downtown });

    expect(later.service.credentials).toEqual(service.credentials);
    expect(later.service.clock.now()).toBe(service.clock.now());
    expect(repeated).toEqual({ status: 201, body: paid.body });
    expect(beyond.status).toBe(422);
    expect(later.service.ledger(order.id)).toEqual(service.ledger(order.id));
    expect(cart.status).toBe(201);
    expect(JSON.stringify(service.orders())).not.toContain(cart.body.id);
    expect(later.service.webhooks.events().slice(0, 2)).toEqual(service.webhooks.events());
  });

  test('ends payments that were under way, and leads orders to their handoff', async () => {
    const { service, call, token, placeOrder } = await openService();
    const order = await placeOrder();
    service.payments.settleAfter('9s');
    await call(`POST /orders/${order.id}/payments`, {
      body: { payment_method: 'CREDIT_CARD', amount: order.total.amount },
    });
    await service.clock.advance('4s');

    const later = goOn(service, token, { autoAdvance: '1m' });
    const statuses: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      statuses.push(later.service.orders()[0]!.payments[0]!.status);
      await later.service.clock.advance('2500ms');
    }
    await later.service.clock.advance('1m');

    expect(statuses).toEqual(['AUTHORIZED', 'CAPTURED', 'COMPLETED']);
    expect(later.service.ledger(order.id).entries).toHaveLength(1);
    expect(later.service.orders()[0]!.fulfillment_status).toBe('IN_PROGRESS');
  });

  test('delivers what was not delivered, and nothing twice', async () => {
    const { service, token, placeOrder } = await openService();
    service.webhooks.subscribe({ url: HOOKS, event_types: ['order.created', 'order.cancelled'] });
    const taken: string[] = [];
    let status = 200;
    const receiver = async (request: Request): Promise<Response> => {
      taken.push(((await request.json()) as Json).event_type);
      return new Response(null, { status });
    };
    service.webhooks.route(HOOKS, receiver);
    const order = await placeOrder();
    await expect.poll(() => taken).toEqual(['order.created']);
    status = 503;
    service.orders.advance(order.id, 'CANCELLED');
    await expect.poll(() => taken).toEqual(['order.created', 'order.cancelled']);

    status = 200;
    const later = goOn(service, token);
    later.service.webhooks.route(HOOKS, receiver);
    await expect.poll(() => taken).toEqual(['order.created', 'order.cancelled', 'order.cancelled']);

    expect(later.service.webhooks.deliveries().map(({ attempt, status: said }) => [attempt, said])).toEqual([
      [1, 200],
      [1, 503],
      [2, 200],
    ]);
    expect(await later.service.webhooks.resend([1])).toMatchObject([{ eventType: 'order.created', attempt: 2 }]);
    const [subscription] = [
      later.service.webhooks.subscribe({ url: HOOKS, event_types: ['order.cancelled', 'order.created'] }),
    ];
    expect(subscription!.signing_secret).toBe(
      service.webhooks.subscribe({ url: HOOKS, event_types: ['order.created', 'order.cancelled'] }).signing_secret,
    );
  });

  test('keeps switches, faults, partners, stock, menus and hours to come', async () => {
    const { service, token } = await openService();
    const { downtown } = service.samples.locations;
    const other = service.partners.add({ locations: [downtown] });
    service.behaviour.set({ overpayment: 'accept', refundsListed: false });
    service.faults.next('GET /orders', { status: 503, times: 'all' });
    service.stock.set(downtown, service.samples.items.latte, 'OUT_OF_STOCK');
    const { version_hash } = service.menu.update(downtown, (menu) => {
      menu.categories[0]!.items[0]!.base_price.amount = 1;
    });
    service.hours.set(downtown, [], { effectiveDate: '2026-03-12' });

    const later = goOn(service, token, { behaviour: { refundsListed: true } });
    const menu = await later.call(`GET /locations/${downtown}/menu/metadata`);
    await later.service.clock.advance('2d');

    expect(menu.body.version_hash).toBe(version_hash);
    expect((await later.call('GET /orders')).status).toBe(503);
    expect(later.service.behaviour.current).toMatchObject({ overpayment: 'accept', refundsListed: true });
    expect(later.service.locations.list()[0]!.business_hours).toEqual([]);
    expect(later.service.partners.rotateSecret(other.clientId).clientId).toBe(other.clientId);
  });

  test('begins anew with a reset', async () => {
    const { service, token, placeOrder } = await openService();
    await placeOrder();
    const later = goOn(service, token);

    later.service.reset();

    expect(later.service.orders()).toEqual([]);
    expect(later.service.credentials).toEqual(service.credentials);
  });

  test.each([
    ['{"orders":[]}', /"snapshot" is no snapshot; give it what service.snapshot\(\) returned/],
    ['no JSON', /is no snapshot/],
    ['{"version":1}', /is no snapshot/],
    ['{"version":2}', /is of version 2; this package reads version 1/],
  ])('refuses %s in words', (snapshot, message) => {
    expect(() => createMockService({ snapshot })).toThrow(message);
  });

  test('refuses a snapshot of another seed', () => {
    const snapshot = createMockService({ seed: 7 }).snapshot();

    expect(() => createMockService({ seed: 8, snapshot })).toThrow('the snapshot is of the seed 7; leave "seed" out');
  });

  test('speaks as the profile said with which the service before spoke, and refuses another one', async () => {
    const profile = { format: 1, choices: { 'PROMO-3': 'list' } } as const;
    const { service, call, token } = await openService({ profile });
    const cart = (await call('POST /carts', { body: { location_id: service.samples.locations.downtown } })).body;
    const snapshot = service.snapshot();

    const later = goOn(service, token);

    expect((await later.call(`GET /carts/${cart.id}/promo-codes`)).body).toEqual([]);
    expect(() => createMockService({ snapshot, profile })).not.toThrow();
    expect(() => createMockService({ snapshot, profile: { format: 1, choices: {} } })).toThrow(
      'the snapshot is of another profile (PROMO-3 was "list", and is "data"); leave "profile" out',
    );
    expect(() => createMockService({ snapshot: createMockService().snapshot(), profile })).toThrow(
      'PROMO-3 was "data", and is "list"',
    );
  });
});

test('A reset leaves subscriptions as they are when it is told so, and none otherwise', async () => {
  const { service, call, tokenOf } = await openService();
  const subscribe = (path: string) =>
    service.webhooks.subscribe({ url: `${HOOKS}/${path}`, event_types: ['order.created'] });
  const first = subscribe('a');
  const idsAfter = async (options?: ResetOptions) => {
    service.reset(options);
    const { body } = await call('GET /webhooks', { token: await tokenOf(service.credentials) });
    return body.data.map(({ id }: { id: string }) => id);
  };

  const kept = await idsAfter({ keepSubscriptions: true });
  // The ids of the seed are drawn again: the id of the first must not become that of the second, too.
  const second = subscribe('b');

  expect(kept).toEqual([first.id]);
  expect(subscribe('a')).toEqual(first);
  expect(second.id).not.toBe(first.id);
  expect(await idsAfter({ keepSubscriptions: true })).toHaveLength(2);
  expect(await idsAfter()).toEqual([]);
  expect(() => service.reset({ keepSubscription: true } as ResetOptions)).toThrow('"keepSubscription"');
});

test('A service tells of each change: requests, controls and time', async () => {
  const { service, call } = await openService();
  let told = 0;
  let last = '';
  const end = service.onChange((what) => {
    told += 1;
    last = what;
  });
  const changes: (() => unknown)[] = [
    () => call('GET /orders'),
    () => service.payments.declineNext('*'),
    () => service.faults.next('*', { status: 503 }),
    () => service.behaviour.set({ overpayment: 'accept' }),
    () => service.partners.add(),
    () => service.locations.update(service.samples.locations.downtown, { active: false }),
    () => service.stock.set(service.samples.locations.harbor, service.samples.items.latte, 'OUT_OF_STOCK'),
    () => service.webhooks.route('https://hooks.example', 'http://127.0.0.1:1'),
    () => service.clock.advance('1s'),
    () => service.reset(),
  ];

  for (const change of changes) {
    const before = told;
    await change();
    expect([String(change), told > before]).toEqual([String(change), true]);
  }
  expect(last).toBe('everything');
  end();
  const before = told;
  service.faults.clear();

  expect(told).toBe(before);
});
