// A client made from docs/openapi.yaml alone: types by openapi-typescript, requests by openapi-fetch, nothing of this
// package. It places an order, pays it and reads it back.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const { BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env as Record<string, string>;
const client = createClient<paths>({ baseUrl: BASE_URL });

function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const token = must(
  await client.POST('/auth/token', {
    body: { grant_type: 'CLIENT_CREDENTIALS', client_id: CLIENT_ID!, client_secret: CLIENT_SECRET! },
  }),
);
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${token.access_token}`),
});
const header = () => ({ 'Idempotency-Key': crypto.randomUUID() });

const locations = must(await client.GET('/locations', { params: { query: { limit: 10 } } }));
const location = locations.data.find(({ online_ordering_enabled }) => online_ordering_enabled)!;
const menu = must(
  await client.GET('/locations/{location_id}/menu', { params: { path: { location_id: location.id } } }),
);
const isPlain = (item: components['schemas']['MenuItem']) =>
  item.available && !item.modifier_groups?.length && item.daily_sales_start_time === null;
const item = menu.categories.flatMap(({ items }) => items).find(isPlain)!;

const cart = must(await client.POST('/carts', { params: { header: header() }, body: { location_id: location.id } }));
const path = { cart_id: cart.id };
must(
  await client.POST('/carts/{cart_id}/items', {
    params: { path, header: header() },
    body: { menu_item_id: item.id, quantity: 2, modifier_selections: [] },
  }),
);
must(await client.PUT('/carts/{cart_id}/handoff', { params: { path, header: header() }, body: { mode: 'PICKUP' } }));
const price = must(await client.POST('/carts/{cart_id}/calculate', { params: { path } }));
const { order_id } = must(
  await client.POST('/carts/{cart_id}/checkout', {
    params: { path, header: header() },
    body: { expected_total: price.total.amount },
  }),
);
must(
  await client.POST('/orders/{order_id}/payments', {
    params: { path: { order_id }, header: header() },
    body: { payment_method: 'CREDIT_CARD', amount: price.total.amount, payment_token: 'tok_approved' },
  }),
);
const order = must(await client.GET('/orders/{order_id}', { params: { path: { order_id } } }));

// What the types hold: none of these lines compiles without its comment.
const params = { path: { order_id }, header: header() };
const money = { amount: price.total };
// @ts-expect-error a known path only
void (() => client.GET('/baskets'));
// @ts-expect-error cents, not Money
void (() => client.POST('/orders/{order_id}/refunds', { params, body: money }));
// @ts-expect-error a write needs its key
void (() => client.POST('/carts', { body: { location_id: location.id } }));

console.log(`${order.payment_status} ${order.total.amount === price.total.amount}`);
