/**
 * The service that every contestant talks to: one process of its own on loopback, with the same records for all.
 *
 * The records come from the mock: an order, a cart, a menu of about 150 KB and 2,000 orders in pages. Peers find them under
 * the paths and envelopes of their own services (`/v1/…` stripe, `/openai/…`, `/v2/…` square).
 */
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { OnlineOrdering } from '../../dist/index.js';
import { createMockService } from '../../dist/mock.js';
import { CERTIFICATE, KEY } from './certificate.mjs';

const ORDERS = 2000;

async function records() {
  const service = createMockService({ seed: 7 });
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const [location] = await client.locations.list().toArray({ limit: 1 });
  const menu = await client.menus.retrieve(location.id);
  const item = menu.categories.flatMap(({ items }) => items).find(({ name }) => name === 'Bottled water');
  const { id } = await client.carts.create({ location_id: location.id });
  const cart = await client.carts.items.add(id, { menu_item_id: item.id, quantity: 2, modifier_selections: [] });
  await client.carts.setHandoff(id, { mode: 'PICKUP' });
  const { order_id } = await client.carts.checkout(id);
  const order = await client.orders.retrieve(order_id);
  const { data } = await client.orders.list({ limit: 1 });
  await client.close();
  return { menu, cart, order, summary: data[0] };
}

const { menu, cart, order, summary } = await records();
const summaries = Array.from({ length: ORDERS }, (_, index) => ({
  ...summary,
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
}));

const json = (value) => Buffer.from(JSON.stringify(value));
const bodies = {
  order: json(order),
  cart: json(cart),
  menu: json(menu),
  square: json({ order }),
  unauthorized: json({
    error: { code: 'AUTHENTICATION_ERROR', message: 'Invalid or expired access token', request_id: order.id },
  }),
};
/** Compressed once, as a service that keeps what it has compressed. */
const compressed = new Map();
function compress(body, coding) {
  const kept = compressed.get(body) ?? {};
  kept[coding] ??=
    coding === 'br' ? brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) : gzipSync(body);
  compressed.set(body, kept);
  return kept[coding];
}

const pages = new Map();
/** One page of orders after the record `after`, in the envelope that `wrap` makes. */
function page(kind, after, wrap) {
  const key = `${kind}:${after}`;
  if (!pages.has(key)) {
    const start = after ? Number(after.slice(-12)) + 1 : 0;
    const data = summaries.slice(start, start + 100);
    pages.set(key, json(wrap(data, start + 100 < ORDERS)));
  }
  return pages.get(key);
}
const ours = (data, hasMore) => ({
  data,
  pagination: { has_more: hasMore, next_cursor: hasMore ? data.at(-1).id : null },
});
const theirs = (data, hasMore) => ({ object: 'list', data, has_more: hasMore, url: '/v1/payment_intents' });

/** Tokens are numbered; those up to `revoked` are refused. */
let tokens = 0;
let revoked = 0;

function responseTo(url, headers) {
  const { pathname, searchParams } = url;
  if (pathname.endsWith('/auth/token')) {
    tokens += 1;
    return [200, json({ access_token: `token-${tokens}`, token_type: 'BEARER', expires_in: 86_400 })];
  }
  const [, number = Number.POSITIVE_INFINITY] = /^Bearer token-(\d+)$/.exec(headers.authorization ?? '') ?? [];
  if (Number(number) <= revoked) return [401, bodies.unauthorized];
  const after = searchParams.get('cursor') ?? searchParams.get('starting_after') ?? searchParams.get('after') ?? '';
  if (pathname.endsWith('/menu')) return [200, bodies.menu];
  if (pathname.endsWith('/v1/online-ordering/orders')) return [200, page('ours', after, ours)];
  if (pathname === '/v1/payment_intents' || pathname === '/openai/fine_tuning/jobs')
    return [200, page('theirs', after, theirs)];
  if (pathname.endsWith('/carts')) return [201, bodies.cart];
  if (pathname.startsWith('/v2/')) return [200, bodies.square];
  return [200, bodies.order];
}

function serve(incoming, outgoing) {
  const url = new URL(incoming.url, 'http://loopback');
  const answer = () => {
    if (url.pathname === '/control/revoke') {
      revoked = tokens;
      return outgoing.end();
    }
    if (url.pathname === '/control/tokens') return outgoing.end(String(tokens - revoked));
    const [status, body] = responseTo(url, incoming.headers);
    const headers = { 'content-type': 'application/json', 'x-request-id': order.id };
    const accepted = /\bbr\b/.test(incoming.headers['accept-encoding'] ?? '') ? 'br' : 'gzip';
    if (body.length > 10_000 && url.pathname.startsWith('/compressed')) {
      const shorter = compress(body, accepted);
      outgoing.writeHead(status, { ...headers, 'content-encoding': accepted, 'content-length': shorter.length });
      return outgoing.end(shorter);
    }
    outgoing.writeHead(status, { ...headers, 'content-length': body.length });
    outgoing.end(body);
  };
  if (incoming.method === 'GET') return answer();
  incoming.resume().once('end', answer);
}

const listening = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const port = await listening(createServer({ keepAliveTimeout: 60_000 }, serve));
const tlsPort = await listening(createSecureServer({ key: KEY, cert: CERTIFICATE, allowHTTP1: true }, serve));
process.stdout.write(`${JSON.stringify({ port, tlsPort, orderId: order.id, locationId: order.location_id })}\n`);
