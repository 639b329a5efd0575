import { type CallError, Page, PaginationError, RequestValidationError } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { LOCATION_ID, page } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import type { Reply, Seen } from '../support/service/reply.js';
import { TestService } from '../support/service/test-service.js';
import { settle } from '../support/virtual-clock.js';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const cursorOf = ({ path }: Seen) => new URLSearchParams(path.split('?')[1]).get('cursor');

/** A list of `pages` pages of two records; the cursor of the n-th page is `cn`. */
function listOf(pages: number): TestService {
  return new TestService((request) => {
    const number = Number(cursorOf(request)?.slice(1) ?? 1);
    const records = [{ id: id(2 * number - 1) }, { id: id(2 * number) }];
    return { status: 200, body: page(records, number < pages ? `c${number + 1}` : null) };
  });
}
const cursors = (service: TestService) => service.requests.map(cursorOf);

describe('a list', () => {
  test('sends nothing before the first await or iteration', async () => {
    const service = listOf(2);
    const list = service.client().orders.list();
    await settle();
    expect(service.tokenRequests).toHaveLength(0);

    await list;

    expect(service.requests).toHaveLength(1);
  });

  test('that is awaited is its first page', async () => {
    const service = listOf(2);

    const first = await service.client().orders.list({ status: 'PENDING', limit: 2 });

    expect(first).toBeInstanceOf(Page);
    expect(first.data.map((order) => order.id)).toEqual([id(1), id(2)]);
    expect(first.nextCursor).toBe('c2');
    expect(first.hasNextPage()).toBe(true);
    const second = await first.getNextPage();
    expect(second?.data.map((order) => order.id)).toEqual([id(3), id(4)]);
    expect(second?.hasNextPage()).toBe(false);
    expect(await second?.getNextPage()).toBeNull();
  });

  test('keeps its filters and options on every page', async () => {
    const service = listOf(2);
    const since = new Date('2026-01-01T00:00:00Z');

    await service
      .client()
      .orders.list({ status: 'PENDING', date_from: since, limit: 2 }, { headers: { 'x-trace': 'a' } })
      .toArray({ limit: 10 });

    expect(service.requests.map(({ path }) => path)).toEqual([
      '/orders?status=PENDING&date_from=2026-01-01T00%3A00%3A00.000Z&limit=2',
      '/orders?status=PENDING&date_from=2026-01-01T00%3A00%3A00.000Z&limit=2&cursor=c2',
    ]);
    expect(service.requests.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a']);
  });

  test('walks every item of every page, once', async () => {
    const service = listOf(3);
    const found: string[] = [];

    for await (const order of service.client().orders.list()) found.push(order.id);

    expect(found).toEqual([1, 2, 3, 4, 5, 6].map(id));
    expect(cursors(service)).toEqual([null, 'c2', 'c3']);
  });

  test('that is awaited and then walked requests its first page once', async () => {
    const service = listOf(2);
    const list = service.client().locations.list();
    await list;

    expect(await list.toArray({ limit: 10 })).toHaveLength(4);
    expect(cursors(service)).toEqual([null, 'c2']);
  });

  test('whose loop stops fetches nothing more', async () => {
    const service = listOf(3);

    for await (const _order of service.client().orders.list()) break;
    await settle();

    expect(service.requests).toHaveLength(1);
  });

  test('with prefetch has the next page on its way while items are used', async () => {
    const service = listOf(3);
    const seen: number[] = [];

    for await (const _order of service.client().orders.list({}, { prefetch: true })) {
      await settle();
      seen.push(service.requests.length);
    }

    expect(seen).toEqual([2, 2, 3, 3, 3, 3]);
  });

  test('with prefetch whose loop stops is at most one page ahead, and its failure is nobody’s', async () => {
    const service = new TestService((_request, index) =>
      index === 0 ? { status: 200, body: page([{ id: id(1) }], 'c2') } : { status: 404 },
    );

    for await (const _order of service.client().orders.list({}, { prefetch: true })) break;
    await settle();

    expect(service.requests).toHaveLength(2);
  });

  test('gives an array of at most "limit" items, and no request more than they need', async () => {
    const service = listOf(9);
    const client = service.client();

    expect(await client.orders.list().toArray({ limit: 3 })).toHaveLength(3);
    expect(service.requests).toHaveLength(2);
    expect(await client.orders.list().toArray({ limit: 0 })).toEqual([]);
    expect(service.requests).toHaveLength(2);
    expect(await client.orders.list().toArray({ limit: Number.POSITIVE_INFINITY })).toHaveLength(18);
  });

  test('refuses an array without a limit', async () => {
    const list = listOf(1).client().orders.list();

    expect(await rejection(list.toArray({} as { limit: number }))).toBeInstanceOf(RequestValidationError);
  });

  test('gives whole pages', async () => {
    const sizes: number[] = [];

    for await (const each of listOf(3).client().locations.listInventory(LOCATION_ID).pages())
      sizes.push(each.data.length);

    expect(sizes).toEqual([2, 2, 2]);
  });

  test('tells status, request id and attempts of its first page', async () => {
    const service = listOf(1);

    const { data, status, attempts, idempotencyKey } = await service
      .client()
      .webhookSubscriptions.list()
      .withResponse();

    expect(data.data).toHaveLength(2);
    expect({ status, attempts, idempotencyKey }).toEqual({ status: 200, attempts: 1, idempotencyKey: undefined });
  });

  test('rejects as a call does, wherever it is awaited', async () => {
    const service = new TestService(() => ({ status: 404 }));
    const client = service.client();

    expect((await rejection<CallError>(client.orders.list())).name).toBe('NotFoundError');
    expect(await client.orders.list().catch((error: unknown) => (error as Error).name)).toBe('NotFoundError');
    expect((await rejection(client.orders.list().finally(() => {}))).name).toBe('NotFoundError');
    expect((await rejection(client.orders.list().toArray({ limit: 1 }))).name).toBe('NotFoundError');
  });
});

describe('a list without an end', () => {
  const endless = (...cursorsInTurn: string[]) =>
    new TestService((_request, index) => ({
      status: 200,
      body: page([{ id: id(index) }], cursorsInTurn[Math.min(index, cursorsInTurn.length - 1)]),
    }));

  test.each([
    ['gives the same cursor for ever', endless('a'), 2],
    ['goes in a circle', endless('a', 'b', 'c', 'a'), 4],
  ])('that %s ends in a PaginationError', async (_name, service, requests) => {
    const error = await rejection(service.client().orders.list().toArray({ limit: 50 }));

    expect(error).toBeInstanceOf(PaginationError);
    expect(error.message).toBe('GET /orders gave the same cursor twice; the list would never end.');
    expect(service.requests).toHaveLength(requests);
  });

  test('is noticed too when it begins with a cursor of the caller', async () => {
    const service = endless('mine');

    const error = await rejection(service.client().orders.list({ cursor: 'mine' }).toArray({ limit: 100 }));

    expect(error).toBeInstanceOf(PaginationError);
    expect(service.requests).toHaveLength(1);
  });

  test('that announces more without a cursor ends in a PaginationError', async () => {
    const service = new TestService(() => ({ status: 200, body: page([{ id: id(1) }], null, true) }));
    const client = service.client();

    const first = await client.orders.list();
    const error = await rejection(client.orders.list().toArray({ limit: 100 }));

    expect(first.hasNextPage()).toBe(true);
    expect(error.message).toBe('GET /orders announced more records, but gave no cursor to get them with.');
  });

  test('of empty pages with ever new cursors ends in a PaginationError', async () => {
    const service = new TestService((_request, index) => ({ status: 200, body: page([], `c${index}`) }));

    const error = await rejection(service.client().orders.list().toArray({ limit: 10 }));

    expect(error).toBeInstanceOf(PaginationError);
    expect(error.message).toContain('GET /orders gave 100 pages without a record one after the other');
    expect(service.requests).toHaveLength(100);
  });

  test('is not one with some empty pages between its records', async () => {
    const service = new TestService((_request, index) => ({
      status: 200,
      body: page(index % 50 === 0 ? [{ id: id(index) }] : [], index === 300 ? null : `c${index}`),
    }));

    expect(await service.client().orders.list().toArray({ limit: 10 })).toHaveLength(7);
  });
});

test('the first page can be iterated: for its own records, and with for await for all that follow', async () => {
  const service = new TestService(({ path }) => ({
    status: 200,
    body: path.includes('cursor') ? page([{ id: id(3) }]) : page([{ id: id(1) }, { id: id(2) }], 'c2'),
  }));
  const first = await service.client().orders.list();
  const walked: string[] = [];

  expect([...first].map((order) => order.id)).toEqual([id(1), id(2)]);
  for await (const order of await service.client().orders.list()) walked.push(order.id);
  expect(walked).toEqual([id(1), id(2), id(3)]);
});

test.each([
  ['a cursor with has_more false', page([{ id: id(1) }], 'again', false)],
  ['an empty cursor', page([{ id: id(1) }], '', false)],
  ['no pagination at all', { data: [{ id: id(1) }] }],
])('%s is the last page', async (_name, body) => {
  const service = new TestService(() => ({ status: 200, body }));

  expect(await service.client().orders.list().toArray({ limit: 100 })).toHaveLength(1);
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['null', null],
  ['an array', []],
  ['an object without data', { pagination: { has_more: false } }],
])('%s in place of a page is a PaginationError', async (_name, body) => {
  const service = new TestService(() => ({ status: 200, body }) as Reply);

  expect(await rejection(service.client().orders.list())).toBeInstanceOf(PaginationError);
});

test('a cursor is sent as it is, encoded', async () => {
  const service = listOf(1);

  await service.client().orders.list({ cursor: 'a+b/c==&limit=1' });

  expect(service.requests[0]?.path).toBe('/orders?cursor=a%2Bb%2Fc%3D%3D%26limit%3D1');
});

test.each([
  ['locations', 100, (limit: number) => listOf(1).client().locations.list({ limit })],
  ['orders', 100, (limit: number) => listOf(1).client().orders.list({ limit })],
  ['webhooks', 100, (limit: number) => listOf(1).client().webhookSubscriptions.list({ limit })],
  ['inventory', 500, (limit: number) => listOf(1).client().locations.listInventory(LOCATION_ID, { limit })],
])('the page size of %s is 1 to %i', async (_name, most, list) => {
  for (const limit of [0, -1, 1.5, most + 1, Number.NaN]) {
    expect(await rejection(list(limit))).toMatchObject({ name: 'RequestValidationError', field: 'limit' });
  }
  for (const limit of [1, most]) expect((await list(limit)).data).toHaveLength(2);
});

test('ten thousand pages are walked in time that grows with their number', async () => {
  const service = listOf(10_000);
  const before = process.cpuUsage();

  const found = await service.client({ validation: 'off' }).orders.list().toArray({ limit: Number.POSITIVE_INFINITY });

  expect(found).toHaveLength(20_000);
  // Of the processor, since what else the machine does is no part of it.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
});
