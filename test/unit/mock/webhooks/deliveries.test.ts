import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEventType } from 'online-ordering-sdk/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signBody } from '../../../../src/mock/webhooks/signature.js';
import { type Json, openService } from '../open-service.js';

const HOOK = 'https://hooks.example.com/orders';

/** A service with one subscription. */
async function subscribed(
  options: Parameters<typeof openService>[0] = {},
  types: WebhookEventType[] = ['order.created'],
) {
  const opened = await openService(options);
  const { body } = await opened.call('POST /webhooks', { body: { url: HOOK, event_types: types } });
  return { ...opened, subscription: body as Json };
}

/** A receiver in process, which answers with the given statuses and then with 200. */
function receiver(...statuses: number[]) {
  const seen: { url: string; signature: string | null; body: string; event: Json }[] = [];
  const target = async (request: Request): Promise<Response> => {
    const body = await request.text();
    seen.push({
      url: request.url,
      signature: request.headers.get('x-service-signature'),
      body,
      event: JSON.parse(body),
    });
    return new Response(null, { status: statuses.shift() ?? 200 });
  };
  return { seen, target };
}

test('a body is signed with HMAC-SHA256 in lower-case hex', () => {
  // printf '{"event_id":"1"}' | openssl dgst -sha256 -hmac whsec_test
  expect(signBody('{"event_id":"1"}', 'whsec_test')).toBe(
    '8cf494ebbd3785c7905423bf28ab020c48c45ef86ff934ebce9d69c646d5114f',
  );
});

describe('A routed address', () => {
  test('gets each event once, signed with the secret of its subscription', async () => {
    const { service, placeOrder, subscription } = await subscribed();
    const { seen, target } = receiver();
    service.webhooks.route('https://hooks.example.com', target);

    const order = await placeOrder();
    await service.clock.advance(0);

    expect(seen).toHaveLength(1);
    const [{ url, event, body, signature }] = seen as [(typeof seen)[0]];
    expect(url).toBe(HOOK);
    expect(event).toMatchObject({
      event_type: 'order.created',
      created_at: '2026-03-10T17:00:00.000Z',
      data: { order_id: order.id, status: 'PENDING', handoff_mode: 'PICKUP', total: order.total },
    });
    expect(signature).toBe(signBody(body, subscription.signing_secret));
  });

  test('is reached over HTTP, with the rest of the path', async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { service, placeOrder } = await subscribed();
    service.webhooks.route(
      'https://hooks.example.com',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    );

    await placeOrder();
    await service.clock.advance(0);

    expect(paths).toEqual(['/in/orders']);
    expect(service.webhooks.deliveries()).toMatchObject([{ attempt: 1, status: 200, delivered: true }]);
  });

  test('that fails is tried again after 1, 5, 30, 120 and 600 seconds', async () => {
    const { service, placeOrder } = await subscribed();
    const { seen, target } = receiver(500, 302, 404, 503, 429);
    service.webhooks.route(HOOK, target);
    const begin = service.clock.now();

    await placeOrder();
    await service.clock.advance('1h');

    const attempts = service.webhooks.deliveries();
    expect(attempts.map(({ status }) => status)).toEqual([500, 302, 404, 503, 429, 200]);
    expect(attempts.map(({ at }) => (Date.parse(at) - begin) / 1000)).toEqual([0, 1, 6, 36, 156, 756]);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });

  test('that throws counts as one that gave no response', async () => {
    const { service, placeOrder } = await subscribed({ deliveries: { retryDelaysMs: [] } });
    service.webhooks.route(HOOK, () => {
      throw new Error('receiver is down');
    });

    await placeOrder();
    await service.clock.advance(0);

    expect(service.webhooks.deliveries()).toMatchObject([
      { status: null, error: 'receiver is down', delivered: false },
    ]);
  });

  test('that fails too often in a row disables its subscription', async () => {
    const { service, call, placeOrder } = await subscribed({ deliveries: { retryDelaysMs: [], disableAfter: 2 } });
    const { seen, target } = receiver(500, 200, 500, 500);
    service.webhooks.route(HOOK, target);
    const status = async () => (await call('GET /webhooks')).body.data[0].status;
    const place = async () => {
      await placeOrder();
      await service.clock.advance(0);
    };

    for (let orders = 0; orders < 3; orders += 1) await place();
    const before = await status();
    await place();
    const after = await status();
    await place();

    expect([before, after, seen.length]).toEqual(['ACTIVE', 'DISABLED', 4]);
    const again = await call('POST /webhooks', { body: { url: HOOK, event_types: ['order.created'] } });
    expect(again.status).toBe(201);
  });

  test('of a deleted subscription gets nothing more', async () => {
    const { service, call, placeOrder, subscription } = await subscribed();
    const { seen, target } = receiver(500);
    service.webhooks.route(HOOK, target);
    await placeOrder();
    await service.clock.advance(0);

    await call(`DELETE /webhooks/${subscription.id}`);
    await placeOrder();
    await service.clock.advance('1h');

    expect(seen).toHaveLength(1);
  });

  test('nothing leaves the process without a route', async () => {
    const { service, placeOrder } = await subscribed();

    await placeOrder();
    await service.clock.advance('1h');

    expect(service.webhooks.deliveries()).toEqual([]);
    expect(service.webhooks.events().map(({ event_type }) => event_type)).toContain('order.created');
  });

  test('must be https', async () => {
    const { service } = await openService();

    expect(() => service.webhooks.route('http://hooks.example.com', 'http://127.0.0.1:1')).toThrow('https');
  });
});

describe('deliverTo', () => {
  test('delivers what the target has not been given yet', async () => {
    const { service, placeOrder } = await subscribed();
    const [one, two] = [receiver(), receiver()];
    await placeOrder();

    await service.webhooks.deliverTo(one.target);
    await service.webhooks.deliverTo(one.target);
    await placeOrder();
    await service.webhooks.deliverTo(one.target);
    await service.webhooks.deliverTo(two.target);

    expect([one.seen.length, two.seen.length]).toEqual([2, 2]);
    expect(two.seen.map(({ body }) => body)).toEqual(one.seen.map(({ body }) => body));
  });

  test('duplicates and shuffles, in the same way for the same seed', async () => {
    const order = async (seed: number) => {
      const { service, placeOrder, pay } = await subscribed({ seed }, ['order.created', 'order.status_changed']);
      const { seen, target } = receiver();
      for (let orders = 0; orders < 3; orders += 1) await pay(await placeOrder());
      await service.webhooks.deliverTo(target, { duplicates: 2, shuffle: true });
      return { ids: seen.map(({ event }) => event.event_id), events: service.webhooks.events() };
    };

    const [first, again] = [await order(7), await order(7)];

    const inOrder = first.events.flatMap(({ event_id }) => [event_id, event_id]);
    expect(first.ids).not.toEqual(inOrder);
    expect([...first.ids].sort()).toEqual([...inOrder].sort());
    expect(again.ids).toEqual(first.ids);
  });

  test('signs with a secret of your own, without a subscription', async () => {
    const { service, placeOrder } = await openService();
    const { seen, target } = receiver();
    await placeOrder();

    const results = await service.webhooks.deliverTo(target, { signWith: 'whsec_test' });

    expect(results).toMatchObject([{ eventType: 'order.created', delivered: true, subscriptionId: null }]);
    expect(seen[0]?.signature).toBe(signBody(seen[0]!.body, 'whsec_test'));
  });

  test('says what is missing when there is no secret to sign with', async () => {
    const { service, placeOrder } = await openService();
    await placeOrder();

    await expect(service.webhooks.deliverTo(receiver().target)).rejects.toThrow('signWith');
  });
});

describe('deliverTo loses nothing', () => {
  test('that could not be signed at first', async () => {
    const { service, placeOrder } = await openService();
    const { seen, target } = receiver();
    await placeOrder();
    await expect(service.webhooks.deliverTo(target)).rejects.toThrow('signWith');

    await service.webhooks.deliverTo(target, { signWith: 'whsec_test' });

    expect(seen).toHaveLength(1);
  });

  test('that nobody had subscribed to', async () => {
    const { service, call, placeOrder } = await subscribed({}, ['menu.changed']);
    const { seen, target } = receiver();
    await placeOrder();
    await service.webhooks.deliverTo(target);
    expect(seen).toHaveLength(0);

    await call('POST /webhooks', { body: { url: HOOK, event_types: ['order.created'] } });
    await service.webhooks.deliverTo(target);

    expect(seen).toHaveLength(1);
  });

  test('that the target refused, or did not respond', async () => {
    const { service, placeOrder } = await subscribed();
    const { seen, target } = receiver(500, 401);
    await placeOrder();

    const statuses = [];
    for (let calls = 0; calls < 4; calls += 1) {
      statuses.push((await service.webhooks.deliverTo(target)).map(({ status }) => status));
    }
    expect(statuses).toEqual([[500], [401], [200], []]);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });

  test('of another subscription, when it was told to deliver for one', async () => {
    const { service, call, placeOrder, subscription } = await subscribed();
    const other = await call('POST /webhooks', { body: { url: `${HOOK}/2`, event_types: ['order.created'] } });
    const { seen, target } = receiver();
    await placeOrder();

    await service.webhooks.deliverTo(target, { subscriptionId: subscription.id });
    await service.webhooks.deliverTo(target, { subscriptionId: other.body.id });
    await service.webhooks.deliverTo(target);

    expect(seen.map(({ url }) => url)).toEqual([HOOK, `${HOOK}/2`]);
  });

  test('after a reset: events have new ids, which no receiver takes for old ones', async () => {
    const { service, placeOrder, tokenOf, call } = await openService();
    const { seen, target } = receiver();
    await placeOrder();
    await service.webhooks.deliverTo(target, { signWith: 'whsec_test' });
    service.reset();
    const token = await tokenOf(service.credentials);
    const location_id = service.samples.locations.downtown;
    const cart = (await call('POST /carts', { token, body: { location_id } })).body;
    await call(`POST /carts/${cart.id}/items`, { token, body: service.samples.cartItems.turkeySub });
    await call(`POST /carts/${cart.id}/checkout`, { token, body: { handoff_mode: { mode: 'PICKUP' } } });

    await service.webhooks.deliverTo(target, { signWith: 'whsec_test' });

    const ids = seen.map(({ event }) => event.event_id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  test('while two calls run: each event goes out once', async () => {
    const { service, placeOrder } = await subscribed();
    const { seen, target } = receiver();
    await placeOrder();

    await Promise.all([service.webhooks.deliverTo(target), service.webhooks.deliverTo(target)]);

    expect(seen).toHaveLength(1);
  });
});

describe('Changes of a store', () => {
  test('a menu gets a new version hash and an event that carries it', async () => {
    const { service, call } = await openService();
    const { downtown } = service.samples.locations;
    const path = `GET /locations/${downtown}/menu/metadata`;
    const before = (await call(path)).body;
    await service.clock.advance('1m');

    service.menu.update(downtown, (menu) => {
      menu.categories[0]!.items[0]!.base_price.amount += 25;
    });

    const after = (await call(path)).body;
    expect(after.version_hash).not.toBe(before.version_hash);
    expect(after.last_modified).toBe('2026-03-10T17:01:00.000Z');
    expect(service.webhooks.events()).toMatchObject([
      {
        event_type: 'menu.changed',
        data: { location_id: downtown, version_hash: after.version_hash, change_type: 'ITEMS_MODIFIED' },
      },
    ]);
  });

  test.each([
    ['ITEMS_REMOVED', (menu: Json) => menu.categories[0].items.pop()],
    [
      'ITEMS_ADDED',
      (menu: Json) =>
        menu.categories[0].items.push({ ...menu.categories[0].items[0], id: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11' }),
    ],
    ['CATEGORIES_CHANGED', (menu: Json) => Object.assign(menu.categories[0], { name: 'Deli' })],
    ['FULL_UPDATE', (menu: Json) => menu.categories.shift()],
  ])('the kind of change is told: %s', async (change_type, change) => {
    const { service } = await openService();

    service.menu.update(service.samples.locations.downtown, change);

    expect(service.webhooks.events()[0]?.data).toMatchObject({ change_type });
  });

  test('a menu that stays the same has no event', async () => {
    const { service } = await openService();

    service.menu.update(service.samples.locations.downtown, () => {});

    expect(service.webhooks.events()).toEqual([]);
  });

  test('a new item is in stock, a removed one is no longer listed', async () => {
    const { service, call } = await openService();
    const { downtown } = service.samples.locations;
    const added = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

    service.menu.update(downtown, ({ categories }) => {
      const first = categories[0]!.items;
      first[0] = { ...first[0]!, id: added };
    });

    const listed = (await call(`GET /locations/${downtown}/inventory?limit=500`)).body.data;
    expect(listed.find((item: Json) => item.item_id === added)).toMatchObject({ availability_status: 'IN_STOCK' });
  });

  test('an item without a stock record does not come back with another menu', async () => {
    const { service, call } = await openService();
    const { downtown } = service.samples.locations;
    const path = `GET /locations/${downtown}/inventory?limit=500`;
    const before = (await call(path)).body.data.length;

    service.menu.update(downtown, (menu) => {
      menu.categories[0]!.name = 'Deli';
    });

    expect((await call(path)).body.data).toHaveLength(before);
  });

  test('stock and hours tell before and after, to every partner that has the location', async () => {
    const { service } = await openService();
    const { downtown, harbor } = service.samples.locations;
    service.partners.add({ locations: [downtown] });
    service.partners.add({ locations: [harbor] });
    const hours = [{ day_of_week: 'MONDAY', open_time: '08:00', close_time: '20:00', is_closed: false }];

    service.stock.set(downtown, service.samples.items.houseCoffee, 'LOW_STOCK');
    service.stock.set(downtown, service.samples.items.houseCoffee, 'LOW_STOCK');
    service.hours.set(downtown, hours);

    const events = service.webhooks.events();
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'stock.updated',
      'stock.updated',
      'location.hours_changed',
      'location.hours_changed',
    ]);
    expect(events[0]?.data).toMatchObject({ items: [{ previous_status: 'IN_STOCK', current_status: 'LOW_STOCK' }] });
    expect(events[2]?.data).toMatchObject({ current_hours: hours, effective_date: null });
  });
});

describe('Subscriptions', () => {
  test('show their secret once, and are listed newest first without it', async () => {
    const { call, subscription } = await subscribed();
    const second = await call('POST /webhooks', { body: { url: 'https://b.example', event_types: ['menu.changed'] } });

    const { data } = (await call('GET /webhooks')).body;

    expect(subscription.signing_secret).toMatch(/^whsec_/);
    expect(data.map(({ id }: Json) => id)).toEqual([second.body.id, subscription.id]);
    expect(JSON.stringify(data)).not.toContain('signing_secret');
  });

  test.each([
    [{ event_types: ['order.created'] }, 400, 'url'],
    [{ url: HOOK }, 400, 'event_types'],
    [{ url: HOOK, event_types: [] }, 400, 'event_types'],
    [{ url: HOOK, event_types: ['order.eaten'] }, 400, 'event_types[0]'],
    [{ url: 'http://hooks.example.com', event_types: ['order.created'] }, 422, 'url'],
    [{ url: HOOK, event_types: ['menu.changed', 'order.created'] }, 409, 'url'],
  ])('the body %j gets %d on %s', async (body, status, field) => {
    const { call } = await subscribed();

    expect(await call('POST /webhooks', { body })).toMatchObject({ status, body: { error: { field } } });
  });

  test('are gone after their deletion', async () => {
    const { call, subscription } = await subscribed();

    const deleted = await call(`DELETE /webhooks/${subscription.id}`);
    const again = await call(`DELETE /webhooks/${subscription.id}`);

    expect([deleted.status, deleted.body, again.status]).toEqual([204, undefined, 404]);
  });
});
