import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HooksCommand, parseCommand } from '../../../../src/mock/command/arguments.js';
import { runHooks } from '../../../../src/mock/command/run-hooks.js';
import { signBody } from '../../../../src/mock/webhooks/signature.js';
import { eventually } from '../../../support/eventually.js';
import type { Json } from '../open-service.js';
import { directory, fileOf, receiver, run } from './running.js';

/** A running command, with an order of which 1.00 is paid by card. */
async function paidOrder(...args: string[]) {
  const running = await run(...args);
  const { call } = running;
  const [{ id: location_id }] = (await call('GET', '/locations')).body.data;
  const menu = (await call('GET', `/locations/${location_id}/menu`)).body;
  const water = menu.categories.flatMap(({ items }: Json) => items).find(({ name }: Json) => name === 'Bottled water');
  const cart = (await call('POST', '/carts', { location_id })).body;
  await call('POST', `/carts/${cart.id}/items`, { menu_item_id: water.id, quantity: 1, modifier_selections: [] });
  const { order_id } = (await call('POST', `/carts/${cart.id}/checkout`, { handoff_mode: { mode: 'PICKUP' } })).body;
  await call('POST', `/orders/${order_id}/payments`, { payment_method: 'CREDIT_CARD', amount: 100 });
  return { ...running, order: (await call('GET', `/orders/${order_id}`)).body };
}

const CATEGORY = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
const ITEM = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d12';
const STORE = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d13';

const ownStore = () => ({
  locations: [
    {
      id: STORE,
      name: 'My Store',
      address: { street: '1 Main St', city: 'Reno', state: 'NV', postal_code: '89501', country: 'US' },
      timezone: 'America/Los_Angeles',
      online_ordering_enabled: true,
      pricing: { taxBasisPoints: 1000 },
      menu: {
        categories: [
          {
            id: CATEGORY,
            name: 'Tea',
            sort_order: 1,
            items: [
              {
                id: ITEM,
                name: 'Green tea',
                description: '',
                base_price: { amount: 200, currency: 'USD' },
                available: true,
                age_verification_required: false,
                minimum_age: null,
                max_allowed_quantity: null,
                tender_restriction_level: null,
                allowed_tenders: null,
                daily_sales_start_time: null,
                daily_sales_end_time: null,
              } as Json,
            ],
          },
        ],
      },
    },
  ],
  promoCodes: [{ code: 'TEA', name: 'Tea', type: 'FIXED', value: 50 }],
  members: [{ customerId: 'ME', programme: 'Tea club', unitDiscounts: { [ITEM]: 20 } }],
  giftCards: { 'TEA-100': 100 },
});

test('--profile lets the service speak as the profile says, and a wrong profile is refused by name', async () => {
  const profile = await fileOf({ format: 1, choices: { 'LOC-1': 'location_id' } });
  const { call } = await run('--profile', profile);
  const { body } = await call('GET', '/locations?limit=1');
  expect(Object.keys(body.data[0])).toContain('location_id');
  const slip = await fileOf({ format: 1, choices: { 'LOC-1': 'uuid' } });
  await expect(run('--profile', slip)).rejects.toThrow('LOC-1 is "uuid"; write "id" or "location_id"');
});

describe('The command', () => {
  test('forwards webhooks of every type, signed, with retries, and tells each delivery', async () => {
    const { seen, url } = await receiver(503);
    const { started, said, call } = await run('--forward-to', url, '--seed-file', await fileOf(ownStore()));
    const cart = (await call('POST', '/carts', { location_id: STORE, customer_id: 'ME' })).body;
    await call('POST', `/carts/${cart.id}/items`, { menu_item_id: ITEM, quantity: 1, modifier_selections: [] });
    await call('POST', `/carts/${cart.id}/checkout`, { handoff_mode: { mode: 'KIOSK' } });

    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen[1]).toEqual(seen[0]);
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ event_type: 'order.created' });
    expect(seen[0]!.signature).toBe(signBody(seen[0]!.body, started.forwarded.signingSecret));
    await eventually(() => expect(said().filter(({ type }) => type === 'delivery')).toHaveLength(2));
    expect(said().filter(({ type }) => type === 'delivery')).toMatchObject([
      { attempt: 1, status: 503, delivered: false },
      { attempt: 2, status: 200, delivered: true },
    ]);
  });

  test('goes on to forward after a reset over the control API', async () => {
    const { seen, url } = await receiver();
    const { started } = await run('--forward-to', url);
    const post = (path: string, body: object) =>
      fetch(started.workbenchUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });

    await post('reset', {});
    await post('webhook-events', { type: 'order.created', data: {} });

    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]!.signature).toBe(signBody(seen[0]!.body, started.forwarded.signingSecret));
  });

  test('forwards once after a restart with --state', async () => {
    const { seen, url } = await receiver();
    const file = join(await directory(), 'mock.state');
    const first = await run('--state', file, '--forward-to', url);
    await first.end();
    const second = await run('--state', file, '--forward-to', url);
    await fetch(`${second.started.workbenchUrl}webhook-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"order.created","data":{}}',
    });

    await eventually(() => expect(second.said().filter(({ type }) => type === 'delivery')).toHaveLength(1));
    expect(seen).toHaveLength(1);
    expect(second.started.forwarded).toEqual(first.started.forwarded);
    await second.end();
  });

  test('goes on with the profile of its --state, and refuses another one', async () => {
    const file = join(await directory(), 'mock.state');
    const locations = await fileOf({ format: 1, choices: { 'LOC-1': 'location_id' } });
    const other = await fileOf({ format: 1, choices: {} });
    const first = await run('--state', file, '--profile', locations);
    await first.end();

    await expect(run('--state', file, '--profile', other)).rejects.toThrow(
      `${file} is of another profile (LOC-1 was "location_id", and is "id"): leave --profile out, or give --state another file.`,
    );
    const second = await run('--state', file);
    const { body } = await second.call('GET', '/locations?limit=1');
    await second.end();

    expect(Object.keys(body.data[0])).toContain('location_id');
  });

  test('serves own stores, prices, promo codes, members and gift cards', async () => {
    const { call } = await run('--seed-file', await fileOf(ownStore()));
    expect((await call('GET', '/locations')).body.data.map(({ name }: Json) => name)).toEqual(['My Store']);
    const cart = (await call('POST', '/carts', { location_id: STORE, customer_id: 'ME' })).body;
    await call('POST', `/carts/${cart.id}/items`, { menu_item_id: ITEM, quantity: 1, modifier_selections: [] });
    await call('POST', `/carts/${cart.id}/promo-codes`, { code: 'tea' });
    const { order_id, total } = (await call('POST', `/carts/${cart.id}/checkout`, { handoff_mode: { mode: 'KIOSK' } }))
      .body;

    // 2.00 less 0.20 for members, less 0.50 of the code, and 10 % tax.
    expect(total.amount).toBe(143);
    const gift = { payment_method: 'GIFT_CARD', gift_card_number: 'TEA-100' };
    expect((await call('POST', `/orders/${order_id}/payments`, { ...gift, amount: 101 })).status).toBe(422);
    expect((await call('POST', `/orders/${order_id}/payments`, { ...gift, amount: 100 })).status).toBe(201);
  });

  test('lets a forwarded event be replayed, with the same bytes and signature', async () => {
    const { seen, url } = await receiver();
    const { said, history } = await paidOrder('--forward-to', url);
    const delivery = await eventually(() => {
      const found = said().find(({ type }) => type === 'delivery');
      expect(found).toBeDefined();
      return found;
    });
    await eventually(async () => expect(await readFile(history, 'utf8')).toContain(delivery.eventId));

    const delivered = await runHooks(
      parseCommand(['hooks', 'replay', delivery.eventId]) as HooksCommand,
      () => {},
      history,
    );

    expect(delivered).toBe(true);
    expect(seen.filter(({ body }) => body === seen[0]!.body)).toEqual([seen[0], seen[0]]);
  });

  test('leads paid orders to their handoff with --auto-advance, by its own clock', async () => {
    const { call, order } = await paidOrder('--auto-advance', '100ms');

    await eventually(async () =>
      expect((await call('GET', `/orders/${order.id}`)).body.fulfillment_status).toBe('FULFILLED'),
    );
  });

  test('accepts tenders out of order, and refuses them with --strict', async () => {
    const kind = await paidOrder();
    const strict = await paidOrder('--strict');
    const gift = { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 10 };

    const responses = [kind, strict].map(({ call, order }) => call('POST', `/orders/${order.id}/payments`, gift));

    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([201, 422]);
  });

  test('stands still with --clock virtual', async () => {
    const { said, call } = await run('--clock', 'virtual');

    await call('GET', '/locations');
    await call('GET', '/locations');

    const times = said().filter(({ type }) => type === 'request');
    expect(new Set(times.map(({ at }) => at))).toEqual(new Set(['2026-03-10T17:00:00.000Z']));
  });

  test('sets the faults of a file, is strict when it is told to, and tells requests as JSON', async () => {
    const faults = await fileOf([{ endpoint: 'GET /orders', fault: { status: 503 } }]);
    const { said, call } = await run('--faults', faults, '--strict', '--clock', 'virtual');

    expect([(await call('GET', '/orders')).status, (await call('GET', '/orders')).status]).toEqual([503, 200]);
    expect(said().at(-1)).toMatchObject({ type: 'request', method: 'GET', path: '/orders', status: 200 });
    expect(said().at(-1).at).toContain('2026-03-10T17:00');
  });

  test.each<[string, unknown, string]>([
    ['--faults', [{ endpoint: 'GET /order', fault: { status: 503 } }], '[0]: The service has no endpoint "GET /order"'],
    ['--faults', [{ endpoint: 'GET /orders', fault: { stat: 1 } }], 'it has no field "stat"'],
    ['--faults', '{', 'is no JSON'],
    [
      '--seed-file',
      { location: [] },
      'has no field "location"; write one of locations, promoCodes, members, giftCards',
    ],
    ['--seed-file', { giftCards: { A: 1.5 } }, '"giftCards.A" is 1.5; write whole cents'],
    [
      '--seed-file',
      { locations: [{ ...ownStore().locations[0], timezone: 'Reno' }] },
      '"locations[0].timezone" is "Reno"; write an IANA time zone',
    ],
  ])('%s with a mistake says where it is', async (flag, content, text) => {
    await expect(run(flag, await fileOf(content))).rejects.toThrow(text);
  });

  test('names a file that is not there', async () => {
    await expect(run('--faults', '/nowhere/faults.json')).rejects.toThrow('There is no file /nowhere/faults.json.');
  });
});

describe('hooks', () => {
  const hooks = async (file: string, ...args: string[]) => {
    const lines: string[] = [];
    const delivered = await runHooks(parseCommand(['hooks', ...args]) as never, (line) => lines.push(line), file);
    return { delivered, line: lines.join() };
  };

  test.each([
    'order.created',
    'order.status_changed',
    'order.cancelled',
    'stock.updated',
    'menu.changed',
    'location.hours_changed',
  ])('send %s delivers one as the service sends it', async (type) => {
    const { seen, url } = await receiver();
    const { delivered, line } = await hooks(
      join(await directory(), 'h.json'),
      'send',
      type,
      '--to',
      url,
      '--secret',
      's',
    );

    expect(delivered).toBe(true);
    expect(line).toContain('200');
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ event_type: type, data: { location_id: expect.any(String) } });
    expect(seen[0]!.signature).toBe(signBody(seen[0]!.body, 's'));
  });

  test('replay sends the same bytes again, also elsewhere', async () => {
    const [first, second] = [await receiver(500), await receiver()];
    const file = join(await directory(), 'h.json');
    const sent = await hooks(file, 'send', 'order.rated', '--data', '{"stars":5}', '--to', first.url);
    const [id = ''] = sent.line.split('  ');

    expect(sent.delivered).toBe(false);
    expect((await hooks(file, 'replay', id)).delivered).toBe(true);
    await hooks(file, 'replay', id, '--to', second.url);

    expect(first.seen[1]).toEqual(first.seen[0]);
    expect(second.seen[0]?.body).toBe(first.seen[0]?.body);
  });

  test('says what is missing', async () => {
    const file = join(await directory(), 'h.json');

    await expect(hooks(file, 'replay', 'nothing')).rejects.toThrow('No event nothing was sent from here');
    await expect(hooks(file, 'send', 'order.rated', '--to', 'http://x.test')).rejects.toThrow('--data');
  });
});
