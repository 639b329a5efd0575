import { expect, onTestFinished, test, vi } from 'vitest';
import { startShop } from '../../examples/shop/start.js';
import { Visits } from '../../examples/shop/visit.js';
import { eventually } from '../support/eventually.js';

/** The mock has ended what it does before it loses a response: nobody waits for it. */
const SOON = { horizonMs: 50, lagMs: 20 };

/** A visit without a browser: the requests that the page would send. */
async function openVisit() {
  const started = await startShop({ payments: SOON });
  onTestFinished(() => started.close());
  const { service, shopUrl } = started;
  let cookie = '';
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(shopUrl + path, {
      method,
      headers: {
        cookie,
        origin: shopUrl,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    // biome-ignore lint/suspicious/noExplicitAny: responses of the program under test
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const { downtown } = service.samples.locations;
  await send('POST', '/api/store', { storeId: downtown });
  /** An order of one turkey sub, not paid yet. */
  const order = async () => {
    await send('POST', '/api/items', service.samples.cartItems.turkeySub);
    await send('PUT', '/api/handoff', { mode: 'PICKUP' });
    return (await send('POST', '/api/checkout')).body.order;
  };
  return { service, shopUrl, send, order };
}

test('The shop orders and pays once when a customer clicks twice', async () => {
  const { service, send } = await openVisit();
  await send('POST', '/api/items', service.samples.cartItems.turkeySub);
  await send('PUT', '/api/handoff', { mode: 'PICKUP' });

  await Promise.all([send('POST', '/api/checkout'), send('POST', '/api/checkout')]);
  const card = { cardToken: 'tok_approved' };
  await Promise.all([send('POST', '/api/pay', card), send('POST', '/api/pay', card)]);
  const [order] = service.orders();
  const refunds = await Promise.all([1, 2].map(() => send('POST', `/api/refund/${order!.items[0]!.id}`)));

  expect(service.orders()).toHaveLength(1);
  expect(refunds.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(service.ledger(order!.id).entries.map(({ kind }) => kind)).toEqual(['charge', 'refund']);
});

test.each([
  ['reset before it was charged', { fail: 'socket_reset' } as const],
  ['503 before it was charged', { status: 503 }],
  ['reset after it was charged', { fail: 'socket_reset', after: 'commit' } as const],
  ['cut in the middle', { body: 'truncated' } as const],
])('The shop charges once when the response to a payment is lost: %s', async (_, fault) => {
  const { service, send, order } = await openVisit();
  const { id, total } = await order();
  service.faults.next('POST /orders/{order_id}/payments', fault);

  const paid = await send('POST', '/api/pay', { cardToken: 'tok_approved' });

  expect(paid.body.order.payment_status).toBe('PAID');
  expect(service.ledger(id)).toMatchObject({ charged: total.amount, net: total.amount });
});

test('The shop says in plain words what went wrong, and begins again when the service has forgotten the cart', async () => {
  const { service, send, order } = await openVisit();
  await send('POST', '/api/items', service.samples.cartItems.turkeySub);
  const { downtown } = service.samples.locations;
  service.stock.set(downtown, service.samples.items.latte, 'OUT_OF_STOCK');

  const soldOut = await send('POST', '/api/items', service.samples.cartItems.latte);
  const malformed = await send('POST', '/api/items', { ...service.samples.cartItems.latte, menu_item_id: 'latte' });
  service.reset();
  const gone = await send('PUT', '/api/handoff', { mode: 'PICKUP' });
  const next = await order();

  expect([soldOut.status, soldOut.body.message]).toEqual([422, 'This has just sold out, or is not sold at this hour.']);
  expect([malformed.status, malformed.body.message]).toEqual([400, expect.stringContaining('check what you entered')]);
  expect([gone.status, gone.body.message]).toEqual([404, 'This is no longer there. Look again, please.']);
  expect(next.status).toBe('PENDING');
});

test('The shop takes no webhook without its signature, no form of another page, and loads nothing from elsewhere', async () => {
  const { shopUrl, send } = await openVisit();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const event = { event_id: 'a', event_type: 'order.created', created_at: new Date().toISOString(), data: {} };

  const forged = await fetch(`${shopUrl}/webhooks`, { method: 'POST', body: JSON.stringify(event) });
  const form = await fetch(`${shopUrl}/api/checkout`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
    body: '{}',
  });
  const page = await fetch(shopUrl);
  const { headers } = await send('GET', '/api/stores');

  expect([forged.status, form.status]).toEqual([401, 403]);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('set-cookie')).toContain('SameSite=Strict');
});

test('The shop takes nothing that its page would not send, says so, and goes on', async () => {
  const { service, send, shopUrl } = await openVisit();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const bodies = [
    null,
    [],
    'x',
    5,
    {},
    { storeId: 5 },
    { code: '<img src=x>' },
    { mode: 5 },
    { cardToken: 5, giftCents: -1 },
    ...[[null], 'x', {}, [[]], [{ nested_selections: [null] }]].map((modifier_selections) => {
      const item = { menu_item_id: service.samples.items.turkeySub, quantity: 1, modifier_selections };
      return { ...item, item, replacing: 5 };
    }),
  ];
  const routes = [
    'POST /api/store',
    'POST /api/draft',
    'POST /api/items',
    'PUT /api/items/x',
    'POST /api/promo',
    'PUT /api/handoff',
    'POST /api/pay',
    'POST /api/price-answer',
    'POST /api/refund/x',
    'POST /api/cancel',
  ];

  const failed: unknown[] = [];
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    for (const body of bodies) {
      const { status } = await send(method, path, body);
      if (status >= 500) failed.push([route, body, status]);
    }
  }
  const headers = { origin: shopUrl, 'content-type': 'application/json' };
  const [cut, long] = await Promise.all(
    ['{"storeId"', JSON.stringify({ storeId: 'x'.repeat(200_000) })].map((body) =>
      fetch(`${shopUrl}/api/store`, { method: 'POST', headers, body }),
    ),
  );

  expect(failed).toEqual([]);
  expect([cut!.status, await cut!.json()]).toEqual([400, { message: 'The shop did not understand this.' }]);
  expect(long!.status).toBe(413);
  expect((await send('POST', '/api/items', service.samples.cartItems.turkeySub)).status).toBe(200);
});

test('The shop puts two items that come at once into one cart', async () => {
  const { service, send } = await openVisit();
  const { turkeySub, latte } = service.samples.cartItems;

  await Promise.all([send('POST', '/api/items', turkeySub), send('POST', '/api/items', latte)]);
  const { body } = await send('POST', '/api/new');

  expect(body.cart.items).toHaveLength(2);
});

test('The shop shows live changes after a reset in the workbench', async () => {
  const { service, send, order } = await openVisit();
  service.reset({ keepSubscriptions: true });
  const { id } = await order();

  await send('POST', '/api/pay', { cardToken: 'tok_approved' });
  service.orders.advance(id, 'READY_FOR_PICKUP');

  const statuses = () => service.webhooks.deliveries().map(({ status }) => status);
  await eventually(() => expect(statuses().length).toBeGreaterThan(2));
  expect(new Set(statuses())).toEqual(new Set([200]));
});

test('The shop forgets the visit that was quiet longest, keeps those with an open page, and chooses ids itself', () => {
  const visits = new Visits(3);
  const first = visits.enter(undefined);
  const second = visits.enter(undefined);
  first.visit.pages.add(() => {});
  visits.enter('an id that a browser made up');
  visits.enter(second.id);
  visits.enter(undefined);
  visits.enter(undefined);

  expect(visits.all()).toHaveLength(3);
  expect(visits.enter(first.id).visit).toBe(first.visit);
  expect(visits.enter('an id that a browser made up').id).not.toBe('an id that a browser made up');
});
