import type { EndpointName } from '../../src/endpoints/endpoints.js';
import { scenarioOf } from '../../src/errors/scenario.js';
import { createMockService } from '../../src/mock/index.js';

/** One request and what the mock answered. */
export interface Exchange {
  readonly operation: EndpointName;
  /** What the example shows: a scenario for an error, a name for a success. */
  readonly name: string;
  readonly request: unknown;
  readonly status: number;
  readonly response: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** One event as a receiver gets it. */
export interface EventExample {
  readonly event_type: string;
}

export interface Tour {
  readonly exchanges: readonly Exchange[];
  readonly events: readonly EventExample[];
}

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly key?: string;
  readonly authorization?: string | null;
  /** Name of a success; without it `example`. */
  readonly name?: string;
}

// The shapes of answers as far as the tour reads them.
interface Answer {
  readonly id: string;
  readonly order_id: string;
  readonly access_token: string;
  readonly total: { readonly amount: number };
  readonly items: readonly { readonly id: string }[];
}

type Service = ReturnType<typeof createMockService>;

const NO_SUCH_ID = '3f0b7c1e-5a52-4d0e-9f38-6b1f0a9c2d47';
const PICKUP = { mode: 'PICKUP', pickup_time: null };
const ADDRESS = { street: '12 Elm Street, Apt 4', city: 'Austin', state: 'TX', postal_code: '78745', country: 'US' };

/** A partner at the mock: it keeps all that it sends and gets, under keys that are the same in every run. */
class Partner {
  readonly exchanges: Exchange[] = [];
  readonly #service: Service;
  #token = '';
  #writes = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  async logIn({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<void> {
    const body = { grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: clientSecret };
    this.#token = (await this.send('POST /auth/token', { body, authorization: null })).access_token;
  }

  get token(): string {
    return this.#token;
  }

  set token(token: string) {
    this.#token = token;
  }

  async send(operation: EndpointName, sent: Sent = {}): Promise<Answer> {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(sent.params?.[name] ?? NO_SUCH_ID),
    );
    const url = new URL(this.#service.credentials.baseUrl + path);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, String(value));
    const headers = new Headers();
    const authorization = sent.authorization === undefined ? `Bearer ${this.#token}` : sent.authorization;
    if (authorization !== null) headers.set('authorization', authorization);
    this.#writes += 1;
    const key = `00000000-0000-4000-8000-${String(this.#writes).padStart(12, '0')}`;
    if (method !== 'GET' && template !== '/auth/token') headers.set('idempotency-key', sent.key ?? key);
    const body = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    if (body !== undefined) headers.set('content-type', 'application/json');
    const response = await this.#service.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    this.exchanges.push({
      operation,
      name: response.status < 400 ? (sent.name ?? 'example') : scenarioNamed(response.status, parsed),
      request: sent.body,
      status: response.status,
      response: parsed,
      headers: Object.fromEntries(response.headers),
    });
    return parsed as Answer;
  }
}

function scenarioNamed(status: number, body: unknown): string {
  const { message, detail, change_reasons } = (body as { error: Record<string, string | undefined> }).error;
  const facts = { status, message: message ?? null, detail: detail ?? null };
  return scenarioOf({ ...facts, hasChangeReasons: change_reasons !== undefined });
}

/**
 * Sends the mock everything that the interface has an answer for: each operation with success, and each situation behind
 * an error. Nothing depends on the hour or on chance.
 */
export async function takeTour(): Promise<Tour> {
  const service = createMockService({ seed: 1, rateLimits: false });
  const partner = new Partner(service);
  await partner.logIn(service.credentials);
  await subscribe(partner);
  await buy(service, partner);
  await mistakesOfRequests(service, partner);
  await mistakesOfCarts(service, partner);
  await mistakesOfPromoCodes(service, partner);
  await mistakesOfOrders(service, partner);
  await trouble(service, partner);
  const store = service.samples.locations.downtown;
  service.stock.set(store, service.samples.items.houseCoffee, 'LOW_STOCK');
  service.menu.update(store, (menu) => {
    menu.categories[0]!.items[0]!.base_price.amount += 25;
  });
  const { business_hours } = service.locations.list().find(({ id }) => id === store)!;
  service.hours.set(store, (business_hours ?? []).slice(0, 2));
  const events = service.webhooks.events();
  await service.close();
  return { exchanges: partner.exchanges, events };
}

async function subscribe(partner: Partner): Promise<void> {
  const body = { url: 'https://shop.example.com/webhooks', event_types: ['order.created', 'order.status_changed'] };
  await partner.send('POST /webhooks', { body });
  await partner.send('POST /webhooks', { body });
  const everything = ['order.cancelled', 'stock.updated', 'menu.changed', 'location.hours_changed'];
  const second = await partner.send('POST /webhooks', { body: { ...body, event_types: everything } });
  await partner.send('GET /webhooks', { query: { limit: 2 } });
  await partner.send('POST /webhooks', { body: { url: 'https://old.example.com/', event_types: ['order.created'] } });
  await partner.send('DELETE /webhooks/{webhook_id}', { params: { webhook_id: second.id } });
  await partner.send('DELETE /webhooks/{webhook_id}', { params: { webhook_id: NO_SUCH_ID } });
}

/** A cart with one thing in it. */
async function cartWith(partner: Partner, { samples }: Service, item = samples.cartItems.turkeySub): Promise<Answer> {
  const cart = await partner.send('POST /carts', { body: { location_id: samples.locations.downtown } });
  return partner.send('POST /carts/{cart_id}/items', { params: { cart_id: cart.id }, body: item });
}

async function orderOf(partner: Partner, service: Service): Promise<Answer> {
  const { id } = await cartWith(partner, service);
  const placed = await partner.send('POST /carts/{cart_id}/checkout', {
    params: { cart_id: id },
    body: { handoff_mode: PICKUP },
  });
  return partner.send('GET /orders/{order_id}', { params: { order_id: placed.order_id } });
}

/** The whole way of an order, with a split payment and a refund. */
async function buy(service: Service, partner: Partner): Promise<void> {
  const { locations, cartItems } = service.samples;
  const location_id = locations.downtown;
  const store = { params: { location_id } };
  await partner.send('GET /locations', { query: { limit: 2 } });
  await partner.send('GET /locations/{location_id}', store);
  await partner.send('GET /locations/{location_id}/inventory', { ...store, query: { limit: 2 } });
  await partner.send('GET /locations/{location_id}/menu', store);
  await partner.send('GET /locations/{location_id}/menu/metadata', store);

  const cart = await partner.send('POST /carts', { body: { location_id, customer_id: 'CUST-12345' } });
  const params = { cart_id: cart.id };
  await partner.send('POST /carts/{cart_id}/items', { params, body: cartItems.turkeySub });
  const { items } = await partner.send('POST /carts/{cart_id}/items', { params, body: cartItems.potatoChips });
  const line = { ...params, item_id: items[1]!.id };
  await partner.send('PUT /carts/{cart_id}/items/{item_id}', {
    params: line,
    body: { ...cartItems.potatoChips, quantity: 2, special_instructions: 'The salted ones, please' },
  });
  await partner.send('DELETE /carts/{cart_id}/items/{item_id}', { params: line });
  await partner.send('PATCH /carts/{cart_id}', { params, body: { customer_id: 'CUST-GOLD' } });
  const handoffs = {
    delivery: { mode: 'DELIVERY', delivery_address: ADDRESS, delivery_instructions: 'Ring twice' },
    curbside: { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' },
    kiosk: { mode: 'KIOSK', kiosk_id: 'K-2' },
    pickup: PICKUP,
  };
  for (const [name, body] of Object.entries(handoffs)) {
    await partner.send('PUT /carts/{cart_id}/handoff', { params, body, name });
  }
  const promo = 'GET /carts/{cart_id}/promo-codes/validate';
  await partner.send(promo, { params, query: { code: 'SUMMER25' }, name: 'applies' });
  await partner.send(promo, { params, query: { code: 'WINTER10' }, name: 'rejected' });
  await partner.send('POST /carts/{cart_id}/promo-codes', { params, body: { code: 'TAKE3' } });
  await partner.send('DELETE /carts/{cart_id}/promo-codes/{code}', { params: { ...params, code: 'take3' } });
  await partner.send('POST /carts/{cart_id}/promo-codes', { params, body: { code: 'SUMMER25' } });
  await partner.send('GET /carts/{cart_id}/promo-codes', { params });
  const price = await partner.send('POST /carts/{cart_id}/calculate', { params });
  await partner.send('GET /carts/{cart_id}', { params });
  const { order_id } = await partner.send('POST /carts/{cart_id}/checkout', {
    params,
    body: { expected_total: price.total.amount },
  });
  const order = { order_id };
  const pay = (name: string, body: object) =>
    partner.send('POST /orders/{order_id}/payments', { params: order, body, name });
  await pay('loyalty_points', { payment_method: 'LOYALTY_POINTS', amount: 100, loyalty_account_id: 'LOYALTY-0300' });
  await pay('gift_card', {
    payment_method: 'GIFT_CARD',
    amount: 300,
    gift_card_number: 'GIFT-0500',
    gift_card_pin: '1234',
  });
  const rest = price.total.amount - 400;
  await pay('credit_card', { payment_method: 'CREDIT_CARD', amount: rest, payment_token: 'tok_approved' });
  await partner.send('POST /orders/{order_id}/refunds', {
    params: order,
    body: { amount: 250, reason: 'CUSTOMER_REQUEST' },
  });
  await partner.send('GET /orders/{order_id}', { params: order, name: 'paid_and_refunded' });

  const feast = await partner.send('POST /carts', { body: { location_id } });
  await partner.send('POST /carts/{cart_id}/items', {
    params: { cart_id: feast.id },
    body: cartItems.turkeySubCombo,
    name: 'nested_modifiers',
  });
  const other = await orderOf(partner, service);
  await partner.send('POST /orders/{order_id}/cancel', {
    params: { order_id: other.id },
    body: { reason: 'CUSTOMER_REQUEST' },
  });
  await partner.send('GET /orders', { query: { limit: 2 } });
  const left = await cartWith(partner, service);
  await partner.send('DELETE /carts/{cart_id}', { params: { cart_id: left.id } });
  const cart_id = left.id;
  await partner.send('PATCH /carts/{cart_id}', { params: { cart_id }, body: { customer_id: null } });
}

async function mistakesOfRequests(service: Service, partner: Partner): Promise<void> {
  const { locations } = service.samples;
  await partner.send('POST /carts', { body: { location_id: 5 } });
  await partner.send('POST /carts', { rawBody: '{"location_id": ' });
  await partner.send('POST /carts', { body: {} });
  await partner.send('GET /orders', { query: { limit: 'ten' } });
  await partner.send('GET /orders', { authorization: null });
  await partner.send('GET /orders', { authorization: 'Bearer nobody' });
  await partner.send('GET /orders', { authorization: 'Token abc' });
  const { clientId: client_id } = service.credentials;
  const wrong = { grant_type: 'CLIENT_CREDENTIALS', client_id, client_secret: 'wrong' };
  await partner.send('POST /auth/token', { body: wrong, authorization: null });
  await partner.send('POST /auth/token', { body: { grant_type: 'CLIENT_CREDENTIALS' }, authorization: null });
  const key = '00000000-0000-4000-8000-999999999999';
  await partner.send('POST /carts', { key, body: { location_id: locations.downtown } });
  await partner.send('POST /carts', { key, body: { location_id: locations.harbor } });
  await partner.send('POST /carts', { body: { location_id: locations.downtown, customer_id: 'x'.repeat(256) } });
  await partner.send('POST /carts', { body: { location_id: locations.downtown, customer_id: 'Jo Doe' } });
  await partner.send('POST /carts', { body: { location_id: locations.closed } });

  const nobody: readonly EndpointName[] = [
    'GET /locations/{location_id}',
    'GET /locations/{location_id}/inventory',
    'GET /locations/{location_id}/menu',
    'GET /locations/{location_id}/menu/metadata',
    'GET /carts/{cart_id}',
    'GET /orders/{order_id}',
    'POST /orders/{order_id}/cancel',
  ];
  for (const operation of nobody) await partner.send(operation);

  const own = partner.token;
  const { id } = await cartWith(partner, service);
  await partner.logIn(service.partners.add({ locations: [locations.harbor] }));
  await partner.send('GET /carts/{cart_id}', { params: { cart_id: id } });
  await partner.send('GET /locations/{location_id}', { params: { location_id: locations.downtown } });
  partner.token = own;
  service.partners.configure({ features: { payments: false } });
  await partner.send('POST /orders/{order_id}/payments', { body: { payment_method: 'CASH', amount: 100 } });
  service.partners.configure({ features: { payments: true } });
}

async function mistakesOfCarts(service: Service, partner: Partner): Promise<void> {
  const { cartItems, items, locations } = service.samples;
  const { id: cart_id } = await cartWith(partner, service);
  const params = { cart_id };
  const add = (body: unknown) => partner.send('POST /carts/{cart_id}/items', { params, body });
  await add({ ...cartItems.potatoChips, menu_item_id: NO_SUCH_ID });
  await add({ ...cartItems.turkeySub, modifier_selections: [] });
  await add({ ...cartItems.lagerSixPack, quantity: 100 });
  service.stock.set(locations.downtown, items.banana, 'OUT_OF_STOCK');
  await add(cartItems.banana);
  await partner.send('PUT /carts/{cart_id}/items/{item_id}', { params, body: cartItems.potatoChips });
  await partner.send('DELETE /carts/{cart_id}/items/{item_id}', { params });
  const handoff = (body: unknown) => partner.send('PUT /carts/{cart_id}/handoff', { params, body });
  await handoff({ mode: 'CURBSIDE', vehicle_make: 'Honda' });
  await handoff({ mode: 'PICKUP', kiosk_id: 'K-2' });
  await handoff({ mode: 'DRONE' });
  await handoff({ mode: 'DELIVERY', delivery_address: { ...ADDRESS, state: 'Texas' } });

  const checkOut = (body: unknown, cart = params) =>
    partner.send('POST /carts/{cart_id}/checkout', { params: cart, body });
  await checkOut({});
  await checkOut({ handoff_mode: PICKUP, expected_total: 1 });
  const empty = { cart_id: (await partner.send('POST /carts', { body: { location_id: locations.downtown } })).id };
  await partner.send('POST /carts/{cart_id}/calculate', { params: empty });
  await checkOut({ handoff_mode: PICKUP }, empty);
  service.behaviour.set({ belowMinimum: 'refuse' });
  const small = { cart_id: (await cartWith(partner, service, cartItems.potatoChips)).id };
  await checkOut({ handoff_mode: { mode: 'DELIVERY', delivery_address: ADDRESS } }, small);
  service.behaviour.set({ belowMinimum: 'fee' });
  await checkOut({ handoff_mode: PICKUP });
  for (const operation of ['PUT /carts/{cart_id}/handoff', 'DELETE /carts/{cart_id}'] as const) {
    await partner.send(operation, { params, ...(operation.startsWith('PUT') && { body: PICKUP }) });
  }
  await add(cartItems.potatoChips);
  await checkOut({ handoff_mode: PICKUP });

  service.partners.configure({ enforceTenders: 'cart' });
  service.menu.update(locations.downtown, ({ categories }) => {
    const every = categories.flatMap((category) => category.items);
    const chips = every.find(({ id }) => id === items.potatoChips)!;
    Object.assign(chips, { tender_restriction_level: 'RESTRICTED', allowed_tenders: ['EBT'] });
  });
  const restricted = await cartWith(partner, service, cartItems.lotteryTicket);
  await partner.send('POST /carts/{cart_id}/items', {
    params: { cart_id: restricted.id },
    body: cartItems.potatoChips,
  });
  service.partners.configure({ enforceTenders: false });
}

async function mistakesOfPromoCodes(service: Service, partner: Partner): Promise<void> {
  const { id: cart_id } = await cartWith(partner, service);
  const params = { cart_id };
  for (const code of ['NOSUCHCODE', 'WINTER10', 'ONCE10', 'BIG20', 'COFFEE50', 'TAKE3', 'SUMMER25']) {
    await partner.send('POST /carts/{cart_id}/promo-codes', { params, body: { code } });
  }
  await partner.send('DELETE /carts/{cart_id}/promo-codes/{code}', { params: { ...params, code: 'BIG20' } });
}

async function mistakesOfOrders(service: Service, partner: Partner): Promise<void> {
  const order = await orderOf(partner, service);
  const params = { order_id: order.id };
  const pay = (body: object) => partner.send('POST /orders/{order_id}/payments', { params, body });
  await pay({ payment_method: 'CREDIT_CARD', amount: 100, payment_token: 'tok_declined' });
  await pay({ payment_method: 'BARTER', amount: 100 });
  const refund = () => partner.send('POST /orders/{order_id}/refunds', { params, body: { amount: 1 } });
  await refund();
  service.behaviour.set({ refundOfUnpaid: 'payment_required' });
  await refund();
  service.behaviour.set({ refundOfUnpaid: 'exceeds_balance' });
  await partner.send('POST /orders/{order_id}/refunds', { params, body: { amount: { amount: 1, currency: 'USD' } } });
  await service.orders.advance(order.id, 'PREPARING');
  await partner.send('POST /orders/{order_id}/cancel', { params });

  service.partners.configure({ enforceTenders: 'payment' });
  const { cartItems } = service.samples;
  const cart = await cartWith(partner, service, cartItems.lotteryTicket);
  const placed = await partner.send('POST /carts/{cart_id}/checkout', {
    params: { cart_id: cart.id },
    body: { handoff_mode: PICKUP },
  });
  await partner.send('POST /orders/{order_id}/payments', {
    params: { order_id: placed.order_id },
    body: { payment_method: 'CREDIT_CARD', amount: 100, payment_token: 'tok_approved' },
  });
  service.partners.configure({ enforceTenders: false });
}

async function trouble(service: Service, partner: Partner): Promise<void> {
  service.faults.next('GET /locations', { status: 429, retryAfterSeconds: 30, detail: 'Wait for 30 seconds.' });
  await partner.send('GET /locations');
  const message = 'Too many token requests';
  service.faults.next('POST /auth/token', { status: 429, retryAfterSeconds: 60, message, detail: 'Keep your token.' });
  await partner.send('POST /auth/token', { body: {}, authorization: null });
  service.faults.next('GET /orders', { status: 500, detail: 'Send it again, with a growing wait.' });
  await partner.send('GET /orders');
  service.faults.next('GET /orders', {
    status: 500,
    message: 'Service temporarily unavailable',
    detail: 'Send it again.',
  });
  await partner.send('GET /orders');
}
