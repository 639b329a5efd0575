import {
  type CallPromise,
  memoryStore,
  NamedOperationError,
  OnlineOrdering,
  type Payment,
  type Refund,
  type Store,
} from 'online-ordering-sdk';
import { type BehaviourChange, createMockService, type MockService } from 'online-ordering-sdk/mock';
import { beforeEach, describe, expect, test } from 'vitest';

let service: MockService;
let store: Store;

beforeEach(() => useService());

function useService(behaviour: BehaviourChange = {}): void {
  service = createMockService({ rateLimits: false, behaviour });
  store = memoryStore({ clock: service.clock });
}

/** A client of its own, as another process has it: nothing but the store is shared. */
function processOf(options: object = {}): OnlineOrdering {
  const { credentials, dispatcher, clock } = service;
  return new OnlineOrdering({ ...credentials, dispatcher, clock, store, logLevel: 'off', ...options });
}

const ended = <T>(work: PromiseLike<T>): Promise<T> => service.clock.runUntil(Promise.resolve(work));

async function failure(call: PromiseLike<unknown>): Promise<NamedOperationError> {
  const error = await ended(
    Promise.resolve(call).then(
      (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
      (reason: unknown) => reason,
    ),
  );
  expect(error).toBeInstanceOf(NamedOperationError);
  return error as NamedOperationError;
}

async function openOrder(): Promise<{ orderId: string; total: number }> {
  const client = processOf();
  const { samples } = service;
  const cart = await ended(client.carts.create({ location_id: samples.locations.downtown }));
  await ended(client.carts.items.add(cart.id, { ...samples.cartItems.turkeySub, quantity: 2 }));
  const { order_id, total } = await ended(client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } }));
  return { orderId: order_id, total: total.amount };
}

/** An order of which everything is paid. */
async function paidOrder(): Promise<{ orderId: string; total: number }> {
  const order = await openOrder();
  await ended(processOf().orders.payments.create(order.orderId, card(order.total)));
  return order;
}

const card = (amount: number, payment_token = 'tok_approved') =>
  ({ payment_method: 'CREDIT_CARD', payment_token, amount }) as const;
const PAYMENTS = 'POST /orders/{order_id}/payments';
const REFUNDS = 'POST /orders/{order_id}/refunds';
const posts = (end = '/payments') =>
  service.requests().filter(({ method, path }) => method === 'POST' && path.endsWith(end));
const keysOf = (requests: readonly { headers: Readonly<Record<string, string>> }[]) =>
  new Set(requests.map(({ headers }) => headers['idempotency-key']));
const lost = { after: 'commit', fail: 'socket_reset' } as const;

type Call = (client: OnlineOrdering, orderId: string, options: object) => CallPromise<Payment | Refund>;
interface Kind {
  readonly endpoint: string;
  /** How its path ends. */
  readonly end: string;
  readonly order: () => Promise<{ orderId: string }>;
  readonly call: Call;
  /** The same with another amount. */
  readonly other: Call;
  /** How often the ledger has it. */
  readonly effects: (orderId: string) => number;
}

/** Payments and refunds alike. */
const KINDS: Record<string, Kind> = {
  payment: {
    endpoint: PAYMENTS,
    end: '/payments',
    order: openOrder,
    call: (client, orderId, options) => client.orders.payments.create(orderId, card(500), options),
    effects: (orderId) => service.ledger(orderId).entries.filter(({ kind }) => kind === 'charge').length,
    other: (client, orderId, options) => client.orders.payments.create(orderId, card(501), options),
  },
  refund: {
    endpoint: REFUNDS,
    end: '/refunds',
    order: paidOrder,
    call: (client, orderId, options) => client.orders.refunds.create(orderId, { amount: 500 }, options),
    effects: (orderId) => service.ledger(orderId).entries.filter(({ kind }) => kind === 'refund').length,
    other: (client, orderId, options) => client.orders.refunds.create(orderId, { amount: 501 }, options),
  },
};

describe.each(Object.entries(KINDS))('a %s under a name', (_kind, { endpoint, end, order, call, effects, other }) => {
  const operation = 'money:1';

  test('is made once: the same call in another process gives the first result, and sends nothing', async () => {
    const { orderId } = await order();
    const first = await ended(call(processOf(), orderId, { operation }));
    const before = service.requests().length;

    const again = await ended(call(processOf(), orderId, { operation }).withResponse());

    expect(again.data).toEqual(first);
    expect(again.attempts).toBe(0);
    expect(service.requests()).toHaveLength(before);
    expect(effects(orderId)).toBe(1);
  });

  test('called by two processes at once sends one request, and both get its result', async () => {
    const { orderId } = await order();

    const [one, two] = await ended(Promise.all([1, 2].map(() => call(processOf(), orderId, { operation }))));

    expect(two).toEqual(one);
    expect(effects(orderId)).toBe(1);
  });

  test('has its result after 24 hours, and nothing is sent again', async () => {
    const { orderId } = await order();
    const first = await ended(call(processOf(), orderId, { operation }));
    const sent = posts(end).length;
    await service.clock.advance('25h');

    expect(await ended(call(processOf(), orderId, { operation }))).toEqual(first);
    expect(posts(end)).toHaveLength(sent);
  });

  test('whose response was lost is found by the next call, in another process, without a second request', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, lost);
    const error = await failure(call(processOf(), orderId, { operation }));
    expect(error).toMatchObject({ reason: 'unknown', outcome: 'unknown', operation });
    const sent = posts(end).length;

    const result = await ended(call(processOf(), orderId, { operation }).withResponse());

    expect(result).toMatchObject({ data: { status: 'COMPLETED' }, idempotencyKey: error.idempotencyKey });
    expect(posts(end)).toHaveLength(sent);
    expect(effects(orderId)).toBe(1);
    expect(await ended(call(processOf(), orderId, { operation }))).toEqual(result.data);
  });

  test('has resolve(), which reads the order first', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, lost);
    const error = await failure(call(processOf(), orderId, { operation }));
    const sent = posts(end).length;

    expect(await ended(error.resolve())).toMatchObject({ outcome: 'applied', data: { status: 'COMPLETED' } });
    expect(await ended(error.resolve())).toMatchObject({ outcome: 'applied' });
    expect(posts(end)).toHaveLength(sent);
  });

  test('that never arrived leaves again after the horizon, under the same key', async () => {
    const { orderId } = await order();
    const before = posts(end).length;
    service.faults.next(endpoint, { fail: 'socket_reset' });
    const error = await failure(call(processOf(), orderId, { operation }));
    const sentAt = service.clock.now();

    const made = await ended(call(processOf(), orderId, { operation }).withResponse());

    expect(service.clock.now() - sentAt).toBeGreaterThan(90_000);
    const sendings = posts(end).slice(before);
    expect(sendings).toHaveLength(2);
    expect(keysOf(sendings)).toEqual(new Set([error.idempotencyKey]));
    expect(made.idempotencyKey).toBe(error.idempotencyKey);
    expect(effects(orderId)).toBe(1);
  });

  test('in doubt is looked for within the deadline of the call, and no longer', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, { fail: 'socket_reset' });
    await failure(call(processOf(), orderId, { operation }));
    const startedAt = service.clock.now();

    const error = await failure(call(processOf(), orderId, { operation, deadline: 5000 }));

    expect(error).toMatchObject({ reason: 'unknown', outcome: 'unknown' });
    expect(service.clock.now() - startedAt).toBeLessThan(7000);
    // Each call goes on where the one before it ended: the horizon counts from the sending.
    const end2 = await ended(call(processOf(), orderId, { operation, deadline: 100_000 }));
    expect(end2).toMatchObject({ status: 'COMPLETED' });
    expect(service.clock.now() - startedAt).toBeLessThan(110_000);
    expect(effects(orderId)).toBe(1);
  });

  test('in doubt for 24 hours is only looked for: what the order shows is the result', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, lost);
    await failure(call(processOf(), orderId, { operation }));
    const sent = posts(end).length;
    await service.clock.advance('25h');

    expect(await ended(call(processOf(), orderId, { operation }))).toMatchObject({ status: 'COMPLETED' });
    expect(posts(end)).toHaveLength(sent);
  });

  test('in doubt for 24 hours that the order does not show stays unknown, is not sent, and names the way out', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, { fail: 'socket_reset' });
    await failure(call(processOf(), orderId, { operation }));
    const sent = posts(end).length;
    await service.clock.advance('25h');

    const error = await failure(call(processOf(), orderId, { operation }));

    expect(error).toMatchObject({ reason: 'unknown', outcome: 'unknown' });
    expect(error.message).toContain('use another name');
    expect(await ended(error.resolve())).toMatchObject({ outcome: 'unknown' });
    expect(posts(end)).toHaveLength(sent);
    expect(effects(orderId)).toBe(0);
  });

  test('with another body is refused, and nothing is sent', async () => {
    const { orderId } = await order();
    await ended(call(processOf(), orderId, { operation }));
    const before = service.requests().length;

    expect(await failure(other(processOf(), orderId, { operation }))).toMatchObject({ reason: 'body_differs' });
    expect(service.requests()).toHaveLength(before);
  });

  test('that the service refuses frees its name for another try', async () => {
    const { orderId } = await order();
    service.faults.next(endpoint, { status: 422 });
    await expect(ended(call(processOf(), orderId, { operation }))).rejects.toMatchObject({ status: 422 });

    expect(await ended(other(processOf(), orderId, { operation }))).toMatchObject({ status: 'COMPLETED' });
    expect(effects(orderId)).toBe(1);
  });

  test('that is refused for its rate waits between two notes, and is made', async () => {
    const { orderId } = await order();
    const before = posts(end).length;
    service.faults.next(endpoint, { status: 429, retryAfterSeconds: 20 });
    const startedAt = service.clock.now();

    expect(await ended(call(processOf(), orderId, { operation }))).toMatchObject({ status: 'COMPLETED' });

    expect(service.clock.now() - startedAt).toBeGreaterThanOrEqual(20_000);
    expect(
      posts(end)
        .slice(before)
        .map(({ status }) => status),
    ).toEqual([429, 201]);
  });

  test('does not leave when its key cannot be written, or the order cannot be read', async () => {
    const { orderId } = await order();
    const before = posts(end).length;
    const inner = store;
    for (const broken of ['get', 'set', 'setIfAbsent'] as const) {
      store = {
        ...inner,
        [broken]: async (key: string, ...rest: never[]) => {
          if (key.includes(':operation')) throw new Error('connection lost');
          return (inner[broken] as (...args: unknown[]) => unknown)(key, ...rest);
        },
      };
      const error = await failure(call(processOf(), orderId, { operation }));
      expect(error).toMatchObject({ reason: 'store_failed', outcome: 'not_sent' });
    }
    store = inner;
    service.faults.next('GET /orders/{order_id}', { status: 403 });
    const error = await failure(call(processOf(), orderId, { operation: 'money:2' }));
    expect(error).toMatchObject({ reason: 'order_unreadable', outcome: 'not_sent' });
    expect(posts(end)).toHaveLength(before);

    expect(await ended(call(processOf(), orderId, { operation: 'money:2' }))).toMatchObject({ status: 'COMPLETED' });
  });

  test('that is aborted before it leaves is free, and the error is that of an abort', async () => {
    const { orderId } = await order();
    const before = posts(end).length;

    const work = ended(call(processOf(), orderId, { operation, signal: AbortSignal.abort() }));

    await expect(work).rejects.toMatchObject({ name: 'APIUserAbortError' });
    expect(posts(end)).toHaveLength(before);
    expect(await ended(call(processOf(), orderId, { operation }))).toMatchObject({ status: 'COMPLETED' });
  });

  test('whose lease is lost while it waits does not leave', async () => {
    const { orderId } = await order();
    const before = posts(end).length;
    const inner = store;
    // From the moment of the wait on, the store renews nothing, and answers nothing.
    service.faults.next(endpoint, { status: 429, retryAfterSeconds: 30 });
    store = {
      ...inner,
      compareAndSet: async (key, ...rest) => {
        if (key.includes('operation-group-leases')) throw new Error('connection lost');
        return inner.compareAndSet(key, ...rest);
      },
    };

    await ended(Promise.resolve(call(processOf(), orderId, { operation })).catch(() => {}));

    expect(
      posts(end)
        .slice(before)
        .map(({ status }) => status),
    ).toEqual([429]);
    store = inner;
    expect(await ended(call(processOf(), orderId, { operation }))).toMatchObject({ status: 'COMPLETED' });
    expect(effects(orderId)).toBe(1);
  });
});

test('two payments of one order under two names go one at a time, and neither takes the record of the other', async () => {
  useService({ readLagMs: 20_000, paymentListLagMs: 20_000 });
  const { orderId } = await openOrder();
  await service.clock.advance('1m');
  const pay = (operation: string) => processOf().orders.payments.create(orderId, card(300), { operation });
  await ended(pay('one'));
  // The second one never arrives; meanwhile the first one comes into sight.
  service.faults.next(PAYMENTS, { fail: 'socket_reset' });
  await failure(pay('two'));

  const two = await ended(Promise.resolve(pay('two')).catch((error: unknown) => error));

  // It says nothing that is not so: it is paid twice, or the second one is unknown.
  if (two instanceof Error) expect(two).toMatchObject({ reason: 'unknown', outcome: 'unknown' });
  expect(service.ledger(orderId).entries).toHaveLength(two instanceof Error ? 1 : 2);
});

const SWITCHES: readonly (readonly [string, BehaviourChange])[] = [
  ['keys in flight run twice', { keysInFlight: 'run_twice', authorizationMs: 20_000 }],
  ['keys in flight are a conflict', { keysInFlight: 'conflict', authorizationMs: 20_000 }],
  ['overpayment is taken', { overpayment: 'accept' }],
  ['duplicates are declined', { duplicates: 'decline' }],
  ['readings lag', { readLagMs: 20_000 }],
  ['the list of payments lags', { paymentListLagMs: 20_000 }],
  ['the sums lag', { paymentSumLagMs: 20_000 }],
  ['authorizations take long', { authorizationMs: 25_000 }],
  ['a gateway gives up first', { gatewayTimeoutMs: 10_000, authorizationMs: 40_000, keysInFlight: 'run_twice' }],
  ['there is no Date', { dateHeader: false }],
  ['the clock of the service is wrong', { clockOffsetMs: 600_000 }],
  [
    'all of it',
    {
      keysInFlight: 'run_twice',
      overpayment: 'accept',
      readLagMs: [0, 8000],
      paymentListLagMs: [0, 8000],
      paymentSumLagMs: [0, 8000],
      authorizationMs: [0, 30_000],
      gatewayTimeoutMs: 15_000,
      dateHeader: false,
      records: { failedPayments: 1 },
    },
  ],
];
const MISHAPS = {
  'nothing is lost': undefined,
  'the connection ends after the effect': lost,
  'the service fails after the effect': { after: 'commit', status: 500 },
  'the connection ends before the effect': { fail: 'socket_reset' },
} as const;

for (const [mishap, fault] of Object.entries(MISHAPS)) {
  test.each(SWITCHES)(`a named payment is charged once when %s, and ${mishap}`, async (_, behaviour) => {
    useService(behaviour);
    const { orderId } = await openOrder();
    await service.clock.advance('1m');
    if (fault) service.faults.next(PAYMENTS, fault);
    const pay = (deadline?: number) =>
      processOf().orders.payments.create(orderId, card(500), { operation: 'pay', ...(deadline ? { deadline } : {}) });

    const ends: unknown[] = [];
    // A queue delivers the job again and again, to whichever process is free; some of them give up early.
    for (const deadline of [undefined, 4000, undefined, undefined]) {
      ends.push(await ended(Promise.resolve(pay(deadline)).catch((error: unknown) => error)));
    }
    await service.clock.advance('10m');

    expect(service.ledger(orderId).entries).toHaveLength(1);
    for (const end of ends.slice(0, 2)) if (end instanceof Error) expect(end).toMatchObject({ outcome: 'unknown' });
    expect(ends.slice(2)).toEqual([expect.objectContaining({ amount: expect.anything() }), ends[2]]);
  });
}
