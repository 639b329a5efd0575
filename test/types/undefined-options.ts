import type { OnlineOrdering } from 'online-ordering-sdk';
import { OnlineOrdering as Client, memoryStore, storeJournal } from 'online-ordering-sdk';
import { createMenuCache } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { createReconciler, createWebhookReceiver } from 'online-ordering-sdk/webhooks';

// Compiled with `exactOptionalPropertyTypes`: what a partner passes on is often there only sometimes.
interface Sometimes {
  readonly signal?: AbortSignal | undefined;
  readonly number?: number | undefined;
  readonly text?: string | undefined;
}

export function ofTheClient(given: Sometimes): OnlineOrdering {
  const { signal, number, text } = given;
  const service = createMockService({ seed: number, rateLimits: { reads: number } });
  const client = new Client({
    ...service.credentials,
    dispatcher: service.dispatcher,
    timeout: number,
    deadline: number,
    store: undefined,
    fetch: undefined,
    logger: undefined,
    defaultHeaders: undefined,
  });
  service.faults.next('GET /orders', { status: 503, retryAfterSeconds: number, times: number });
  client.withOptions({ maxRetries: number });
  createMenuCache(client, { store: undefined, maxAgeMs: number });
  const receiver = createWebhookReceiver({ secrets: 'whsec', store: undefined, name: text });
  createReconciler(client, receiver, { since: text, signal });
  storeJournal(memoryStore(), { ttlMs: number });
  return client;
}

export async function ofCalls(client: OnlineOrdering, given: Sometimes): Promise<void> {
  const { signal, number, text } = given;
  await client.orders.list({ location_id: text, date_from: text, limit: number }, { signal, prefetch: undefined });
  await client.carts.create(
    { location_id: 'x', customer_id: text },
    { signal, deadline: number, idempotencyKey: text },
  );
  await client.carts.checkout('x', { expected_total: number, handoff_mode: undefined });
  await client.orders.cancel('x', { reason: text });
  await client.orders.refunds.create('x', { amount: 1, reason: text, line_items: undefined });
  await client.orders.waitFor('x', 'ready', { signal, deadline: number, polling: undefined });
  const tender = { payment_method: 'CREDIT_CARD', payment_token: 'x', amount: 'remaining' } as const;
  await client.orders.settle('x', { tenders: [tender], journal: undefined, onDeclined: undefined, signal });
  await client.orders.resume('x', { tenders: undefined, notCharged: undefined });
  await client.request({ method: 'GET', path: '/x', query: undefined, pathParams: undefined });
}
