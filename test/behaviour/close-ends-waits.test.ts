import {
  ClientClosedError,
  memoryStore,
  type PaymentJournal,
  SettlementInterruptedError,
  storeJournal,
} from 'online-ordering-sdk';
import { watchMenus } from 'online-ordering-sdk/menus';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { createReconciler, createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { settle } from '../support/virtual-clock.js';
import { clientOf, orderToPay, paymentRequests } from './order-to-pay.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
const card = { payment_method: 'CREDIT_CARD', amount: 'remaining' } as const;
const never = (): Promise<never> => new Promise(() => {});

/** Whether a promise is settled, without any time passing on the mock's clock. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  work.then(note, note);
  for (let turn = 0; turn < 10; turn += 1) await settle();
  return settled;
}

test('waiting for an order ends at once when the client closes', async () => {
  const { service, client, orderId } = await orderToPay();
  const waiting = client.orders.waitFor(orderId, 'paid');
  const failed = rejection(waiting);
  await service.clock.advance(5000);

  await client.close();

  expect(await isSettled(waiting)).toBe(true);
  expect(await failed).toBeInstanceOf(ClientClosedError);
});

test('a wait for an order that begins after the client closed is refused', async () => {
  const { client, orderId } = await orderToPay();
  await client.close();

  expect(await rejection(client.orders.waitFor(orderId, 'paid'))).toBeInstanceOf(ClientClosedError);
});

test('a settlement that looks for a lost payment ends at once when the client closes, and its key is kept', async () => {
  const store = memoryStore();
  const { service, client, orderId } = await orderToPay({ store });
  service.faults.next(PAYMENTS, { status: 502 });
  const paying = client.orders.settle(orderId, { tenders: [card] });
  const failed = rejection<Error & { idempotencyKey?: string }>(paying);
  await service.clock.advance(10_000);

  await client.close();

  expect(await isSettled(paying)).toBe(true);
  expect(await failed).toMatchObject({ name: 'OutcomeUnknownError', idempotencyKey: expect.any(String) });
  const next = clientOf(service, { store });
  const settlement = await service.clock.runUntil(next.orders.settle(orderId, { tenders: [card] }));
  expect(settlement.status).toBe('PAID');
  expect(new Set(paymentRequests(service).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('a settlement that waits for its handler ends at once when the client closes', async () => {
  const { service, client, orderId } = await orderToPay();
  service.payments.declineNext('CREDIT_CARD');
  const paying = client.orders.settle(orderId, { tenders: [card], onDeclined: never });
  const failed = rejection(paying);
  await service.clock.advance(5000);

  await client.close();

  expect(await isSettled(paying)).toBe(true);
  const error = await failed;
  expect(error).toBeInstanceOf(SettlementInterruptedError);
  expect(error.cause).toBeInstanceOf(ClientClosedError);
});

test('a payment that is on its way when the client closes is written down before the settlement ends', async () => {
  const store = memoryStore();
  const { service, client, orderId, total } = await orderToPay({ store });
  service.faults.next(PAYMENTS, { delayMs: 3000 });
  const paying = client.orders.settle(orderId, { tenders: [card] });
  paying.catch(() => {});
  await service.clock.advance(1000);
  const closing = client.close();
  await service.clock.advance(5000);
  await closing;
  expect(await isSettled(paying)).toBe(true);

  const sent = paymentRequests(service).length;
  const next = clientOf(service, { store });
  const settlement = await service.clock.runUntil(next.orders.settle(orderId, { tenders: [card] }));

  expect(settlement).toMatchObject({ status: 'PAID', charged: { amount: total } });
  expect(paymentRequests(service)).toHaveLength(sent);
});

/** A journal behind a network: each operation takes its time. */
function slowJournal(service: MockService, ms: number): PaymentJournal {
  const journal = storeJournal(memoryStore({ clock: service.clock }));
  const later = () => new Promise<void>((resolve) => void service.clock.setTimer(resolve, ms));
  return {
    read: (orderId) => later().then(() => journal.read(orderId)),
    write: (orderId, expected, next) => later().then(() => journal.write(orderId, expected, next)),
  };
}

test.each([
  { what: 'within its lease', delayMs: 3000 },
  { what: 'after the length of a lease', delayMs: 70_000 },
])(
  'a payment that is answered $what after the client closed is told and kept, in a slow journal too',
  async ({ delayMs }) => {
    const { service, client, orderId, total } = await orderToPay({ timeout: 90_000 });
    const journal = slowJournal(service, 50);
    service.faults.next(PAYMENTS, { delayMs });
    const paying = client.orders.settle(orderId, { tenders: [card], journal });
    const failed = rejection<SettlementInterruptedError>(paying);
    await service.clock.advance(1000);
    const closing = client.close();
    await service.clock.advance(delayMs + 2000);
    await closing;

    expect(await isSettled(paying)).toBe(true);
    const error = await failed;
    expect(error).toBeInstanceOf(SettlementInterruptedError);
    expect(error.settlement).toMatchObject({ charged: { amount: total } });
    const sent = paymentRequests(service).length;
    const next = clientOf(service);
    const settlement = await service.clock.runUntil(next.orders.settle(orderId, { tenders: [card], journal }));
    expect(settlement).toMatchObject({ status: 'PAID', charged: { amount: total } });
    expect(paymentRequests(service)).toHaveLength(sent);
  },
);

test('the search for a lost payment ends at once when the client closes', async () => {
  const { service, client, orderId, total } = await orderToPay();
  service.faults.next(PAYMENTS, { status: 502 });
  const body = { payment_method: 'CREDIT_CARD', payment_token: 'tok_1', amount: total } as const;
  const lost = await rejection<Error & { resolve(): Promise<{ outcome: string; cause?: unknown }> }>(
    service.clock.runUntil(client.orders.payments.create(orderId, body)),
  );
  const search = lost.resolve();
  await service.clock.advance(10_000);

  await client.close();

  expect(await isSettled(search)).toBe(true);
  expect(await search).toMatchObject({ outcome: 'unknown', cause: expect.any(ClientClosedError) });
});

test('a settlement that waits for another process ends at once when the client closes', async () => {
  const store = memoryStore();
  const { service, client, orderId } = await orderToPay({ store });
  service.payments.declineNext('CREDIT_CARD');
  const other = clientOf(service, { store });
  const first = client.orders.settle(orderId, { tenders: [card], onDeclined: never });
  first.catch(() => {});
  await service.clock.advance(1000);
  const second = other.orders.settle(orderId, { tenders: [card] });
  const failed = rejection(second);
  await service.clock.advance(1000);

  await other.close();

  expect(await isSettled(second)).toBe(true);
  expect(await failed).toBeInstanceOf(ClientClosedError);
  await client.close();
});

test('a guarded checkout that asks about a price ends at once when the client closes', async () => {
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service);
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  const shown = await client.carts.calculate(cart.id);
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  const checkout = client.carts.checkoutWithPrice(cart.id, { shown, onPriceChange: never });
  const failed = rejection(checkout);
  await service.clock.advance(1000);

  await client.close();

  expect(await isSettled(checkout)).toBe(true);
  expect(await failed).toBeInstanceOf(ClientClosedError);
});

test('a named operation that waits for another process ends at once when the client closes', async () => {
  const store = memoryStore();
  const service = createMockService({ rateLimits: false });
  const [one, two] = [clientOf(service, { store }), clientOf(service, { store })];
  const body = { location_id: service.samples.locations.downtown };
  await one.locations.list();
  await two.locations.list();
  service.faults.next('POST /carts', { delayMs: 20_000 });
  const first = one.carts.create(body, { operation: 'basket' });
  await service.clock.advance(500);
  const second = Promise.resolve(two.carts.create(body, { operation: 'basket' }));
  const failed = rejection(second);
  await service.clock.advance(500);

  await two.close();

  expect(await isSettled(second)).toBe(true);
  expect(await failed).toBeInstanceOf(ClientClosedError);
  await service.clock.advance(20_000);
  await first;
  await one.close();
});

test('a named operation that waits for another process ends with the signal as every call does', async () => {
  const store = memoryStore();
  const service = createMockService({ rateLimits: false });
  const [one, two] = [clientOf(service, { store }), clientOf(service, { store })];
  const body = { location_id: service.samples.locations.downtown };
  await one.locations.list();
  service.faults.next('POST /carts', { delayMs: 20_000 });
  const first = one.carts.create(body, { operation: 'basket' });
  await service.clock.advance(500);
  const controller = new AbortController();
  const failed = rejection(two.carts.create(body, { operation: 'basket', signal: controller.signal }));
  await service.clock.advance(500);

  controller.abort();

  expect(await failed).toMatchObject({ name: 'APIUserAbortError', outcome: 'not_sent', attempts: 0 });
  await service.clock.advance(20_000);
  await first;
});

test('a reconciler ends its runs when it finds the client closed, and tells once', async () => {
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service);
  const { clock } = service;
  const receiver = createWebhookReceiver({ secrets: 'whsec', store: memoryStore({ clock }), clock });
  const errors: unknown[] = [];
  receiver.onError((error) => errors.push(error));
  const reconciler = createReconciler(client, receiver, { clock, random: () => 0.5 });
  reconciler.start();
  await clock.advance(600_000);
  expect(errors).toEqual([]);

  await client.close();
  await clock.advance(3_600_000);

  expect(errors).toEqual([expect.any(ClientClosedError)]);
  expect(await reconciler.runOnce()).toMatchObject({ skipped: 'stopped' });
});

test('a watch of menus ends at its first poll after the client was closed', async () => {
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service);
  const errors: unknown[] = [];
  const locations = [service.samples.locations.downtown];
  const watch = watchMenus(client, locations, { clock: service.clock, onError: (error) => errors.push(error) });
  const next = watch.next();
  await service.clock.advance(60_000);

  await client.close();
  await service.clock.advance(600_000);

  expect(await isSettled(next)).toBe(true);
  expect(await next).toEqual({ done: true, value: undefined });
  expect(errors).toEqual([expect.any(ClientClosedError)]);
});
