import { randomUUID } from 'node:crypto';
import { createMockService, type MockServiceOptions } from 'online-ordering-sdk/mock';
import { onTestFinished } from 'vitest';

export interface Answer<T = Record<string, never>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface Sent {
  readonly body?: unknown;
  readonly rawBody?: string;
  /** `null` sends none. */
  readonly key?: string | null;
  /** `null` sends no authorization. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

// The shape is what the test goes on to look at.
// biome-ignore lint/suspicious/noExplicitAny: answers of a service under test
export type Json = any;

/** A mock service, and a partner that calls it by `fetch`. */
export async function openService(options: MockServiceOptions = {}) {
  const service = createMockService({ seed: 7, ...options });
  onTestFinished(() => service.close());
  const { baseUrl } = service.credentials;

  const send = async (endpoint: string, sent: Sent, token: string | null): Promise<Answer<Json>> => {
    const [method = '', path = ''] = endpoint.split(' ');
    const headers = new Headers(sent.headers);
    if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    const key = sent.key === undefined && method !== 'GET' ? randomUUID() : sent.key;
    if (key) headers.set('idempotency-key', key);
    const body = sent.rawBody ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await service.fetch(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const tokenOf = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<string> => {
    const grant = { grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: clientSecret };
    return (await send('POST /auth/token', { body: grant, key: null }, null)).body.access_token;
  };

  const token = await tokenOf(service.credentials);
  const call = (endpoint: string, sent: Sent = {}) =>
    send(endpoint, sent, sent.token === undefined ? token : sent.token);

  /** A checked-out order of one turkey sub. */
  const placeOrder = async (
    handoff: Record<string, unknown> = { mode: 'PICKUP' },
    location_id: string = service.samples.locations.downtown,
  ): Promise<Json> => {
    const cart = (await call('POST /carts', { body: { location_id } })).body;
    await call(`POST /carts/${cart.id}/items`, { body: service.samples.cartItems.turkeySub });
    const result = await call(`POST /carts/${cart.id}/checkout`, { body: { handoff_mode: handoff } });
    return (await call(`GET /orders/${result.body.order_id}`)).body;
  };
  const pay = (order: Json, amount: number = order.total.amount, more: Record<string, unknown> = {}) =>
    call(`POST /orders/${order.id}/payments`, { body: { payment_method: 'CREDIT_CARD', amount, ...more } });
  const read = async (order: Json): Promise<Json> => (await call(`GET /orders/${order.id}`)).body;

  return { service, call, token, tokenOf, placeOrder, pay, read };
}

export const ADDRESS = { street: '12 Elm Street', city: 'Austin', state: 'TX', postal_code: '78745' };
