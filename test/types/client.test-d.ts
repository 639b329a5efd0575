/** Compiled by `tsc` only: what a partner writes compiles, and slips do not. */
import type {
  APIError,
  CallPromise,
  CallResult,
  Cart,
  CheckoutResult,
  ExpectedTotalMismatchError,
  InventoryItem,
  Location,
  Menu,
  Order,
  OrderSummary,
  Page,
  PageList,
  Payment,
  PriceCalculation,
  Refund,
  WebhookSubscription,
} from 'online-ordering-sdk';
import { ConflictError, money, OnlineOrdering, RateLimitError } from 'online-ordering-sdk';
import { describe, expectTypeOf, test } from 'vitest';

declare const client: OnlineOrdering;
declare const id: string;
declare const controller: AbortController;

type IsAny<T> = 0 extends 1 & T ? true : false;
const never = <T extends false>(): T | undefined => undefined;

describe('results', () => {
  test('are the records of the interface document', () => {
    expectTypeOf(client.carts.create({ location_id: id })).resolves.toEqualTypeOf<Cart>();
    expectTypeOf(client.carts.items.remove(id, id)).resolves.toEqualTypeOf<Cart>();
    expectTypeOf(client.carts.calculate(id)).resolves.toEqualTypeOf<PriceCalculation>();
    expectTypeOf(client.carts.checkout(id)).resolves.toEqualTypeOf<CheckoutResult>();
    expectTypeOf(client.carts.abandon(id)).resolves.toEqualTypeOf<void>();
    expectTypeOf(client.menus.retrieve(id)).resolves.toEqualTypeOf<Menu>();
    expectTypeOf(client.orders.retrieve(id)).resolves.toEqualTypeOf<Order>();
    expectTypeOf(client.orders.refunds.create(id, { amount: 1 })).resolves.toEqualTypeOf<Refund>();
    expectTypeOf(
      client.orders.payments.create(id, { payment_method: 'CASH', amount: 1 }),
    ).resolves.toEqualTypeOf<Payment>();
    expectTypeOf(
      client.webhookSubscriptions.create({ url: id, event_types: ['order.created'] }),
    ).resolves.toHaveProperty('signing_secret');
  });

  test('are never any', async () => {
    never<IsAny<Awaited<ReturnType<typeof client.carts.retrieve>>>>();
    never<IsAny<Awaited<ReturnType<typeof client.orders.retrieve>>>>();
    never<IsAny<Awaited<ReturnType<typeof client.orders.list>>>>();
    never<IsAny<Awaited<ReturnType<typeof client.request>>>>();
    never<IsAny<Cart['total']>>();
    never<IsAny<Order['payments']>>();
    never<IsAny<Order['handoff']>>();
    never<IsAny<Menu['categories'][number]['items'][number]>>();
    expectTypeOf(client.request({ method: 'GET', path: '/new' })).resolves.toBeUnknown();
    expectTypeOf(client.request<{ a: 1 }>({ method: 'GET', path: '/new' })).resolves.toEqualTypeOf<{ a: 1 }>();
  });

  test('come with their response', () => {
    expectTypeOf(client.carts.retrieve(id)).toEqualTypeOf<CallPromise<Cart>>();
    expectTypeOf(client.carts.retrieve(id)).toExtend<Promise<Cart>>();
    expectTypeOf(client.carts.retrieve(id).withResponse()).resolves.toEqualTypeOf<CallResult<Cart>>();
    expectTypeOf<CallResult<Cart>['idempotencyKey']>().toEqualTypeOf<string | undefined>();
  });

  test('have open enumerations: known values complete, new ones compile', () => {
    const { status } = {} as Order;
    if (status === 'CONFIRMED') expectTypeOf(status).toExtend<string>();
    if (status === 'A_LATER_ONE') expectTypeOf(status).toExtend<string>();
    expectTypeOf<'PENDING'>().toExtend<Order['status']>();
  });
});

describe('lists', () => {
  test('are pages when awaited, and items when iterated', () => {
    expectTypeOf(client.orders.list()).toEqualTypeOf<PageList<OrderSummary>>();
    expectTypeOf(client.orders.list()).toExtend<AsyncIterable<OrderSummary>>();
    expectTypeOf(client.locations.list()).toExtend<PromiseLike<Page<Location>>>();
    expectTypeOf(client.locations.listInventory(id)).toExtend<AsyncIterable<InventoryItem>>();
    expectTypeOf(client.webhookSubscriptions.list().pages()).toExtend<AsyncIterable<Page<WebhookSubscription>>>();
    expectTypeOf(client.orders.list().toArray({ limit: 5 })).resolves.toEqualTypeOf<OrderSummary[]>();
    expectTypeOf<Awaited<ReturnType<Page<Order>['getNextPage']>>>().toEqualTypeOf<Page<Order> | null>();
  });

  test('take the filters of the interface document', () => {
    client.orders.list({ status: 'PENDING', fulfillment_status: 'PREPARING', date_from: new Date(), limit: 5 });
    client.orders.list({ date_to: '2026-01-31T10:00:00Z' }, { prefetch: true, signal: controller.signal });
    // @ts-expect-error no such state
    client.orders.list({ status: 'PENDINGG' });
    // @ts-expect-error no such filter
    client.orders.list({ locationId: id });
    // @ts-expect-error the limit of an array has no default
    client.orders.list().toArray();
    // @ts-expect-error a list sends no writes, and has no key
    client.orders.list({}, { idempotencyKey: id });
  });
});

describe('requests', () => {
  test('complete their fields, and slips do not compile', () => {
    client.carts.create({ location_id: id, customer_id: null });
    // @ts-expect-error the location is missing
    client.carts.create({});
    // @ts-expect-error wire names are in snake_case
    client.carts.create({ locationId: id });
    // @ts-expect-error an option is no field of the body
    client.carts.create({ location_id: id, idempotencyKey: id });
    // @ts-expect-error a cart item needs its modifier selections, if empty
    client.carts.items.add(id, { menu_item_id: id, quantity: 1 });
    // @ts-expect-error text is no quantity
    client.carts.items.add(id, { menu_item_id: id, quantity: '1', modifier_selections: [] });
    // @ts-expect-error the cart's id comes first
    client.carts.items.add({ menu_item_id: id, quantity: 1, modifier_selections: [] });
  });

  test('know the fields of each handoff mode', () => {
    client.carts.setHandoff(id, { mode: 'PICKUP' });
    client.carts.setHandoff(id, { mode: 'CURBSIDE', vehicle_make: 'A', vehicle_model: 'B', vehicle_color: 'C' });
    // @ts-expect-error the color is missing
    client.carts.setHandoff(id, { mode: 'CURBSIDE', vehicle_make: 'A', vehicle_model: 'B' });
    // @ts-expect-error a pick-up has no address
    client.carts.setHandoff(id, { mode: 'PICKUP', delivery_address: {} });
    // @ts-expect-error no such mode
    client.carts.setHandoff(id, { mode: 'DINE_IN' });
  });

  test('count money in cents', () => {
    client.carts.checkout(id, { expected_total: 1250 });
    // @ts-expect-error cents, not Money
    client.carts.checkout(id, { expected_total: money(1250) });
    // @ts-expect-error cents, not Money
    client.orders.refunds.create(id, { amount: money(1250) });
    // @ts-expect-error no such tender
    client.orders.payments.create(id, { payment_method: 'BARTER', amount: 1 });
    // @ts-expect-error a gift card has no payment token
    client.orders.payments.create(id, { payment_method: 'GIFT_CARD', amount: 1, payment_token: 'x' });
  });

  test('of any method take the common options, and keys only where something is written', () => {
    client.carts.retrieve(id, {
      signal: controller.signal,
      timeout: 1,
      deadline: 1,
      maxRetries: 0,
      headers: { a: 'b' },
    });
    client.carts.create({ location_id: id }, { idempotencyKey: id });
    // @ts-expect-error a read has no key
    client.carts.retrieve(id, { idempotencyKey: id });
    // @ts-expect-error calculate only reads
    client.carts.calculate(id, { idempotencyKey: id });
    // @ts-expect-error no such option
    client.carts.retrieve(id, { retries: 3 });
    // @ts-expect-error an id is text
    client.carts.retrieve(7);
  });
});

describe('the client', () => {
  test('takes its options, and no others', () => {
    new OnlineOrdering();
    new OnlineOrdering({ baseUrl: id, clientId: id, clientSecret: async () => id, logger: console, logLevel: 'debug' });
    new OnlineOrdering({ fetch: globalThis.fetch, validation: 'strict', random: Math.random });
    // @ts-expect-error no such option
    new OnlineOrdering({ baseURL: id });
    // @ts-expect-error no such level
    new OnlineOrdering({ logLevel: 'trace' });
    // @ts-expect-error the second argument is the package's own affair
    new OnlineOrdering({}, {});
  });

  test('takes an undici dispatcher', async () => {
    const { Agent, MockAgent } = await import('undici');
    new OnlineOrdering({ dispatcher: new Agent() });
    new OnlineOrdering({ dispatcher: new MockAgent() });
  });

  test('withOptions cannot change whom it talks to', () => {
    expectTypeOf(client.withOptions({ timeout: 5 })).toEqualTypeOf<OnlineOrdering>();
    // @ts-expect-error make another client for that
    client.withOptions({ baseUrl: id });
    // @ts-expect-error make another client for that
    client.withOptions({ clientSecret: id });
  });

  test('tells typed facts to listeners', () => {
    expectTypeOf(client.on('retry', ({ waitMs, reason }) => void [waitMs.toFixed(), reason.length])).toEqualTypeOf<
      () => void
    >();
    // @ts-expect-error no such event
    client.on('retries', () => {});
  });

  test('is disposable', async () => {
    expectTypeOf(client).toExtend<AsyncDisposable>();
    expectTypeOf(client.auth.accessToken()).resolves.toBeString();
  });
});

describe('errors', () => {
  test('narrow by instanceof', () => {
    const error: unknown = undefined;
    if (error instanceof RateLimitError) {
      expectTypeOf(error.retryAfterSeconds).toEqualTypeOf<number | undefined>();
      expectTypeOf(error.status).toBeNumber();
    }
    if (error instanceof ConflictError) expectTypeOf(error).toExtend<APIError>();
    expectTypeOf<ExpectedTotalMismatchError['changeReasons']>().toExtend<readonly string[]>();
    expectTypeOf<APIError['outcome']>().toEqualTypeOf<'not_sent' | 'refused' | 'applied' | 'unknown' | undefined>();
    never<IsAny<APIError['code']>>();
    expectTypeOf<'expected_total_mismatch'>().toExtend<APIError['scenario']>();
  });
});
