import { memoryStore, NamedOperationError, OnlineOrdering, type Store } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { beforeEach, describe, expect, test } from 'vitest';

let service: MockService;
let store: Store;

beforeEach(() => {
  service = createMockService({ rateLimits: false, clock: 'real' });
  store = memoryStore({ clock: service.clock });
});

/** A client of its own, as another process has it: nothing but the store is shared. */
function processOf(options: object = {}): OnlineOrdering {
  const { credentials, dispatcher, clock } = service;
  return new OnlineOrdering({ ...credentials, dispatcher, clock, store, logLevel: 'off', ...options });
}

async function readyCart(client = processOf()): Promise<string> {
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
  return cart.id;
}

const PICKUP = { handoff_mode: { mode: 'PICKUP' } } as const;
const checkouts = () =>
  service.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/checkout'));
const keysOf = (requests: readonly { headers: Readonly<Record<string, string>> }[]) =>
  new Set(requests.map(({ headers }) => headers['idempotency-key']));

async function failure(call: PromiseLike<unknown>): Promise<NamedOperationError> {
  const error = await Promise.resolve(call).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(NamedOperationError);
  return error as NamedOperationError;
}

describe('a name stands for one result', () => {
  test('the same call in another process gives the first result, and sends nothing', async () => {
    const cartId = await readyCart();
    const first = await processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:basket-42' });
    const before = checkouts().length;

    const again = await processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:basket-42' }).withResponse();

    expect(again.data).toEqual(first);
    expect(again.attempts).toBe(0);
    expect(checkouts()).toHaveLength(before);
  });

  test('the result is known after the key is forgotten, and nothing is sent again', async () => {
    const cartId = await readyCart();
    const first = await processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:1' });
    await service.clock.advance('25h');

    expect(await processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:1' })).toEqual(first);
    expect(checkouts()).toHaveLength(1);
  });

  test('the key is a random UUID v4, another one for each name', async () => {
    const client = processOf();
    const [a, b] = [await readyCart(client), await readyCart(client)];

    const { idempotencyKey: one } = await client.carts.checkout(a, PICKUP, { operation: 'a' }).withResponse();
    const { idempotencyKey: two } = await client.carts.checkout(b, PICKUP, { operation: 'b' }).withResponse();

    for (const key of [one, two])
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(one).not.toBe(two);
  });

  test('two deliveries at once send one request, and both get its result', async () => {
    const cartId = await readyCart();
    const call = () => processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:twice' });

    const [one, two] = await Promise.all([call(), call()]);

    expect(two).toEqual(one);
    expect(checkouts()).toHaveLength(1);
  });

  test.each([
    ['another body', (cartId: string) => [cartId, { ...PICKUP, expected_total: 1 }] as const],
    ['another cart', () => ['00000000-0000-4000-8000-000000000000', PICKUP] as const],
  ])('%s under the same name is refused, and nothing is sent', async (_title, other) => {
    const cartId = await readyCart();
    await processOf().carts.checkout(cartId, PICKUP, { operation: 'checkout:x' });
    const before = service.requests().length;

    const [cart, body] = other(cartId);
    const client = processOf();
    const error = await failure(client.carts.checkout(cart, body, { operation: 'checkout:x' }));

    expect(error).toMatchObject({ reason: 'body_differs', outcome: 'not_sent', operation: 'checkout:x' });
    expect(service.requests().slice(before)).toEqual([]);
  });

  test('the order of members, and members that are undefined, make no other body; a query does', async () => {
    const location_id = service.samples.locations.downtown;
    const create = (body: object, options = {}) =>
      processOf().carts.create(body as { location_id: string }, { operation: 'members', ...options });
    const first = await create({ location_id, customer_id: 'CUST-1' });

    expect(await create({ customer_id: 'CUST-1', location_id, note: undefined })).toEqual(first);
    const error = await failure(create({ location_id, customer_id: 'CUST-1' }, { query: { draft: true } }));
    expect(error.reason).toBe('body_differs');
  });

  test('the same name of another partner is another name', async () => {
    const { clientId, clientSecret } = service.partners.add();
    const create = (options = {}) =>
      processOf(options).carts.create({ location_id: service.samples.locations.downtown }, { operation: 'mine' });

    const [one, two] = [await create(), await create({ clientId, clientSecret })];

    expect(two.id).not.toBe(one.id);
    expect(await create()).toEqual(one);
  });

  test('what the service refused leaves the name free for another try', async () => {
    const client = processOf();
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await expect(client.carts.checkout(cart.id, PICKUP, { operation: 'o' })).rejects.toMatchObject({ status: 422 });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);

    expect((await client.carts.checkout(cart.id, {}, { operation: 'o' }).catch((e) => e)).status).toBe(422);
    expect((await client.carts.checkout(cart.id, PICKUP, { operation: 'o' })).status).toBe('PENDING');
  });

  test('every kind of write takes a name: cart, item, handoff, subscription, cancel, and what is newer than this package', async () => {
    const client = processOf();
    const twice = async <T>(call: () => PromiseLike<T>) => {
      const before = service.requests().length;
      const first = await call();
      const sent = service.requests().length - before;
      expect(await call()).toEqual(first);
      expect(service.requests().length - before).toBe(sent);
      return first;
    };

    const cart = await twice(() =>
      client.carts.create({ location_id: service.samples.locations.downtown }, { operation: 'cart:1' }),
    );
    await twice(() => client.carts.items.add(cart.id, service.samples.cartItems.turkeySub, { operation: 'item:1' }));
    await twice(() => client.carts.setHandoff(cart.id, { mode: 'PICKUP' }, { operation: 'handoff:1' }));
    const order = await twice(() => client.carts.checkout(cart.id, {}, { operation: 'checkout:1' }));
    const cancelled = await twice(() =>
      client.orders.cancel(order.order_id, { reason: 'late' }, { operation: 'cancel:1' }),
    );
    expect(cancelled.status).toBe('CANCELLED');
    const hook = { url: 'https://hooks.example.com', event_types: ['order.created' as const] };
    const subscription = await twice(() => client.webhookSubscriptions.create(hook, { operation: 'hook:1' }));
    expect(subscription.signing_secret).toBeTruthy();
    await twice(() => client.webhookSubscriptions.delete(subscription.id, { operation: 'unhook:1' }));
    const path = '/carts';
    const body = { location_id: service.samples.locations.downtown };
    await twice(() => client.request({ method: 'POST', path, body }, { operation: 'raw:1' }));
    const other = await client.carts.create(body);
    await twice(() => client.carts.abandon(other.id, { operation: 'abandon:1' }));
  });

  test('neither body nor result stand in the store in clear', async () => {
    const values: string[] = [];
    const inner = store;
    const noted = (value: string): string => {
      values.push(value);
      return value;
    };
    store = {
      ...inner,
      setIfAbsent: (key, value, options) => inner.setIfAbsent(key, noted(value), options),
      compareAndSet: (key, old, value, options) => inner.compareAndSet(key, old, noted(value), options),
      set: (key, value, options) => inner.set(key, noted(value), options),
    };
    const hook = { url: 'https://hooks.example.com/secret-path', event_types: ['order.created' as const] };

    const { signing_secret } = await processOf().webhookSubscriptions.create(hook, { operation: 'hook' });

    expect(values.length).toBeGreaterThan(3);
    for (const value of values) expect(value).not.toMatch(/secret-path|access_token/);
    expect(values.join()).not.toContain(signing_secret);
  });
});

describe('a name whose outcome is unknown', () => {
  test('is finished by the same call in another process, under the same key', async () => {
    const cartId = await readyCart();
    service.faults.next('POST /carts/{cart_id}/checkout', { after: 'commit', fail: 'socket_reset' });
    const error = await failure(processOf({ maxRetries: 0 }).carts.checkout(cartId, PICKUP, { operation: 'lost' }));
    expect(error).toMatchObject({ reason: 'unknown', outcome: 'unknown' });

    const order = await processOf().carts.checkout(cartId, PICKUP, { operation: 'lost' });

    expect(order.cart_id).toBe(cartId);
    expect(keysOf(checkouts())).toEqual(new Set([error.idempotencyKey]));
    expect(await processOf().orders.list().toArray({ limit: 10 })).toHaveLength(1);
  });

  test('has resolve(), which gives the result of the first execution', async () => {
    const cartId = await readyCart();
    service.faults.next('POST /carts/{cart_id}/checkout', { after: 'commit', fail: 'socket_reset' });
    const error = await failure(processOf({ maxRetries: 0 }).carts.checkout(cartId, PICKUP, { operation: 'lost' }));

    const resolution = await error.resolve();

    expect(resolution).toMatchObject({ outcome: 'applied', data: { cart_id: cartId } });
    expect(await processOf().orders.list().toArray({ limit: 10 })).toHaveLength(1);
  });

  describe('and that the service refuses when it is repeated', () => {
    const checkout =
      (options = {}) =>
      (cartId: string) =>
        processOf(options).carts.checkout(cartId, PICKUP, { operation: 'doubted' });
    const lost = checkout({ maxRetries: 0 });

    /** A checkout whose process died before its bytes left, as the service sees it; then the cart is emptied. */
    async function neverSent(): Promise<{ cartId: string; refill: () => Promise<unknown> }> {
      const client = processOf();
      const cartId = await readyCart(client);
      service.faults.next('POST /carts/{cart_id}/checkout', { fail: 'socket_reset' });
      expect(await failure(lost(cartId))).toMatchObject({ reason: 'unknown' });
      const [line] = (await client.carts.retrieve(cartId)).items;
      await client.carts.items.remove(cartId, line!.id);
      return { cartId, refill: () => client.carts.items.add(cartId, service.samples.cartItems.turkeySub) };
    }

    test('stays unknown for the horizon, and then its refusal is the truth and the name is free', async () => {
      const { cartId, refill } = await neverSent();
      expect(await failure(checkout()(cartId))).toMatchObject({ reason: 'unknown', cause: { status: 422 } });
      await service.clock.advance('60s');
      expect(await failure(checkout()(cartId))).toMatchObject({ reason: 'unknown', cause: { status: 422 } });
      await service.clock.advance('31s');

      await expect(checkout()(cartId)).rejects.toMatchObject({ status: 422, outcome: 'refused' });
      await refill();

      const order = await checkout()(cartId);
      expect(order.cart_id).toBe(cartId);
      expect(keysOf(checkouts()).size).toBe(2);
    });

    test('is told as not applied by resolve() once the horizon is over', async () => {
      const { cartId } = await neverSent();
      const error = await failure(checkout()(cartId));
      expect(await error.resolve()).toMatchObject({ outcome: 'unknown' });
      await service.clock.advance('91s');

      expect(await error.resolve()).toMatchObject({ outcome: 'not_applied', cause: { status: 422 } });
    });

    test('begins its horizon anew with a sending whose response was lost', async () => {
      const { cartId } = await neverSent();
      await failure(checkout()(cartId));
      await service.clock.advance('80s');
      service.faults.next('POST /carts/{cart_id}/checkout', { fail: 'socket_reset' });
      expect(await failure(lost(cartId))).toMatchObject({ reason: 'unknown' });
      await service.clock.advance('20s');
      expect(await failure(checkout()(cartId))).toMatchObject({ reason: 'unknown', cause: { status: 422 } });
      await service.clock.advance('80s');
      expect(await failure(checkout()(cartId))).toMatchObject({ reason: 'unknown', cause: { status: 422 } });
      await service.clock.advance('11s');

      await expect(checkout()(cartId)).rejects.toMatchObject({ status: 422, outcome: 'refused' });
    });

    test.each([
      ['a limit of the service', { status: 429 }],
      ['a firewall or a token', { status: 403 }],
      ['a key that stands for something', { status: 409, message: 'Idempotency key conflict' }],
    ])('is not decided by %s, however late', async (_title, fault) => {
      const { cartId } = await neverSent();
      await failure(checkout()(cartId));
      await service.clock.advance('91s');
      service.faults.next('POST /carts/{cart_id}/checkout', fault);

      expect(await failure(lost(cartId))).toMatchObject({ reason: 'unknown', cause: { status: fault.status } });
    });

    test('is the truth at once where the service is known to serialise requests with one key', async () => {
      const { cartId } = await neverSent();

      await expect(checkout({ payments: { horizonMs: 0, lagMs: 0 } })(cartId)).rejects.toMatchObject({ status: 422 });
    });

    test('was executed where the resource shows it, and that is the result', async () => {
      const cartId = await readyCart();
      service.faults.next('POST /carts/{cart_id}/checkout', { after: 'commit', fail: 'socket_reset' });
      await failure(lost(cartId));
      service.faults.next('POST /carts/{cart_id}/checkout', {
        status: 409,
        message: 'Cart has already been checked out',
      });

      expect((await checkout()(cartId)).cart_id).toBe(cartId);
    });
  });

  test('after 24 hours only the resource is read: a cart that was checked out gives its order', async () => {
    const cartId = await readyCart();
    service.faults.next('POST /carts/{cart_id}/checkout', { after: 'commit', fail: 'socket_reset' });
    await failure(processOf({ maxRetries: 0 }).carts.checkout(cartId, PICKUP, { operation: 'old' }));
    await service.clock.advance('25h');

    const order = await processOf().carts.checkout(cartId, PICKUP, { operation: 'old' });

    const [only] = await processOf().orders.list().toArray({ limit: 10 });
    expect(order).toMatchObject({ order_id: only!.id, cart_id: cartId, total: only!.total, handoff_mode: 'PICKUP' });
    expect(checkouts()).toHaveLength(1);
  });

  test('after 24 hours a cart that was never checked out frees the name, and says so', async () => {
    const cartId = await readyCart();
    service.faults.next('POST /carts/{cart_id}/checkout', { fail: 'socket_reset' });
    await failure(processOf({ maxRetries: 0 }).carts.checkout(cartId, PICKUP, { operation: 'never' }));
    await service.clock.advance('25h');

    const error = await failure(processOf().carts.checkout(cartId, PICKUP, { operation: 'never' }));
    expect(error).toMatchObject({ reason: 'not_applied', outcome: 'refused' });

    expect((await processOf().carts.checkout(cartId, PICKUP, { operation: 'never' })).status).toBe('PENDING');
  });

  test('after 24 hours a cancel is read from the order', async () => {
    const client = processOf();
    const { order_id } = await client.carts.checkout(await readyCart(client), PICKUP);
    service.faults.next('POST /orders/{order_id}/cancel', { after: 'commit', fail: 'socket_reset' });
    await failure(processOf({ maxRetries: 0 }).orders.cancel(order_id, {}, { operation: 'cancel' }));
    await service.clock.advance('25h');

    expect((await processOf().orders.cancel(order_id, {}, { operation: 'cancel' })).status).toBe('CANCELLED');
    expect(service.requests().filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
  });

  test('a write that nothing shows stays unknown after 24 hours, and is not sent again', async () => {
    const location_id = service.samples.locations.downtown;
    service.faults.next('POST /carts', { after: 'commit', fail: 'socket_reset' });
    await failure(processOf({ maxRetries: 0 }).carts.create({ location_id }, { operation: 'cart' }));
    await service.clock.advance('25h');

    const error = await failure(processOf().carts.create({ location_id }, { operation: 'cart' }));

    expect(error).toMatchObject({ reason: 'unknown', outcome: 'unknown' });
    expect(await error.resolve()).toMatchObject({ outcome: 'unknown' });
    expect(service.requests().filter(({ method, path }) => method === 'POST' && path === '/carts')).toHaveLength(1);
  });
});

describe('what a name needs', () => {
  test('without a store it is refused, and nothing is sent', async () => {
    const client = processOf({ store: undefined });

    await expect(client.carts.create({ location_id: 'x' }, { operation: 'a' })).rejects.toThrow('needs a store');
    expect(service.requests()).toEqual([]);
  });

  test('a store that fails keeps the request from leaving, and the error says so', async () => {
    const cartId = await readyCart();
    const inner = store;
    const before = service.requests().length;
    for (const broken of ['get', 'set', 'setIfAbsent'] as const) {
      store = {
        ...inner,
        [broken]: async (key: string, ...rest: never[]) => {
          if (key.includes(':operation')) throw new Error('connection lost');
          return (inner[broken] as (...args: unknown[]) => unknown)(key, ...rest);
        },
      };
      const error = await failure(processOf().carts.checkout(cartId, PICKUP, { operation: 'down' }));

      expect(error).toMatchObject({ reason: 'store_failed', outcome: 'not_sent' });
      expect(error.message).toContain('was not sent: its key could not be written');
    }
    expect(service.requests().slice(before)).toEqual([]);
  });

  test('a result that could not be written is given all the same, and told; the next call gets it under the same key', async () => {
    const cartId = await readyCart();
    const inner = store;
    store = {
      ...inner,
      compareAndSet: async (key, ...rest) => {
        if (key.includes(':operations:')) throw new Error('connection lost');
        return inner.compareAndSet(key, ...rest);
      },
    };
    const client = processOf();
    const told: string[] = [];
    client.on('store', ({ operation }) => told.push(operation));
    const order = await client.carts.checkout(cartId, PICKUP, { operation: 'half' });
    expect(told).toEqual(['write result of operation']);
    store = inner;

    expect(await processOf().carts.checkout(cartId, PICKUP, { operation: 'half' })).toEqual(order);
    expect(keysOf(checkouts()).size).toBe(1);
  });

  test('a call that waits for another one under the name ends with its time, and names the reason', async () => {
    const cartId = await readyCart();
    service.faults.next('POST /carts/{cart_id}/checkout', { delayMs: 20_000 });
    const slow = processOf().carts.checkout(cartId, PICKUP, { operation: 'slow' });
    await service.clock.advance(1000);

    const waiting = failure(processOf().carts.checkout(cartId, PICKUP, { operation: 'slow', deadline: 3000 }));
    await service.clock.advance(4000);
    expect(await waiting).toMatchObject({ reason: 'in_progress', outcome: 'not_sent' });

    await service.clock.advance(20_000);
    expect((await slow).cart_id).toBe(cartId);
    expect(checkouts()).toHaveLength(1);
  });

  test.each([
    ['', 'is no name'],
    ['ü', 'is no name'],
    ['x'.repeat(201), 'is no name'],
  ])('%j is refused as a name', async (operation, message) => {
    await expect(processOf().carts.create({ location_id: 'x' }, { operation })).rejects.toThrow(message);
  });

  test('a payment through client.request takes no name, and the error says what to call instead', async () => {
    const pathParams = { order_id: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11' };
    const body = { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 1 };
    const request = { method: 'POST', path: '/orders/{order_id}/payments', pathParams, body } as const;

    await expect(processOf().request(request, { operation: 'p' })).rejects.toThrow('client.orders.payments.create');
    expect(service.requests()).toEqual([]);
  });

  test('a name and a key exclude each other, and a GET takes no name', async () => {
    const idempotencyKey = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
    const client = processOf();

    await expect(client.carts.create({ location_id: 'x' }, { operation: 'a', idempotencyKey })).rejects.toThrow(
      'not both',
    );
    await expect(client.carts.calculate('x', { operation: 'a' } as never)).rejects.toThrow('changes nothing');
  });

  test('a result that was sealed with another secret is told apart from an operation that never was', async () => {
    const cartId = await readyCart();
    await processOf({ tokenKey: 'a'.repeat(32) }).carts.checkout(cartId, PICKUP, { operation: 'rotated' });

    const error = await failure(
      processOf({ tokenKey: 'b'.repeat(32) }).carts.checkout(cartId, PICKUP, { operation: 'rotated' }),
    );

    expect(error).toMatchObject({ reason: 'result_unreadable', outcome: 'applied' });
    expect(checkouts()).toHaveLength(1);
  });
});
