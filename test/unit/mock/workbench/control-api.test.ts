import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlRoutes } from '../../../../src/mock/workbench/routes/index.js';
import { problemOf, type Schema } from '../../../../src/mock/workbench/schema.js';
import { SCHEMAS } from '../../../../src/mock/workbench/schemas.js';
import { openWorkbench } from './open-workbench.js';

/** A receiver of webhooks that keeps what it gets, and responds with `status`. */
async function openReceiver(status = 200) {
  const taken: { signature: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    taken.push({ signature: String(request.headers['x-service-signature']), body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A schema with those that it names in their places; what has fields has no others. */
function whole(schema: Schema): Schema {
  const { $ref, properties, items, anyOf, ...rest } = schema;
  if ($ref !== undefined) return whole(SCHEMAS[$ref.split('/').at(-1) as keyof typeof SCHEMAS]);
  const entries = Object.entries(properties ?? {}).map(([name, one]) => [name, whole(one)]);
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(entries), additionalProperties: false }),
    ...(items && { items: whole(items) }),
    ...(anyOf && { anyOf: anyOf.map(whole) }),
  };
}

describe('The control API', () => {
  test('describes itself in an OpenAPI document that has exactly its routes', async () => {
    const { ask } = await openWorkbench();

    const { status, body } = await ask('GET /openapi.json');

    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([status, body.openapi, body.servers]).toEqual([200, '3.1.0', [{ url: '/_mock' }]]);
    expect(described.sort()).toEqual(
      [...controlRoutes.map((one) => `${one.method} ${one.path}`), 'GET /events'].sort(),
    );
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const refs = JSON.stringify(body).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const name of refs) expect(body.components.schemas).toHaveProperty(name.split('/').at(-1)!);
  });

  test('describes itself in a document that is valid OpenAPI 3.1', async () => {
    const { ask } = await openWorkbench();

    const result = await new Validator().validate((await ask('GET /openapi.json')).body);

    expect(result).toEqual({ valid: true });
  });

  test('responds to every route of its document, at the address and in the shape that the document gives', async () => {
    const { ask, service, placeOrder, call } = await openWorkbench();
    const order = await placeOrder();
    await call('GET /locations');
    await service.webhooks.deliverTo(() => new Response(null), { signWith: 'whsec_test' });
    const values: Record<string, string> = {
      order_id: order.id,
      location_id: service.samples.locations.downtown,
      item_id: service.samples.items.turkeySub,
      number: '1',
    };

    // Last: it forgets the order.
    const inOrder = [...controlRoutes].sort((a, b) => Number(a.name === 'reset') - Number(b.name === 'reset'));

    for (const route of inOrder) {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name) => values[name]!);
      const needsBody = (route.body?.required ?? []).length > 0;
      const { status, body } = await ask(`${route.method} ${path}`, route.method === 'POST' ? {} : undefined);
      // A body that lacks its fields is refused in words; everything else is done.
      if (needsBody)
        expect([route.name, status, body.error.message]).toEqual([
          route.name,
          400,
          expect.stringMatching(/is missing; write/),
        ]);
      else expect([route.name, status, problemOf(whole(route.response), body)]).toEqual([route.name, 200, undefined]);
    }
  });

  test('shows an order with its next moves, leads it on, and shows its ledger', async () => {
    const { ask, placeOrder, pay } = await openWorkbench();
    const order = await placeOrder();
    await pay(order);

    const before = (await ask(`GET /orders/${order.id}`)).body;
    const moved = await ask(`POST /orders/${order.id}/advance`, { status: 'READY_FOR_PICKUP' });
    const after = (await ask(`GET /orders/${order.id}`)).body;

    expect(before.next).toEqual(['IN_PROGRESS', 'CANCELLED']);
    expect(before.ledger).toMatchObject({ charged: order.total.amount, net: order.total.amount });
    expect([moved.status, moved.body.fulfillment_status]).toEqual([200, 'READY_FOR_PICKUP']);
    expect(after.next).toEqual(['FULFILLED']);
    expect(after.timeline.map(({ what }: { what: string }) => what)).toEqual([
      'order.created',
      `charge CREDIT_CARD ${(order.total.amount / 100).toFixed(2)}`,
      'order.status_changed status CONFIRMED payment_status PAID',
      'order.status_changed fulfillment_status IN_PROGRESS',
      'order.status_changed fulfillment_status PREPARING',
      'order.status_changed fulfillment_status READY_FOR_PICKUP',
    ]);
  });

  test('changes stock, prices, hours and locations, with their events', async () => {
    const { ask, service } = await openWorkbench();
    const { downtown } = service.samples.locations;
    const { houseCoffee } = service.samples.items;

    await ask(`POST /locations/${downtown}/stock`, { statuses: { [houseCoffee]: 'OUT_OF_STOCK' } });
    const price = { base_price: { amount: 999, currency: 'USD' } };
    const menu = await ask(`POST /locations/${downtown}/menu/items/${houseCoffee}`, price);
    const closed = await ask(`POST /locations/${downtown}`, { online_ordering_enabled: false });

    expect((await ask(`GET /locations/${downtown}/stock`)).body[houseCoffee]).toBe('OUT_OF_STOCK');
    expect(JSON.stringify(menu.body)).toContain('"amount":999');
    expect(closed.body.online_ordering_enabled).toBe(false);
    const types = service.webhooks.events().map(({ event_type }) => event_type);
    expect(types).toEqual(['stock.updated', 'menu.changed']);
  });

  test('arms a fault, lists it, and shows the request that met it', async () => {
    const { ask, call } = await openWorkbench();

    const armed = await ask('POST /faults', { endpoint: 'GET /orders', fault: { status: 503, times: 2 } });
    const response = await call('GET /orders');

    expect(armed.body).toEqual([{ endpoint: 'GET /orders', fault: { status: 503, times: 2 }, left: 2 }]);
    expect(response.status).toBe(503);
    expect((await ask('GET /faults')).body.waiting[0].left).toBe(1);
    const [request] = (await ask('GET /requests')).body.slice(-1);
    expect(request).toMatchObject({ path: '/orders', status: 503, fault: { status: 503 } });
    await ask('DELETE /faults');
    expect((await ask('GET /faults')).body.waiting).toEqual([]);
  });

  test('declines payments', async () => {
    const { ask, placeOrder, pay } = await openWorkbench();

    await ask('POST /payments/declines', { method: '*', reason: 'insufficient_funds' });

    expect((await ask('GET /payments/declines')).body).toEqual([{ method: '*', reason: 'insufficient_funds' }]);
    expect((await pay(await placeOrder())).status).toBe(422);
  });

  test('advances, steps, stops and starts the clock', async () => {
    const { ask, service } = await openWorkbench();
    const noon = service.clock.now();

    const advanced = (await ask('POST /clock/advance', { duration: '25h' })).body;
    const stepped = (await ask('POST /clock/step', { duration: '1h', back: true })).body;
    const started = (await ask('POST /clock/start')).body;
    const stopped = (await ask('POST /clock/stop')).body;

    expect(advanced).toEqual({ now: new Date(noon + 25 * 3_600_000).toISOString(), running: false });
    expect(stepped.now).toBe(new Date(noon + 24 * 3_600_000).toISOString());
    expect(started.running).toBe(true);
    expect(stopped.running).toBe(false);
  });

  test('delivers events signed, and makes a delivery again, twice and shuffled', async () => {
    const { ask, call, placeOrder } = await openWorkbench();
    const receiver = await openReceiver();
    await call('POST /webhooks', { body: { url: 'https://hooks.example/a', event_types: ['order.created'] } });
    await placeOrder();
    await placeOrder();

    const first = await ask('POST /deliveries', { target: receiver.url });
    const numbers = first.body.map(({ number }: { number: number }) => number);
    const again = await ask('POST /deliveries/resend', { numbers, times: 3, shuffle: true });

    expect(first.body.map((one: { attempt: number }) => one.attempt)).toEqual([1, 1]);
    expect(again.body).toHaveLength(6);
    expect(receiver.taken).toHaveLength(8);
    expect(new Set(receiver.taken.map(({ body }) => body)).size).toBe(2);
    for (const { signature } of receiver.taken) expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(first.body[0].signature).toBe(receiver.taken[0]!.signature);
    expect(Math.max(...again.body.map((one: { attempt: number }) => one.attempt))).toBe(4);
  });

  test('routes the deliveries of a subscription', async () => {
    const { ask, call, placeOrder, service } = await openWorkbench();
    const receiver = await openReceiver();

    await ask('POST /webhook-routes', { url: 'https://hooks.example', target: receiver.url });
    await call('POST /webhooks', { body: { url: 'https://hooks.example/a', event_types: ['order.created'] } });
    await placeOrder();
    await service.clock.advance(0);

    expect(receiver.taken).toHaveLength(1);
    expect((await ask('GET /subscriptions')).body.routes).toEqual([
      { url: 'https://hooks.example', target: receiver.url },
    ]);
  });

  test('gives credentials, and forgets on a reset', async () => {
    const { ask, service, placeOrder } = await openWorkbench();
    await placeOrder();

    const { credentials, samples } = (await ask('GET /service')).body;
    await ask('POST /reset');

    expect(credentials).toEqual(service.credentials);
    expect(samples.locations).toEqual(service.samples.locations);
    expect((await ask('GET /orders')).body).toEqual([]);
    expect((await ask('GET /requests')).body).toEqual([]);
  });

  test.each([
    ['POST /faults', { endpoint: 'GET /nowhere', fault: { status: 500 } }, 400, 'no endpoint "GET /nowhere". Write'],
    [
      'POST /faults',
      { endpoint: '*', fault: { status: 200 } },
      400,
      '"fault.status" is 200; write a whole number from 400 to 599',
    ],
    ['POST /faults', { endpoint: '*', fault: {} }, 400, 'changes nothing'],
    ['POST /faults', { endpoint: '*', fault: { statsu: 500 } }, 400, 'no field "statsu"; write one of fail'],
    ['POST /clock/advance', { duration: 'an hour' }, 400, "such as '25h'"],
    ['POST /clock/advance', {}, 400, '"duration" is missing; write'],
    ['POST /clock/advance', '{"duration"', 400, 'The body is no JSON'],
    ['POST /clock/stop', { now: true }, 400, 'no field "now"'],
    ['POST /behaviour', { overpayment: 'maybe' }, 400, "write 'refuse' or 'accept'"],
    ['POST /deliveries', { target: 'ftp://x' }, 400, 'write the address of a receiver'],
    ['POST /deliveries', { target: 'http://127.0.0.1:9' }, 200, ''],
    ['POST /deliveries/resend', { numbers: [12] }, 409, 'no delivery 12'],
    ['POST /orders/3/advance', { status: 'FULFILLED' }, 404, 'GET /_mock/orders lists'],
    ['GET /locations/3/menu', undefined, 404, 'GET /_mock/locations lists'],
    ['GET /requests?page=2', undefined, 400, 'no query parameter "page"; those of this route: after, limit'],
    ['GET /requests?after=abc', undefined, 400, '"after" is "abc"; write a whole number from 0 on'],
    ['POST /clock/advance', { duration: 1e18 }, 400, 'longer than a hundred years'],
    ['POST /clock/advance', { duration: `${'9'.repeat(400)}d` }, 400, 'longer than a hundred years'],
    ['POST /clock/step', { duration: '36525d', back: true }, 400, 'dates from 1970 to 9999'],
    ['POST /payments/settlement', { duration: 1e300 }, 400, 'longer than a hundred years'],
    [
      'POST /faults',
      `{"endpoint":"*","fault":{"set":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}}`,
      400,
      'deeper than 500',
    ],
    ['POST /reset', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400, 'deeper than 500'],
    ['POST /reset', 'x'.repeat(5_000_001), 413, 'longer than 5 MB'],
    ['POST /deliveries/resend', { numbers: Array(200).fill(1), times: 100 }, 400, 'are more than 10000'],
    ['TRACE /service', undefined, 404, '/_mock/service has no'],
    ['GET /orders/%00', undefined, 404, 'GET /_mock/orders lists'],
    ['GET /requests?limit=0', undefined, 400, '"limit" is 0; write a whole number from 1'],
    ['GET /nowhere', undefined, 404, 'openapi.json describes'],
    ['DELETE /orders', undefined, 404, '/_mock/orders has no DELETE; write GET'],
  ])('responds to %s %j with %i, and says what to write', async (route, body, status, message) => {
    const { ask } = await openWorkbench();

    const response = await ask(route, body);

    expect(response.status).toBe(status);
    if (message !== '') expect(response.body.error).toEqual({ status, message: expect.stringContaining(message) });
    expect((await ask('GET /faults')).body.waiting).toEqual([]);
    expect((await ask('GET /clock')).status).toBe(200);
  });

  test('cannot move the clock to where no date is, however often it is asked', async () => {
    const { ask } = await openWorkbench();

    const statuses: number[] = [];
    for (let count = 0; count < 82; count += 1)
      statuses.push((await ask('POST /clock/step', { duration: '36525d' })).status);

    expect([statuses[0], statuses.at(-1)]).toEqual([200, 400]);
    expect((await ask('GET /clock')).body.now).toMatch(/^9\d\d\d-/);
  });

  test('changes no prototype of the process with a fault, and fills up no list', async () => {
    const { ask, call } = await openWorkbench();
    const set = {
      '__proto__.polluted': 1,
      'constructor.prototype.polluted': 1,
      'data[999999999]': 1,
      'data[0].name': 'A',
    };

    await ask('POST /faults', { endpoint: 'GET /locations', fault: { set } });
    const { body } = await call('GET /locations');

    expect(body.data[0].name).toBe('A');
    expect(body.data.length).toBeLessThan(100);
    expect({}).not.toHaveProperty('polluted');
  });

  test('says of a stream what it is when it is asked by HEAD, and opens none', async () => {
    const { ask } = await openWorkbench();

    const response = await ask('HEAD /events');

    expect([response.status, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect((await ask('HEAD /service')).body).toBe('');
  });

  test('says why an order cannot be led where it is told', async () => {
    const { ask, placeOrder } = await openWorkbench();
    const order = await placeOrder();

    const response = await ask(`POST /orders/${order.id}/advance`, { status: 'DELIVERED' });

    expect([response.status, response.body.error.message]).toEqual([
      409,
      expect.stringContaining('cannot become DELIVERED'),
    ]);
  });
});

describe('The requests of the workbench', () => {
  test('come with bodies, attempts of one key and duration, and without secrets', async () => {
    const { ask, call, service } = await openWorkbench();
    const key = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
    const body = { location_id: service.samples.locations.downtown };
    await call('POST /carts', { body, key });
    await call('POST /carts', { body, key });
    const { clientId, clientSecret } = service.credentials;
    const grant = { grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: clientSecret };
    const { access_token } = (await call('POST /auth/token', { body: grant, key: null })).body;

    const requests = (await ask('GET /requests')).body;
    const first = (await ask(`GET /requests/${requests[0].number}`)).body;
    const token = await ask(`GET /requests/${requests[2].number}`);

    expect(
      requests.map(({ path, attempt, replayed, status }: Record<string, unknown>) => [path, attempt, replayed, status]),
    ).toEqual([
      ['/carts', 1, false, 201],
      ['/carts', 2, true, 201],
      ['/auth/token', null, false, 200],
    ]);
    expect(first).toMatchObject({
      idempotencyKey: key,
      requestBody: JSON.stringify(body),
      durationMs: expect.any(Number),
    });
    expect(JSON.parse(first.responseBody)).toHaveProperty('id');
    expect(first.requestHeaders.authorization).toBe('Bearer …');
    expect(JSON.stringify(token.body)).not.toContain(clientSecret);
    expect(JSON.stringify(token.body)).not.toContain(access_token);
  });

  test('are told as they happen, to everybody who follows', async () => {
    const { server, call, ask } = await openWorkbench();
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const response = await fetch(`http://127.0.0.1:${server.port}/_mock/events`, { signal: leave.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string): Promise<void> => {
      while (!seen.includes(text)) seen += (await reader.read()).value;
    };

    await until('event: hello');
    await call('GET /orders');
    await until('"ending":"response"');
    await ask('POST /clock/advance', { duration: '1s' });
    await until('"clock"');

    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(seen).toContain('event: request\ndata: {"number":');
  });
});
